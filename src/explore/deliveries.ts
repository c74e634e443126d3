import { deliveriesOf, type ReadList } from "../exam/answers/deliveries.js";
import { parseQueryParameters } from "../sandbox/api/parameters.js";
import { splitTarget } from "../sandbox/api/path.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { JournalEntry } from "../sandbox/journal/ring-buffer.js";

/**
 * What a client got whole in one run, and how often: good answers by request, and walks that came to their ends by path
 * and filters. The client is left out: a command may make a new one in each run.
 */
export type Deliveries = ReadonlyMap<string, number>;

/** @param entries of the journal, oldest first */
export function deliveriesIn(entries: readonly JournalEntry<Exchange>[], lists: readonly ReadList[]): Deliveries {
  const found = new Map<string, number>();
  const add = (key: string, count = 1) => found.set(key, (found.get(key) ?? 0) + count);
  for (const { item } of entries) if (item.list === undefined && isGood(item)) add(deliveryKey(item, lists));
  for (const list of lists) {
    const walks = deliveriesOf(list, entries).finished;
    const byNumber = new Map(entries.map(({ number, item }) => [number, item]));
    // A last page that was read again, because its client gave it up, does not end another walk.
    const ends = new Map(walks.map(({ pages }) => [lastCursor(byNumber.get(pages.at(-1) ?? 0), list), pages[0] ?? 0]));
    for (const first of ends.values()) {
      const exchange = byNumber.get(first);
      if (exchange !== undefined) add(deliveryKey(exchange, lists));
    }
  }
  return found;
}

/** The same for all requests that ask for the same: of a list, for all pages of walks with the same filters. */
export function deliveryKey(exchange: Exchange, lists: readonly ReadList[]): string {
  const { path, query } = splitTarget(exchange.target);
  const { cursor, pageSize } = lists.find(({ name }) => name === exchange.list)?.parameters ?? {};
  const others = [...parseQueryParameters(query)].filter(([name]) => name !== cursor && name !== pageSize).sort();
  return `${exchange.method} ${path} ${JSON.stringify(others)}`;
}

/** The same for requests that differ in parameters only, such as a date that is new in each run. */
function kindOfDelivery(key: string): string {
  return key.split(" ", 2).join(" ");
}

/**
 * How many deliveries of a request are missing.
 * @param references of runs without a fault: the smaller number counts
 */
export function missing(key: string, got: Deliveries, references: readonly Deliveries[]): number {
  const isKnown = references.every((reference) => reference.has(key));
  const count = (deliveries: Deliveries) => {
    if (isKnown) return deliveries.get(key) ?? 0;
    const kind = kindOfDelivery(key);
    return [...deliveries].reduce((sum, [each, times]) => sum + (kindOfDelivery(each) === kind ? times : 0), 0);
  };
  return Math.max(0, Math.min(...references.map(count)) - count(got));
}

/** Whether everything was delivered that the references got. */
export function isWhole(got: Deliveries, references: readonly Deliveries[]): boolean {
  const keys = new Set(references.flatMap((reference) => [...reference.keys()]));
  return [...keys].every((key) => missing(key, got, references) === 0);
}

function isGood({ delivered, status, code }: Exchange): boolean {
  return delivered === true && ((status >= 200 && status < 300) || code === "EXAMPLE_ERROR");
}

function lastCursor(exchange: Exchange | undefined, { parameters }: ReadList): string {
  if (exchange === undefined) return "";
  const [cursor] = parseQueryParameters(splitTarget(exchange.target).query).get(parameters.cursor) ?? [];
  // Walks of one page have no cursor: each is a walk.
  return cursor ?? `${exchange.receivedAt} ${exchange.connection?.id}`;
}
