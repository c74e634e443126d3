import type { Alias, Node, Pair, Scalar, YAMLMap } from "yaml";
import { longestName, printable } from "../text/printable.js";
import type * as yaml from "./parser.js";
import { mostProblems } from "./problem.js";

/** Deeper than any configuration or scenario, and small enough for validation, which is recursive. */
const deepest = 100;

/** A problem by its place in the text, in characters from its beginning. */
export interface ReadProblem {
  readonly offset: number;
  readonly message: string;
}

/** The value of an anchor (`&name`). */
interface Anchored {
  value: unknown;
  /** How many values it has, including those that its aliases repeat; undefined until it has been read completely. */
  size: number | undefined;
  /** How many levels are below it. */
  height: number;
}

/** Ends the reading of a document that must not be expanded. */
class Stopped extends Error {}

/**
 * Turns the nodes of a document into plain values, in one pass, and remembers the pairs of each map by key. The library
 * can do this too, but it compares each key with all keys before it, and searches the whole document for each alias.
 */
export class NodeReader {
  readonly problems: ReadProblem[] = [];
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<string, Pair<Scalar, Node | null>>>();
  readonly #anchors = new Map<string, Anchored>();
  /** Values so far, including those that aliases repeat. */
  #count = 0;
  /** The deepest level so far, of the anchored node that is being read. */
  #reached = 0;

  /** @param mostValues how many values a document may have, including those that its aliases repeat */
  constructor(
    private readonly parser: Pick<typeof yaml, "isAlias" | "isMap" | "isScalar" | "isSeq">,
    private readonly mostValues: number,
  ) {}

  /** The value of a document's root; undefined if there are problems. */
  read(root: unknown): unknown {
    try {
      const value = this.#value(root, 0);
      return this.problems.length > 0 ? undefined : value;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return undefined;
    }
  }

  /** The pair of a key; undefined if the node is not a map that has been read, or does not have the key. */
  pair(node: unknown, key: PropertyKey): Pair<Scalar, Node | null> | undefined {
    return this.#pairs.get(node as YAMLMap)?.get(String(key));
  }

  #value(node: unknown, depth: number): unknown {
    this.#reach(depth, node);
    this.#count += 1;
    if (this.parser.isAlias(node)) return this.#repeated(node, depth);
    const name = (node as (Partial<Node> & { anchor?: string }) | null)?.anchor;
    return name === undefined ? this.#content(node, depth) : this.#anchored(name, node, depth);
  }

  #content(node: unknown, depth: number): unknown {
    if (this.parser.isMap(node)) return this.#map(node as YAMLMap<Scalar, Node | null>, depth);
    if (this.parser.isSeq(node)) return node.items.map((item) => this.#value(item, depth + 1));
    return this.parser.isScalar(node) ? this.#scalar(node) : null;
  }

  /** JSON has only finite numbers (RFC 8259 §6), so any other could not be sent. */
  #scalar(node: Scalar): unknown {
    const { value, source } = node;
    if (typeof value === "number" && !Number.isFinite(value)) {
      const message = "is not a finite number. Give a finite one, or put it in quotes for a text.";
      this.#note(node, `${printable(source ?? String(value), longestName)} ${message}`);
    }
    return value;
  }

  #map(map: YAMLMap<Scalar, Node | null>, depth: number): Record<string, unknown> {
    const pairs = new Map<string, Pair<Scalar, Node | null>>();
    const value: Record<string, unknown> = {};
    for (const pair of map.items) {
      // Every key is a string. The parser has reported all others.
      const key = String(pair.key.value);
      if (pairs.has(key)) this.#note(pair.key, "This key is given twice.");
      pairs.set(key, pair);
      if (pair.key.anchor !== undefined) this.#anchored(pair.key.anchor, pair.key, depth);
      const member = this.#value(pair.value, depth + 1);
      // An assignment would set the prototype, and the validation drops a member of this name silently.
      if (key === "__proto__") this.#note(pair.key, `Unknown key "${key}". Leave it out, or give it another name.`);
      else value[key] = member;
    }
    this.#pairs.set(map, pairs);
    return value;
  }

  #anchored(name: string, node: unknown, depth: number): unknown {
    const anchored: Anchored = { value: undefined, size: undefined, height: 0 };
    this.#anchors.set(name, anchored);
    const countBefore = this.#count;
    const reachedBefore = this.#reached;
    this.#reached = depth;
    anchored.value = this.#content(node, depth);
    anchored.size = this.#count - countBefore;
    anchored.height = this.#reached - depth;
    this.#reached = Math.max(this.#reached, reachedBefore);
    return anchored.value;
  }

  #repeated(alias: Alias, depth: number): unknown {
    const anchored = this.#anchors.get(alias.source);
    if (anchored === undefined)
      return this.#stop(alias, `There is no anchor before this with the name &${alias.source}.`);
    const { value, size, height } = anchored;
    if (size === undefined) return this.#stop(alias, `*${alias.source} is inside the value that it repeats.`);
    this.#reach(depth + height, alias);
    this.#count += size;
    if (this.#count > this.mostValues) {
      this.#stop(
        alias,
        `The document cannot be expanded: with its aliases (*name) it has more than ${this.mostValues} values.`,
      );
    }
    return value;
  }

  #reach(depth: number, node: unknown): void {
    if (depth > deepest) this.#stop(node, "It is nested too deeply.");
    if (depth > this.#reached) this.#reached = depth;
  }

  #stop(node: unknown, message: string): never {
    this.#note(node, message);
    throw new Stopped();
  }

  #note(node: unknown, message: string): void {
    if (this.problems.length < mostProblems) this.problems.push({ offset: offsetOf(node) ?? 0, message });
  }
}

/** Where a node begins, in characters from the beginning of the text. */
export function offsetOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
}
