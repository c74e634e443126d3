import { pagesOf, type ReadList } from "../exam/answers/deliveries.js";
import { parseQueryParameters } from "../sandbox/api/parameters.js";
import { splitTarget } from "../sandbox/api/path.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { redactTarget } from "../sandbox/journal/redact.js";
import type { JournalEntry } from "../sandbox/journal/ring-buffer.js";

/** A request of a run, without what differs from run to run: its client, its cursor, the size of its page. */
export interface SeenRequest {
  /** Of the exchange in the journal. */
  readonly number: number;
  readonly operation: string;
  readonly list: string | undefined;
  /** Method, path and the names of parameters. */
  readonly kind: string;
  /** The values of the parameters; of a date, an instant, a UUID or a number only that it is one. */
  readonly values: string;
  /** `page 2` of a walk, or nothing. */
  readonly part: string;
  /** What its client got whole: the right answer, or a refusal such as `400 INVALID_PAGE_SIZE`; undefined if neither. */
  readonly got: "page" | "answer" | `${number} ${string}` | undefined;
  /** Whether it is the last page of a walk. */
  readonly isEnd: boolean;
  /** The token, which requests of one worker have in common. */
  readonly token: string | undefined;
  readonly connection: number | undefined;
  /** When it was received and when it was answered, in milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
}

/** Refusals that a suite may ask for, because no repetition of the request changes them. What passes is none. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * The requests of a run.
 * @param entries of the journal, oldest first
 * @param isReal whether an answer is not one that a fault has made
 */
export function requestsIn(
  entries: readonly JournalEntry<Exchange>[],
  lists: readonly ReadList[],
  isReal: (exchange: Exchange) => boolean = () => true,
): readonly SeenRequest[] {
  const pages = new Map(
    lists.flatMap((list) => pagesOf(list, entries).pages.map((page) => [page.number, page] as const)),
  );
  /** The number of the page that a cursor leads to. */
  const places = new Map<string, number>();
  return entries.map(({ number, item }) => {
    const { operation = "", list, token, receivedAt, duration, page: answered } = item;
    const { kind, values, cursor } = requestOf(item, lists);
    const place = cursor === undefined ? 1 : places.get(cursor);
    const page = pages.get(number);
    const next = page?.next ?? answered?.cursor;
    if (next !== undefined && place !== undefined && !places.has(next)) places.set(next, place + 1);
    return {
      number,
      operation,
      list,
      kind,
      values,
      part: list === undefined ? "" : `page ${place ?? "?"}`,
      got: isReal(item) ? gotOf(item, page !== undefined) : undefined,
      isEnd: page !== undefined && page.next === undefined,
      token: token?.id,
      connection: item.connection?.id,
      from: receivedAt,
      until: receivedAt + duration,
    };
  });
}

function gotOf({ delivered, status, code, list, method }: Exchange, isPage: boolean): SeenRequest["got"] {
  if (delivered !== true) return undefined;
  const isGood = (status >= 200 && status < 300) || code === "EXAMPLE_ERROR";
  if (isGood) return list === undefined || method === "HEAD" ? "answer" : isPage ? "page" : undefined;
  return status >= 400 && status < 500 && !passing.has(status) ? `${status} ${code ?? ""}` : undefined;
}

function requestOf({ method, target, list: name }: Exchange, lists: readonly ReadList[]) {
  const { path, query } = splitTarget(target);
  const own = lists.find((list) => list.name === name)?.parameters;
  const parameters = parseQueryParameters(query);
  const others = [...parameters].filter(([each]) => each !== own?.cursor && each !== own?.pageSize).sort();
  const segments = path.split("/").map((segment) => (isNumberOrUuid(segment) ? kindOfValue(segment) : segment));
  const names = others.map(([each]) => each);
  const [cursor] = (own && parameters.get(own.cursor)) ?? [];
  return {
    kind: `${method} ${redactTarget(segments.join("/"))}${names.length > 0 ? ` (${names.join(", ")})` : ""}`,
    values: JSON.stringify(others.map(([, values]) => values.map((value) => value && kindOfValue(value)))),
    cursor: cursor ?? undefined,
  };
}

const number = /^[+-]?\d+(?:\.\d+)?$/;
const uuid = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;

function isNumberOrUuid(text: string): boolean {
  return number.test(text) || uuid.test(text);
}

/** A value that may be a new one in each run, as its kind. */
function kindOfValue(text: string): string {
  if (uuid.test(text)) return "a UUID";
  if (number.test(text)) return "a number";
  if (/\d/.test(text) && !Number.isNaN(Date.parse(text))) return "a date";
  return text.replaceAll(/\d+/g, "#");
}
