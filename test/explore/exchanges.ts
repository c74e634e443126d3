import type { ReadList } from "../../src/exam/answers/deliveries.js";
import { requestsIn, type SeenRequest } from "../../src/explore/seen.js";
import type { Exchange } from "../../src/sandbox/journal/exchange.js";
import type { JournalEntry } from "../../src/sandbox/journal/ring-buffer.js";
import { compileEnvelope } from "../../src/sandbox/lists/envelope.js";

/** An entry of the journal: a request that was answered whole, with 200, unless something else is given. */
export function delivered(facts: Partial<Exchange>, number: number): JournalEntry<Exchange> {
  const item = {
    method: "GET",
    target: "/v1/ping",
    operation: "ping",
    status: 200,
    delivered: true,
    receivedAt: 10 * number,
    duration: 1,
    ...facts,
  };
  return { number, item: item as Exchange } as JournalEntry<Exchange>;
}

export const payouts = {
  name: "payouts",
  parameters: { cursor: "cursor", pageSize: "pageSize" },
  envelope: compileEnvelope({}),
  fields: undefined,
} as unknown as ReadList;

/** A page of a walk: what asks for it, and the cursor of the next one. */
export function page(query: string, next?: string, facts: Partial<Exchange> = {}): Partial<Exchange> {
  const answerBody = JSON.stringify({ items: [{ id: query }], ...(next !== undefined && { nextCursor: next }) });
  return {
    list: "payouts",
    operation: "list",
    target: `/v1/payouts?${query}`,
    answerBody,
    ...facts,
  } as Partial<Exchange>;
}

/** A token request. */
export function token(facts: Partial<Exchange> = {}): Partial<Exchange> {
  return { method: "POST", target: "/oauth/v2/oauth-token", operation: "token", ...facts };
}

/** The requests of a run, 10 ms after each other. */
export function requests(...facts: readonly Partial<Exchange>[]): readonly SeenRequest[] {
  return requestsIn(
    facts.map((each, index) => delivered(each, index + 1)),
    [payouts],
  );
}
