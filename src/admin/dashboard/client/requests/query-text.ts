import { outcomes } from "../../../../sandbox/journal/outcome.js";
import { parseQuery, termText } from "../../../../sandbox/journal/query.js";
import { type QueryKey, queryKeys } from "../../../../sandbox/journal/query-keys.js";
import type { JournalItem, Overview } from "../api.js";

/** The choices of the buttons of outcomes. */
export type OutcomeChoice = (typeof outcomes)[number] | "all";

/** A query without its terms of the given keys, and with further terms at its end. */
export function withTerms(text: string, keys: readonly QueryKey[], added: readonly string[]): string {
  const gone = parseQuery(text).terms.filter(({ key }) => keys.some((candidate) => candidate === key));
  let rest = text;
  for (const { at, length } of gone.reverse()) rest = rest.slice(0, at) + rest.slice(at + length).trimStart();
  return [rest.trim(), ...added].filter((part) => part !== "").join(" ");
}

/** The one outcome that a query selects; undefined if it selects several, or in another way. */
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

/** One possible completion of a query. */
export interface Completion {
  /** The displayed text, such as `status:` or `4xx`. */
  readonly label: string;
  readonly meaning: string;
  /** A term with the key; empty for a value. */
  readonly example: string;
  /** The whole text with the completion, and the new position of the caret. */
  readonly text: string;
  readonly caret: number;
}

/** How many completions are shown. More typing finds the others. */
const mostCompletions = 12;

/**
 * Completions of the term at the caret: with a key, or with a value of its key.
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
  const completed = (label: string, meaning: string, term: string, example = ""): Completion => {
    const isValue = !term.endsWith(":");
    const before = `${text.slice(0, start)}${minus}${term}${isValue ? " " : ""}`;
    return {
      label,
      meaning,
      example,
      text: before + text.slice(end).replace(isValue ? /^ / : "", ""),
      caret: before.length,
    };
  };
  const [, name, begun = ""] = /^([a-z]+):"?(.*)$/is.exec(typed) ?? [];
  if (name === undefined) {
    return queryKeys
      .filter(({ key }) => key.startsWith(typed.toLowerCase()))
      .map(({ key, meaning, example }) => completed(`${key}:`, meaning, `${key}:`, example));
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

/** The start of the term at the caret; without a term, the position of the caret. */
function termStart(text: string, caret: number): number {
  const before = text.slice(0, caret);
  const term = parseQuery(before).terms.at(-1);
  const open = /(?:^|\s)(-?(?:\w+:)?"(?:[^"\\]|\\.)*)$/s.exec(before)?.[1];
  if (open !== undefined && (term === undefined || term.at + term.length < caret)) return caret - open.length;
  return caret - (/\S*$/.exec(before)?.[0].length ?? 0);
}

/** How many entries are searched for values. */
const mostEntries = 500;

/** Values of a key in the part of the journal that the page has: those of frequent refusals and busy clients first. */
export function seenValues(
  key: QueryKey,
  entries: readonly JournalItem[],
  overview: Overview | undefined,
): readonly string[] {
  const values = [
    ...valuesOfOverview(key, overview),
    ...entries.slice(0, mostEntries).flatMap((item) => valuesOf(key, item)),
  ];
  return [...new Set(values.filter((value) => value != null && value !== "").map(String))];
}

type Values = readonly (string | number | null | undefined)[];

function valuesOfOverview(key: QueryKey, overview: Overview | undefined): Values {
  if (key === "code") return overview?.groups.map(({ code }) => code) ?? [];
  return key === "client" ? (overview?.clients.map(({ client }) => client) ?? []) : [];
}

function valuesOf(key: QueryKey, item: JournalItem): Values {
  if (item.kind === "handshake") return key === "cause" || key === "code" ? [item[key]] : [];
  switch (key) {
    case "client":
      return [item.client, item.certificateClient];
    case "corr":
      return [item.correlationId];
    case "fault":
      return [item.fault?.replace(/[#;].*$/s, "")];
    case "status":
    case "code":
    case "list":
    case "method":
      return [item[key]];
    default:
      return [];
  }
}
