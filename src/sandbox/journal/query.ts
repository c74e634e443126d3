import { operationNames } from "../operations.js";

/** A key that a term of a query can have. */
interface QueryKeyFacts {
  readonly key: string;
  /** What it finds. */
  readonly meaning: string;
  readonly example: string;
  /** Values to choose from. */
  readonly values: readonly string[];
  /** The form of a value; any text if it is left out. */
  readonly form?: RegExp;
  /** What to give, if a value has another form. */
  readonly give?: string;
}

const kinds = ["request", "handshake"] as const;

/** How an entry of the journal ended. */
export const outcomes = ["success", "refused", "injected", "handshake"] as const;

export type Outcome = (typeof outcomes)[number];

/** What a list can be sorted by: times and numbers with the largest first, texts from A to Z. */
const sortings = ["time", "took", "size", "status", "method", "path", "client", "http"] as const;

export type Sorting = (typeof sortings)[number];

/** The order of a list. */
export interface ListOrder {
  readonly by: Sorting;
  /** The other way round, as `-sort:` says. */
  readonly isReversed: boolean;
}

const instantForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/i;
const giveInstant = "give an instant such as 2027-01-31T12:00:00Z, or a date";

/** The keys of a query. The documentation, the completion of the dashboard and the parser derive from this table. */
export const queryKeys = [
  {
    key: "status",
    meaning: "The status, or a class; 0 if there was no answer.",
    example: "status:4xx",
    values: ["2xx", "3xx", "4xx", "5xx", "0"],
    form: /^([1-5](xx|\d\d|\d?\*)|0|\*)$/i,
    give: "give a status such as 401, a class such as 4xx, or 0",
  },
  { key: "code", meaning: "The error code, also of a handshake.", example: "code:INVALID_*", values: [] },
  {
    key: "op",
    meaning: "The operation.",
    example: "op:ping",
    values: operationNames,
    form: oneOf([...operationNames, "*"]),
    give: `give one of ${operationNames.join(", ")}, or * for any`,
  },
  { key: "list", meaning: "The list.", example: "list:payments", values: [] },
  {
    key: "fault",
    meaning: "The injected fault, or its beginning, such as the scenario.",
    example: "fault:*",
    values: ["*"],
  },
  {
    key: "client",
    meaning: "The client of the token, of the certificate, or claimed as `client_id`.",
    example: "client:demo",
    values: [],
  },
  { key: "corr", meaning: "The correlation ID.", example: "corr:7f3a*", values: [] },
  { key: "method", meaning: "The method.", example: "method:POST", values: ["GET", "POST"] },
  {
    key: "conn",
    meaning: "The number of the connection.",
    example: "conn:17",
    values: [],
    form: /^(\d{1,15}|\*)$/,
    give: "give the number of a connection",
  },
  { key: "token", meaning: "The id of the token (`jti`).", example: "token:0b9c*", values: [] },
  {
    key: "trace",
    meaning: "The id of the trace (`traceparent`).",
    example: "trace:4bf92f35*",
    values: [],
  },
  {
    key: "kind",
    meaning: "`request`, or `handshake`: failed ones, and connections without a request.",
    example: "kind:handshake",
    values: kinds,
    form: oneOf(kinds),
    give: "give request or handshake",
  },
  {
    key: "outcome",
    meaning: "`success`, `refused`, `injected` by a scenario, or `handshake`.",
    example: "outcome:refused",
    values: outcomes,
    form: oneOf(outcomes),
    give: `give one of ${outcomes.join(", ")}`,
  },
  { key: "cause", meaning: "Why a handshake failed.", example: "cause:no-request", values: [] },
  {
    key: "header",
    meaning: "A header of the request or the answer, by name, or by name and value.",
    example: "header:x-correlation-id=7f3a*",
    values: [],
    form: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(=.*)?$/s,
    give: "give a name such as x-correlation-id, or a name and a value such as accept=*json*",
  },
  {
    key: "body",
    meaning: "A part of the form, or of the body of the answer. Secrets are not found.",
    example: 'body:"a part"',
    values: [],
  },
  {
    key: "took",
    meaning: "Longer or shorter than this.",
    example: "took:>100ms",
    values: [">100ms", ">1s"],
    form: /^[<>]=?\d{1,9}(\.\d{1,3})?(ms|s|m)$/i,
    give: "give a comparison such as >100ms, <=2s or >1m",
  },
  {
    key: "size",
    meaning: "The body of the answer is larger or smaller; 1 kB is 1000 bytes.",
    example: "size:>1kb",
    values: [">1kb", ">100kb"],
    form: /^[<>]=?\d{1,12}(\.\d{1,3})?(b|kb|mb)$/i,
    give: "give a comparison such as >1kb, <=500b or >2mb",
  },
  {
    key: "http",
    meaning: "The version of HTTP.",
    example: "http:2",
    values: ["1.1", "2"],
    form: /^(1\.1|2)$/,
    give: "give 1.1 or 2",
  },
  {
    key: "sort",
    meaning:
      "The order: `time`, `took`, `size` (largest first), `status`, `method`, `path`, `client`, `http`. `-sort:` reverses it.",
    example: "sort:took",
    values: sortings,
    form: oneOf(sortings),
    give: `give one of ${sortings.join(", ")}`,
  },
  {
    key: "from",
    meaning: "At or after this instant, on the machine's clock.",
    example: "from:2027-01-31T12:00:00Z",
    values: [],
    form: instantForm,
    give: giveInstant,
  },
  {
    key: "to",
    meaning: "Before this instant, on the machine's clock.",
    example: "to:2027-02-01",
    values: [],
    form: instantForm,
    give: giveInstant,
  },
] as const satisfies readonly QueryKeyFacts[];

export type QueryKey = (typeof queryKeys)[number]["key"];

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
  const isGood = (row.form?.test(value) ?? true) && (row.form !== instantForm || isInstant(value));
  return isGood ? undefined : `${row.key}: ${row.give}.`;
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

/** JavaScript reads a day that a month does not have as a day of the next month. */
function isInstant(value: string): boolean {
  const day = value.slice(0, 10);
  const midnight = Date.parse(day);
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  return exists && !Number.isNaN(Date.parse(value));
}

/** A term as text. The text is read as the same term: `code:INVALID_CURSOR`, `client:"a b"`. */
export function termText(key: QueryKey | "text", value: string): string {
  const isPlain = /^[\w./+:-]+$/.test(value) && (key !== "text" || /^[\w./+][\w./+-]*$/.test(value));
  const written = isPlain ? value : `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
  return `${key === "text" ? "" : `${key}:`}${written}`;
}

function oneOf(values: readonly string[]): RegExp {
  return new RegExp(`^(${values.map((value) => value.replaceAll("*", "\\*")).join("|")})$`, "i");
}
