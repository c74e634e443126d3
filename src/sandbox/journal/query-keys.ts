import { operationNames } from "../operations.js";
import { type AnyEntry, isRequest } from "./entry.js";
import { outcomes } from "./outcome.js";
import {
  beginning,
  compare,
  containing,
  type EntryTest,
  like,
  likeness,
  ofRequest,
  type TestOf,
} from "./query-tests.js";

/** A key that a term of a query can have. */
export interface QueryKeyFacts {
  readonly key: string;
  /** What it finds. */
  readonly meaning: string;
  readonly example: string;
  /** Values to choose from. */
  readonly values: readonly string[];
  /** The form of a value; any text if it is left out. */
  readonly form?: { test(value: string): boolean };
  /** What to give, if a value has another form. */
  readonly give?: string;
  /** Whether an entry satisfies a term with this key. */
  readonly test: TestOf;
}

const kinds = ["request", "handshake"] as const;

/** What a list can be sorted by: times and numbers with the largest first, texts from A to Z. */
export const sortings = ["time", "took", "size", "status", "method", "path", "client", "http"] as const;

export type Sorting = (typeof sortings)[number];

const instantText = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/i;
/** A day that a month does not have is no instant; JavaScript reads it as a day of the next month. */
const instantForm = { test: (value: string) => instantText.test(value) && isInstant(value) };
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
    test: (value) => {
      // `4xx`, `4*` and `40*` give the beginning of the three digits.
      const digits = value.replace(/\D+$/, "");
      return ofRequest(({ status }) => String(status).startsWith(digits));
    },
  },
  {
    key: "code",
    meaning: "The error code, also of a handshake.",
    example: "code:INVALID_*",
    values: [],
    test: like(
      ({ code }) => [code],
      ({ code }) => [code],
    ),
  },
  {
    key: "op",
    meaning: "The operation.",
    example: "op:ping",
    values: operationNames,
    form: oneOf([...operationNames, "*"]),
    give: `give one of ${operationNames.join(", ")}, or * for any`,
    test: like(({ operation }) => [operation]),
  },
  { key: "list", meaning: "The list.", example: "list:payments", values: [], test: like(({ list }) => [list]) },
  {
    key: "fault",
    meaning: "The injected fault, or its beginning, such as the scenario.",
    example: "fault:*",
    values: ["*"],
    test: beginning(({ injected }) => injected),
  },
  {
    key: "client",
    meaning: "The client of the token, of the certificate, or claimed as `client_id`.",
    example: "client:demo",
    values: [],
    test: like(
      (exchange, read) => read.claimedClients(exchange),
      ({ certificate }, read) => [certificate && read.holderOf(certificate.thumbprint)],
    ),
  },
  {
    key: "corr",
    meaning: "The correlation ID.",
    example: "corr:7f3a*",
    values: [],
    test: like(({ correlationId }, read) => [read.redactText(correlationId)]),
  },
  {
    key: "method",
    meaning: "The method.",
    example: "method:POST",
    values: ["GET", "POST"],
    test: like(({ method }) => [method]),
  },
  {
    key: "conn",
    meaning: "The number of the connection.",
    example: "conn:17",
    values: [],
    form: /^(\d{1,15}|\*)$/,
    give: "give the number of a connection",
    test: like(
      ({ connection }) => [connection && String(connection.id)],
      ({ connection }) => [connection === undefined ? undefined : String(connection)],
    ),
  },
  {
    key: "token",
    meaning: "The id of the token (`jti`).",
    example: "token:0b9c*",
    values: [],
    test: like((exchange, read) => [read.tokenIdOf(exchange)]),
  },
  {
    key: "trace",
    meaning: "The id of the trace (`traceparent`).",
    example: "trace:4bf92f35*",
    values: [],
    test: like((exchange, read) => [read.traceIdOf(exchange)]),
  },
  {
    key: "kind",
    meaning: "`request`, or `handshake`: failed ones, and connections without a request.",
    example: "kind:handshake",
    values: kinds,
    form: oneOf(kinds),
    give: "give request or handshake",
    test: (value) => (entry) => isRequest(entry) === (value === "request"),
  },
  {
    key: "outcome",
    meaning: "`success`, `refused`, `injected` by a scenario, or `handshake`.",
    example: "outcome:refused",
    values: outcomes,
    form: oneOf(outcomes),
    give: `give one of ${outcomes.join(", ")}`,
    test: (value) => (entry, read) => read.outcomeOf(entry) === value,
  },
  {
    key: "cause",
    meaning: "Why a handshake failed.",
    example: "cause:no-request",
    values: [],
    test: like(undefined, ({ cause }) => [cause]),
  },
  {
    key: "header",
    meaning: "A header of the request or the answer, by name, or by name and value.",
    example: "header:x-correlation-id=7f3a*",
    values: [],
    form: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(=.*)?$/s,
    give: "give a name such as x-correlation-id, or a name and a value such as accept=*json*",
    test: headerTest,
  },
  {
    key: "body",
    meaning: "A part of the form, or of the body of the answer. Secrets are not found.",
    example: 'body:"a part"',
    values: [],
    test: (value, isQuoted) => {
      const contains = containing(value, isQuoted);
      return ofRequest((exchange, read) => read.bodyHas(exchange, contains));
    },
  },
  {
    key: "took",
    meaning: "Longer or shorter than this.",
    example: "took:>100ms",
    values: [">100ms", ">1s"],
    form: /^[<>]=?\d{1,9}(\.\d{1,3})?(ms|s|m)$/i,
    give: "give a comparison such as >100ms, <=2s or >1m",
    test: compare(({ duration }) => duration),
  },
  {
    key: "size",
    meaning: "The body of the answer is larger or smaller; 1 kB is 1000 bytes.",
    example: "size:>1kb",
    values: [">1kb", ">100kb"],
    form: /^[<>]=?\d{1,12}(\.\d{1,3})?(b|kb|mb)$/i,
    give: "give a comparison such as >1kb, <=500b or >2mb",
    test: compare(({ bodyLength }) => bodyLength),
  },
  {
    key: "http",
    meaning: "The version of HTTP.",
    example: "http:2",
    values: ["1.1", "2"],
    form: /^(1\.1|2)$/,
    give: "give 1.1 or 2",
    test: like(({ connection }) => [connection?.httpVersion.slice("HTTP/".length)]),
  },
  {
    key: "sort",
    meaning:
      "The order: `time`, `took`, `size` (largest first), `status`, `method`, `path`, `client`, `http`. `-sort:` reverses it.",
    example: "sort:took",
    values: sortings,
    form: oneOf(sortings),
    give: `give one of ${sortings.join(", ")}`,
    test: () => () => true,
  },
  {
    key: "from",
    meaning: "At or after this instant, on the machine's clock.",
    example: "from:2027-01-31T12:00:00Z",
    values: [],
    form: instantForm,
    give: giveInstant,
    test: (value) => {
      const instant = Date.parse(value.toUpperCase());
      return (entry) => instantOf(entry) >= instant;
    },
  },
  {
    key: "to",
    meaning: "Before this instant, on the machine's clock.",
    example: "to:2027-02-01",
    values: [],
    form: instantForm,
    give: giveInstant,
    test: (value) => {
      const instant = Date.parse(value.toUpperCase());
      return (entry) => instantOf(entry) < instant;
    },
  },
] as const satisfies readonly QueryKeyFacts[];

