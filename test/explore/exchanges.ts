import type { Exchange } from "../../src/sandbox/journal/exchange.js";
import type { JournalEntry } from "../../src/sandbox/journal/ring-buffer.js";

/** An entry of the journal: a request that was answered whole, with 200, unless something else is given. */
export function delivered(facts: Partial<Exchange>, number: number): JournalEntry<Exchange> {
  const item = {
    method: "GET",
    target: "/v1/ping",
    status: 200,
    delivered: true,
    receivedAt: number,
    duration: 1,
    ...facts,
  };
  return { number, item: item as Exchange } as JournalEntry<Exchange>;
}
