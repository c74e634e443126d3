import type { AST } from "@eslint-community/regexpp";
import { quote } from "../../base/text/printable.js";
import {
  type CharacterElement,
  charactersOf,
  parseRegularExpression,
  RegularExpressionError,
} from "../../base/text/regular-expression.js";
import type { FieldGenerator } from "../../sandbox/lists/settings.js";

/** A part of a pattern: one of these characters, and how often it is repeated. */
interface Atom {
  readonly characters: readonly string[];
  readonly minimum: number;
  readonly maximum: number;
}

/** Characters of the identifiers that the sandbox generates. */
const ofIdentifiers = [..."0123456789ABCDEFGHJKMNPQRSTVWXYZ"];

/** Letters and digits are preferred, because they are readable. */
const readable = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"];
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index));

/** How many values are made of a pattern. */
const samples = 4;

/** Longest value of a pattern, in characters. */
const longest = 200;

/** The lengths that a text may have, in characters. */
export interface Lengths {
  readonly least: number;
  readonly most: number;
}

/**
 * A generator of texts that a pattern matches. The pattern is read and not run: an untrusted pattern can take extremely
 * long to match.
 * @param unique whether rows should differ, as identifiers do
 * @param lengths what the schema says besides the pattern
 * @throws RegularExpressionError for a pattern of which no value can be made
 */
export function ofPattern(pattern: string, unique: boolean, lengths: Lengths = anyLength): FieldGenerator {
  const atoms = fitted(atomsOf(pattern), lengths);
  if (lengthOf(atoms) > longest) throw new TooLong();
  if (unique) {
    const id = identifier(atoms);
    if (id) return id;
  }
  const number = digitsOnly(atoms);
  if (number) return number;
  const values = [...new Set(Array.from({ length: samples }, (_, index) => sample(atoms, index)))];
  return values.length === 1 ? { type: "constant", value: values[0] } : { type: "choice", values };
}

const anyLength: Lengths = { least: 0, most: Number.POSITIVE_INFINITY };

function lengthOf(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom) => sum + countOf(atom), 0);
}

/** The parts of a pattern with counts that lead to a length, as far as the pattern allows it. */
function fitted(atoms: readonly Atom[], { least, most }: Lengths): readonly Atom[] {
  let surplus = lengthOf(atoms) - most;
  let missing = Math.min(least, longest) - lengthOf(atoms);
  return atoms.map((atom) => {
    const count = countOf(atom);
    const change =
      surplus > 0
        ? -Math.min(surplus, count - atom.minimum)
        : missing > 0
          ? Math.min(missing, atom.maximum - count)
          : undefined;
    if (change === undefined) return atom;
    surplus += Math.min(change, 0);
    missing -= Math.max(change, 0);
    return { ...atom, minimum: count + change, maximum: count + change };
  });
}

class TooLong extends RegularExpressionError {
  constructor() {
    super(`describes values of more than ${longest} characters`);
  }
}

/** A literal text, followed by a number of arbitrary characters. */
function identifier(atoms: readonly Atom[]): FieldGenerator | undefined {
  const last = atoms.at(-1);
  const prefix = atoms.slice(0, -1);
  if (!last || prefix.some(({ characters, minimum, maximum }) => characters.length !== 1 || minimum !== maximum))
    return;
  if (![...ofIdentifiers].every((character) => last.characters.includes(character))) return;
  const length = Math.min(Math.max(last.minimum, 16), last.maximum, 64);
  if (length < 8 || length < last.minimum) return;
  const text = prefix.map(({ characters, minimum }) => (characters[0] ?? "").repeat(minimum)).join("");
  return { type: "id", ...(text === "" ? {} : { prefix: text }), length };
}

/** Numbers with this count of digits. */
function digitsOnly(atoms: readonly Atom[]): FieldGenerator | undefined {
  if (atoms.length === 0 || atoms.some(({ characters }) => characters.join("") !== "0123456789")) return;
  const length = atoms.reduce((sum, atom) => sum + countOf(atom), 0);
  if (length < 2 || length > 15) return;
  return { type: "decimal", min: 10 ** (length - 1), max: 10 ** length - 1, decimals: 0 };
}

/** How often a part is repeated in a value: at most four times, unless it must be more. */
function countOf({ minimum, maximum }: Atom): number {
  return Math.max(minimum, Math.min(maximum, 4));
}

function sample(atoms: readonly Atom[], seed: number): string {
  let place = 0;
  return atoms
    .flatMap((atom) =>
      Array.from({ length: countOf(atom) }, () => {
        place += 1;
        return atom.characters[(seed * 7 + place * 11) % atom.characters.length];
      }),
    )
    .join("");
}

/**
 * The parts of the first alternative. OpenAPI recommends the syntax with the flag `u`; many documents have the older
 * one.
 */
function atomsOf(pattern: string): readonly Atom[] {
  try {
    return firstOf(parseRegularExpression(pattern, "u"), "u");
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error;
    return firstOf(parseRegularExpression(pattern, ""), "");
  }
}

function firstOf(
  { alternatives: [first] }: { readonly alternatives: readonly AST.Alternative[] },
  flags: "u" | "",
): readonly Atom[] {
  const atoms: Atom[] = [];
  for (const element of first?.elements ?? []) {
    atoms.push(...partsOf(element, flags));
    if (atoms.length > longest) throw new TooLong();
  }
  return atoms;
}

function partsOf(element: AST.Element, flags: "u" | ""): readonly Atom[] {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return firstOf(element, flags);
    case "Quantifier":
      return repeated(partsOf(element.element, flags), element);
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return [{ characters: charactersFor(element, flags), minimum: 1, maximum: 1 }];
    default:
      if (element.type === "Assertion" && (element.kind === "start" || element.kind === "end")) return [];
      throw new RegularExpressionError(`has ${quote(element.raw, 40)}, of which no value can be made`);
  }
}

/** Counts are not written out for a single part, so that none takes memory. */
function repeated(parts: readonly Atom[], { min, max, element }: AST.Quantifier): readonly Atom[] {
  const [only] = parts;
  if (only && element.type !== "Group" && element.type !== "CapturingGroup")
    return [{ ...only, minimum: min, maximum: Math.min(max, Math.max(min, longest)) }];
  const times = Math.max(min, Math.min(max, 1));
  if (parts.length * times > longest) throw new TooLong();
  return Array.from({ length: parts.length === 0 ? 0 : times }, () => parts).flat();
}

function charactersFor(element: CharacterElement, flags: "u" | ""): readonly string[] {
  if (element.type === "Character") return [String.fromCodePoint(element.value)];
  const preferred = charactersOf(element, readable, flags);
  const characters = preferred.length > 0 ? preferred : charactersOf(element, printable, flags);
  if (characters.length > 0) return characters;
  throw new RegularExpressionError(`has ${quote(element.raw, 40)}, which matches no printable character of ASCII`);
}