export type QueryKey = (typeof queryKeys)[number]["key"];

/** The time of an entry, in milliseconds since the epoch on the machine's clock. */
export function instantOf(entry: AnyEntry): number {
  return isRequest(entry) ? entry.item.receivedAt : entry.item.at;
}

/**
 * Tests the headers of a request and its answer, without secrets.
 * @param value a name, or name and value with `=`; in lower case
 */
function headerTest(value: string, isQuoted: boolean): EntryTest {
  const equals = value.indexOf("=");
  const name = equals < 0 ? value : value.slice(0, equals);
  const matches = equals < 0 ? () => true : likeness(value.slice(equals + 1), isQuoted);
  return ofRequest(({ rawHeaders, headersOfAnswer }, read) => {
    const all = [...rawHeaders, ...headersOfAnswer];
    // Redacting takes longer than all the rest.
    const chosen = all.flatMap((text, index) => {
      const isName = index % 2 === 0 && text.toLowerCase() === name;
      return isName ? [text, all[index + 1] ?? ""] : [];
    });
    return read.redactHeaders(chosen).some(([, text]) => matches(text.toLowerCase()));
  });
}

function oneOf(values: readonly string[]): RegExp {
  return new RegExp(`^(${values.map((value) => value.replaceAll("*", "\\*")).join("|")})$`, "i");
}

function isInstant(value: string): boolean {
  const day = value.slice(0, 10);
  const midnight = Date.parse(day);
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  return exists && !Number.isNaN(Date.parse(value));
}
