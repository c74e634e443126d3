import type { AST } from "@eslint-community/regexpp";
import { quote } from "../../base/text/printable.js";
import {
  type CharacterElement,
  charactersOf,
  parseRegularExpression,
  RegularExpressionError,
} from "../../base/text/regular-expression.js";
import type { FieldGenerator } from "../../sandbox/lists/settings.js";
import type { Schema } from "./schema.js";

/** A part of a pattern: one of these characters, and how often it is repeated. */
interface Atom {
  readonly characters: readonly string[];
  readonly minimum: number;
  readonly maximum: number;
}

/** Letters and digits are preferred, because they are readable. */
const readable = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"];
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index));

/** So many different values are made of a pattern, if it allows them. */
const wanted = 10_000;

/** Longest value of a pattern, in characters. */
const longest = 200;

/** The lengths that a text may have, in characters. */
type Lengths = Partial<Pick<Schema, "minLength" | "maxLength">>;

/**
 * A generator of texts that a pattern matches. The pattern is read and not run: an untrusted pattern can take extremely
 * long to match.
 * @param lengths what the schema says besides the pattern
 * @throws RegularExpressionError for a pattern of which no value can be made
 */
export function ofPattern(pattern: string, lengths: Lengths): FieldGenerator {
  const atoms = varied(fitted(atomsOf(pattern), lengths), lengths);
  if (lengthOf(atoms) > longest) throw new TooLong();
  const parts = atoms.map((atom) => ({ count: countOf(atom), characters: atom.characters }));
  if (parts.every(({ count, characters }) => count === 0 || characters.length === 1))
    return { type: "constant", value: parts.map(({ count, characters }) => characters[0]?.repeat(count)).join("") };
  return { type: "text", template: parts.map(({ count, characters }) => placeholder(characters, count)).join("") };
}

/** The part of a template for some of these characters. */
function placeholder(characters: readonly string[], count: number): string {
  // In a template, these have a meaning.
  const among = characters.filter((character) => !"{}:".includes(character));
  const [only = characters[0] ?? ""] = among;
  if (count === 0) return "";
  return among.length < 2 ? braced(only.repeat(count)) : `{${rangesOf(among)}:${count}}`;
}

/** Characters as in a class of a regular expression: `A-Fa-f0-9`. A `-` is the last. */
function rangesOf(characters: readonly string[]): string {
  const ranges: [number, number][] = [];
  for (const code of characters.filter((each) => each !== "-").map((each) => each.codePointAt(0) ?? 0)) {
    const range = ranges.at(-1);
    if (range && code === range[1] + 1) range[1] = code;
    else ranges.push([code, code]);
  }
  const texts = ranges.map(([first, last]) => {
    const ends = [first, last].map((code) => String.fromCodePoint(code));
    return first === last ? ends[0] : ends.join(last === first + 1 ? "" : "-");
  });
  return `${texts.join("")}${characters.includes("-") ? "-" : ""}`;
}

/** A text as it is written in a template. */
export function braced(text: string): string {
  return text.replaceAll("{", "{{").replaceAll("}", "}}");
}

function lengthOf(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom) => sum + countOf(atom), 0);
}

/** The parts of a pattern with counts that lead to a length, as far as the pattern allows it. */
function fitted(
  atoms: readonly Atom[],
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Lengths,
): readonly Atom[] {
  let surplus = lengthOf(atoms) - maxLength;
  let missing = Math.min(minLength, longest) - lengthOf(atoms);
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

/** Parts that are repeated more often, until enough values differ. */
function varied(atoms: readonly Atom[], { maxLength = longest }: Lengths): readonly Atom[] {
  let values = atoms.reduce((product, atom) => product * atom.characters.length ** countOf(atom), 1);
  let room = Math.min(maxLength, longest) - lengthOf(atoms);
  return atoms.map((atom) => {
    let count = countOf(atom);
    while (values < wanted && room > 0 && count < atom.maximum && atom.characters.length > 1) {
      count += 1;
      room -= 1;
      values *= atom.characters.length;
    }
    return count === countOf(atom) ? atom : { ...atom, minimum: count };
  });
}

class TooLong extends RegularExpressionError {
  constructor() {
    super(`describes values of more than ${longest} characters`);
  }
}

/** How often a part is repeated in a value: at most four times, unless it must be more. */
function countOf({ minimum, maximum }: Atom): number {
  return Math.max(minimum, Math.min(maximum, 4));
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
