import { type QueryKey, type QueryKeyFacts, queryKeys, type Sorting, sortings } from "./query-keys.js";

/** The order of a list. */
export interface ListOrder {
  readonly by: Sorting;
  /** The other way round, as `-sort:` says. */
  readonly isReversed: boolean;
}

/** One condition of a query. */
export interface QueryTerm {
  /** `text` for words without a key. */
  readonly key: QueryKey | "text";
  readonly value: string;
  /** Whether the value was in quotation marks, in which `*` has no special meaning. */
  readonly quoted: boolean;
  /** Whether the condition must not hold. */
  readonly not: boolean;
  /** Where the term begins in the text, and its length; in UTF-16 units. */
  readonly at: number;
  readonly length: number;
}

/** A mistake in a query, and its place. */
export interface QueryProblem {
  readonly at: number;
  readonly length: number;
  readonly message: string;
}

export interface ParsedQuery {
  /** All of them must hold. */
  readonly terms: readonly QueryTerm[];
  /** In the order of the text. A query with a problem must not be used. */
  readonly problems: readonly QueryProblem[];
}

/** The longest query, in UTF-16 units, and the most terms: a query is compared with every entry of the journal. */
export const longestQuery = 1000;
const mostTerms = 20;

const facts: ReadonlyMap<string, QueryKeyFacts> = new Map(queryKeys.map((row) => [row.key, row]));

/**
 * A term as it is written: not, key, then a value in quotation marks or up to the next space. A quotation mark that is
 * not closed extends to the end. Each alternative begins with a different letter, so matching is linear.
 */
const termForm = /(?=\S)(-?)(?:([A-Za-z_]\w*):)?(?:"((?:[^"\\]|\\.)*)("?)|([^\s"]\S*))?/gsu;

/** Reads a query. No text makes this function throw; it takes time in proportion to the text. */
export function parseQuery(text: string): ParsedQuery {
  const terms: QueryTerm[] = [];
  const problems: QueryProblem[] = [];
  if (text.length > longestQuery) {
    const message = `The query is longer than ${longestQuery} characters.`;
    return { terms, problems: [{ at: longestQuery, length: text.length - longestQuery, message }] };
  }
  for (const match of text.matchAll(termForm)) {
    const [whole, minus, name, inQuotes, closing, plain] = match;
    const place = { at: match.index, length: whole.length };
    const key = name?.toLowerCase();
    const row = key === undefined ? undefined : facts.get(key);
    const quoted = inQuotes !== undefined;
    // A single hyphen is a text.
    const value = inQuotes?.replaceAll(/\\(.)/gsu, "$1") ?? plain ?? (key === undefined ? whole : "");
    const message =
      terms.length === mostTerms
        ? `A query has at most ${mostTerms} terms.`
        : problemWith(name, row, value, quoted && closing === "");
    if (message !== undefined) problems.push({ ...place, message });
    else if (value !== "") {
      const not = minus === "-" && whole.length > 1;
      terms.push({ key: (row?.key ?? "text") as QueryTerm["key"], value, quoted, not, ...place });
    }
    if (terms.length === mostTerms && problems.length > 0) break;
  }
  return { terms, problems };
}

function problemWith(
  name: string | undefined,
  row: QueryKeyFacts | undefined,
  value: string,
  isOpen: boolean,
): string | undefined {
  if (name !== undefined && row === undefined) {
    const known = queryKeys.map(({ key }) => key).join(", ");
    return `There is no key "${name}": use ${known}. To search for a text with a colon, put it in quotation marks.`;
  }
  if (isOpen) return "The quotation mark is not closed.";
  if (row === undefined) return undefined;
  if (value === "") return `Give a value after "${row.key}:", such as ${row.example}.`;
  return (row.form?.test(value) ?? true) ? undefined : `${row.key}: ${row.give}.`;
}

/** What a query sorts by; the last term counts. */
export function orderOf({ terms }: ParsedQuery): ListOrder {
  const term = terms.findLast(({ key }) => key === "sort");
  const value = term?.value.toLowerCase();
  return { by: sortings.find((sorting) => sorting === value) ?? "time", isReversed: term?.not === true };
}

/** Whether a list is in the order of the journal. */
export function isNewestFirst({ by, isReversed }: ListOrder): boolean {
  return by === "time" && !isReversed;
}

/** A term as text. The text is read as the same term: `code:INVALID_CURSOR`, `client:"a b"`. */
export function termText(key: QueryKey | "text", value: string): string {
  const isPlain = /^[\w./+:-]+$/.test(value) && (key !== "text" || /^[\w./+][\w./+-]*$/.test(value));
  const written = isPlain ? value : `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
  return `${key === "text" ? "" : `${key}:`}${written}`;
}
