import { mix } from "./random.js";

/** A part of a template: text, a name in braces, or the characters of which the text has one here. */
export type TemplatePart = string | { readonly name: string } | readonly string[];

/** Most characters of one placeholder. */
const mostCharacters = 256;

/** Most combinations of characters that are told apart: a safe integer. */
const mostCombinations = 2 ** 50;

/** Reads a template: `{name}`, `{0-9a-f:8}` for eight of these characters, and `{{` and `}}` for braces. */
export function parseTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of template.matchAll(token)) {
    if (match.index > end) parts.push(template.slice(end, match.index));
    end = match.index + match[0].length;
    const name = match[1];
    const characters = charactersIn(name);
    if (name === undefined) parts.push(match[0].charAt(0));
    else if (characters === undefined) parts.push({ name });
    else parts.push(...Array.from({ length: characters.count }, () => characters.among));
  }
  return end < template.length ? [...parts, template.slice(end)] : parts;
}

/** What is wrong with a template: a single brace, or a placeholder without characters. */
export function templateProblem(template: string): string | undefined {
  for (const [all, name] of template.matchAll(token)) {
    if (/^[{}]$/.test(all)) return "a single brace; write {{ or }}";
    const characters = charactersIn(name);
    if (characters && (characters.among.length === 0 || characters.count < 1 || characters.count > mostCharacters))
      return `${all} is not characters and their number, 1 to ${mostCharacters}, as in {0-9a-f:8}`;
  }
  return undefined;
}

const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/** The characters of `0-9a-f:8`, and how many of them; undefined for a name. */
function charactersIn(placeholder = ""): { readonly among: readonly string[]; readonly count: number } | undefined {
  const [, among, count] = /^([^:]+):(\d+)$/.exec(placeholder) ?? [];
  return among === undefined ? undefined : { among: charactersOf(among), count: Number(count) };
}

/** `0-9a-f` → the sixteen digits. A `-` at the beginning or the end is itself. */
function charactersOf(among: string): readonly string[] {
  const all = [...among.matchAll(/(.)-(.)|(.)/gsu)].flatMap(([, first, last, alone]) => {
    const [from, to] = [first ?? alone ?? "", last ?? alone ?? ""].map((each) => each.codePointAt(0) ?? 0) as [
      number,
      number,
    ];
    return Array.from({ length: Math.min(Math.max(to - from + 1, 0), mostCharacters) }, (_, index) =>
      String.fromCodePoint(from + index),
    );
  });
  return [...new Set(all)];
}

/** How many texts differ in the characters of these places. Beyond 2^50, only the last places are counted. */
export function combinationsOf(places: readonly (readonly string[])[]): number {
  return places.reduceRight(
    ([all, isFull], { length }) => {
      const isLast = isFull || all * length > mostCombinations;
      return [isLast ? all : all * length, isLast] as const;
    },
    [1, false] as readonly [number, boolean],
  )[0];
}

/**
 * A character for each place: the last ones for a number, as its digits, the others for a pseudo-random word.
 * @param combinations of the places, as `combinationsOf` counts them; the number is below
 */
export function charactersFor(
  places: readonly (readonly string[])[],
  combinations: number,
  number: number,
  word: number,
): string[] {
  let [left, rest, next] = [combinations, number, word];
  return places
    .toReversed()
    .map((characters) => {
      const { length } = characters;
      next = mix((next + 1) | 0);
      const digit = left >= length ? rest % length : (next >>> 0) % length;
      rest = Math.floor(rest / length);
      left /= length;
      return characters[digit] as string;
    })
    .reverse();
}

/** A text of the parts of an instant: `{year}`, `{month}`, `{day}`, `{hour}`, `{minute}`, `{second}`, `{millisecond}`. */
export function instantTemplate(template: string): (ms: number) => string {
  const parts = parseTemplate(template).map((part) =>
    typeof part === "string" ? part : partsOfInstant.get("name" in part ? part.name : ""),
  );
  return (ms) => {
    const text = new Date(ms).toISOString();
    return parts.map((part) => (typeof part === "object" ? text.slice(...part) : part)).join("");
  };
}

/** What is wrong with such a template. */
export function instantTemplateProblem(template: string): string | undefined {
  const problem = templateProblem(template);
  if (problem !== undefined) return problem;
  const wrong = [...template.matchAll(token)].find(([, name]) => name !== undefined && !partsOfInstant.has(name));
  const known = [...partsOfInstant.keys()].map((each) => `{${each}}`).join(", ");
  return wrong && `${wrong[0]} is no part of an instant; these are ${known}`;
}

/** Where they are in `2026-01-31T09:30:00.000Z`. */
const partsOfInstant: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["year", [0, 4]],
  ["month", [5, 7]],
  ["day", [8, 10]],
  ["hour", [11, 13]],
  ["minute", [14, 16]],
  ["second", [17, 19]],
  ["millisecond", [20, 23]],
]);
