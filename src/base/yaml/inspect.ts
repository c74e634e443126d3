import type { Alias, Node, Scalar, YAMLMap } from "yaml";
import { longestName, printable } from "../text/printable.js";
import type * as yaml from "./parser.js";

/** Deeper than any configuration or scenario, and small enough for what reads the values, which is recursive. */
export const deepest = 100;

export const tooDeep = "It is nested too deeply.";

/** A problem by its place in the text, in characters from its beginning. */
export interface NodeProblem {
  readonly offset: number;
  readonly message: string;
}

/** How much a document may have, with everything that its aliases (`*name`) repeat. */
interface Expansion {
  readonly values: number;
  readonly characters: number;
}

/** What an anchor (`&name`) stands for; undefined until all of it has been seen. */
interface Anchored {
  size: (Expansion & { readonly levels: number }) | undefined;
}

/** Ends the inspection of a document that must not be expanded. */
class Stopped extends Error {}

/**
 * Finds what must not become a value, before one is made: keys that are given twice, numbers that JSON does not have,
 * and a document that is too deep or too large when each alias is replaced by what it repeats.
 */
export class Inspector {
  readonly problems: NodeProblem[] = [];
  readonly #anchors = new Map<string, Anchored>();
  #values = 0;
  #characters = 0;

  constructor(
    private readonly library: typeof yaml,
    private readonly most: Expansion,
  ) {}

  inspect(root: unknown): void {
    try {
      this.#levelsOf(root, 0);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
  }

  /** @returns how many levels are below the node */
  #levelsOf(node: unknown, depth: number): number {
    const { isAlias, isMap, isSeq, isScalar } = this.library;
    if (depth > deepest) this.#stop(node, tooDeep);
    if (isAlias(node)) return this.#repeated(node, depth);
    const [values, characters] = [this.#values, this.#characters];
    const anchored: Anchored = { size: undefined };
    const name = (node as { anchor?: string } | null)?.anchor;
    if (name !== undefined) this.#anchors.set(name, anchored);
    let levels = 0;
    const below = (part: unknown) => {
      levels = Math.max(levels, this.#levelsOf(part, depth + 1) + 1);
    };
    if (isScalar(node)) this.#checkScalar(node);
    this.#count(node, 1, isScalar(node) && typeof node.value === "string" ? node.value.length : 0);
    if (isSeq(node)) for (const item of node.items) below(item);
    if (isMap(node)) {
      this.#checkKeys(node as YAMLMap<Scalar>);
      for (const { key, value } of node.items) {
        below(key);
        below(value);
      }
    }
    anchored.size = { values: this.#values - values, characters: this.#characters - characters, levels };
    return levels;
  }

  #repeated(alias: Alias, depth: number): number {
    const anchored = this.#anchors.get(alias.source);
    if (!anchored) return this.#stop(alias, `There is no anchor before this with the name &${alias.source}.`);
    const { size } = anchored;
    if (!size) return this.#stop(alias, `*${alias.source} is inside the value that it repeats.`);
    if (depth + size.levels > deepest) this.#stop(alias, tooDeep);
    this.#count(alias, size.values, size.characters);
    return size.levels;
  }

  #count(node: unknown, values: number, characters: number): void {
    this.#values += values;
    this.#characters += characters;
    const tooMany =
      this.#values > this.most.values
        ? `${this.most.values} values`
        : this.#characters > this.most.characters
          ? `${this.most.characters} characters`
          : undefined;
    if (tooMany !== undefined)
      this.#stop(node, `The document cannot be expanded: with its aliases (*name) it has more than ${tooMany}.`);
  }

  /** JSON has only finite numbers (RFC 8259 §6), so any other could not be sent. */
  #checkScalar(node: Scalar): void {
    const { value, source } = node;
    if (typeof value !== "number" || Number.isFinite(value)) return;
    const message = "is not a finite number. Give a finite one, or put it in quotes for a text.";
    this.#note(node, `${printable(source ?? String(value), longestName)} ${message}`);
  }

  /** The library compares each key with all keys before it. */
  #checkKeys({ items }: YAMLMap<Scalar>): void {
    const seen = new Set<unknown>();
    for (const { key } of items) {
      if (seen.has(key.value)) this.#note(key, "This key is given twice.");
      seen.add(key.value);
      // The validation drops a member of this name silently.
      if (key.value === "__proto__")
        this.#note(key, `Unknown key "${key.value}". Leave it out, or give it another name.`);
    }
  }

  #stop(node: unknown, message: string): never {
    this.#note(node, message);
    throw new Stopped();
  }

  #note(node: unknown, message: string): void {
    this.problems.push({ offset: offsetOf(node) ?? 0, message });
  }
}

/** Where a node begins, in characters from the beginning of the text. */
export function offsetOf(node: unknown): number | undefined {
  return (node as Partial<Node> | null | undefined)?.range?.[0];
}
