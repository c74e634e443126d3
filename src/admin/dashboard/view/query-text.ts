import { outcomes, parseQuery, type QueryKey, queryKeys, termText } from "../../../journal/query.js";

/** What the buttons of outcomes stand for. */
export type OutcomeChoice = (typeof outcomes)[number] | "all";

/** A query without its terms of some keys, and with others at its end. */
export function withTerms(text: string, keys: readonly QueryKey[], added: readonly string[]): string {
  const gone = parseQuery(text).terms.filter(({ key }) => keys.some((candidate) => candidate === key));
  let rest = text;
  for (const { at, length } of gone.reverse()) rest = rest.slice(0, at) + rest.slice(at + length).trimStart();
  return [rest.trim(), ...added].filter((part) => part !== "").join(" ");
}

/** The one outcome that a query asks for; undefined where it asks for several, or in another way. */
export function outcomeIn(text: string): OutcomeChoice | undefined {
  const terms = parseQuery(text).terms.filter(({ key }) => key === "outcome");
  if (terms.length === 0) return "all";
  const [first] = terms;
  return terms.length === 1 && !first?.not
    ? outcomes.find((outcome) => outcome === first?.value.toLowerCase())
    : undefined;
}

/** The time that a query is limited to, in milliseconds since the epoch. */
export function rangeIn(text: string): { readonly from: number | undefined; readonly to: number | undefined } {
  const { terms } = parseQuery(text);
  const last = (wanted: QueryKey) => {
    const term = terms.findLast(({ key, not }) => key === wanted && !not);
    const at = term === undefined ? Number.NaN : Date.parse(term.value);
    return Number.isNaN(at) ? undefined : at;
  };
  return { from: last("from"), to: last("to") };
}

/** One way to go on with a query. */
export interface Completion {
  /** What is read, such as `status:` or `4xx`. */
  readonly label: string;
  readonly meaning: string;
  /** The whole text with it, and where the caret is then. */
  readonly text: string;
  readonly caret: number;
}

/** No list is longer: what is looked for is found by typing on. */
const mostCompletions = 12;

/**
 * How the term at the caret may go on: with a key, or with a value of its key.
 * @param seen values that are in the journal, by key, the most likely ones first
 */
export function completions(
  text: string,
  caret: number,
  seen: (key: QueryKey) => readonly string[],
): readonly Completion[] {
  const start = termStart(text, caret);
  const [, minus = "", typed = ""] = /^(-?)(.*)$/s.exec(text.slice(start, caret)) ?? [];
  const end = caret + (/^\S*/.exec(text.slice(caret))?.[0].length ?? 0);
  const completed = (label: string, meaning: string, term: string): Completion => {
    const isValue = !term.endsWith(":");
    const before = `${text.slice(0, start)}${minus}${term}${isValue ? " " : ""}`;
    return { label, meaning, text: before + text.slice(end).replace(isValue ? /^ / : "", ""), caret: before.length };
  };
  const [, name, begun = ""] = /^([a-z]+):"?(.*)$/is.exec(typed) ?? [];
  if (name === undefined) {
    return queryKeys
      .filter(({ key }) => key.startsWith(typed.toLowerCase()))
      .map(({ key, meaning }) => completed(`${key}:`, meaning, `${key}:`));
  }
  const row = queryKeys.find(({ key }) => key === name.toLowerCase());
  if (!row) return [];
  return [...new Set([...row.values, ...seen(row.key)])]
    .filter((value) => value.toLowerCase().includes(begun.toLowerCase()))
    .slice(0, mostCompletions)
    .map((value) =>
      completed(value, "", value === "*" || /^\dxx$/.test(value) ? `${row.key}:${value}` : termText(row.key, value)),
    );
}

/** Where the term begins in which the caret stands, or which it would begin. */
function termStart(text: string, caret: number): number {
  const before = text.slice(0, caret);
  const term = parseQuery(before).terms.at(-1);
  const open = /(?:^|\s)(-?(?:\w+:)?"(?:[^"\\]|\\.)*)$/s.exec(before)?.[1];
  if (open !== undefined && (term === undefined || term.at + term.length < caret)) return caret - open.length;
  return caret - (/\S*$/.exec(before)?.[0].length ?? 0);
}
