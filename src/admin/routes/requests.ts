import * as z from "zod";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import { type AnyEntry, isRequest, type Journal } from "../../sandbox/journal/journal.js";
import { sorted } from "../../sandbox/journal/match-query.js";
import type { JournalEntry, RingBuffer } from "../../sandbox/journal/ring-buffer.js";
import { handshakeView, summaryOf } from "../../sandbox/journal/view.js";
import { pageOf } from "../common-schemas.js";
import { chosenBy, chosenInTurns, sortingIn } from "../journal-choice.js";
import { handshakePageQuery, requestCountQuery, requestPageQuery } from "../journal-queries.js";
import { exchangeSchema, handshakeSchema } from "../journal-schemas.js";
import { requestStream } from "../journal-stream.js";
import { readPage, sortedPage } from "../page.js";
import { route } from "../route.js";

export const listRequests = route({
  method: "GET",
  path: "/requests",
  summary: "What reached the API, newest first",
  query: requestPageQuery,
  answer: { status: 200, description: "A page.", schema: pageOf(exchangeSchema) },
  readsJournal: true,
  handle: async ({ query, signal }, { journal, explanations }) => {
    const chosen = await chosenInTurns(query, journal, explanations, signal);
    const view = (entry: JournalEntry<Exchange>) => summaryOf(entry, explanations);
    const sorting = sortingIn(query.q);
    if (sorting === "time") return pageFrom(journal.requests, query, chosen, view);
    return sortedPage(sorted(journal.requests.newestFirst(), chosen, sorting), query, view);
  },
});

export const countRequests = route({
  method: "GET",
  path: "/requests/count",
  summary: "How many exchanges match, for assertions",
  query: requestCountQuery,
  answer: { status: 200, description: "The number.", schema: z.object({ count: z.int() }) },
  readsJournal: true,
  handle: async ({ query, signal }, { journal, explanations }) => {
    const chosen = await chosenInTurns(query, journal, explanations, signal);
    let count = 0;
    for (const entry of journal.requests.newestFirst()) if (chosen(entry)) count += 1;
    return { count };
  },
});

export const streamRequests = route({
  method: "GET",
  path: "/requests/stream",
  summary: "Exchanges and failed handshakes as they happen (Server-Sent Events)",
  description: "Events `request` and `handshake`; their data are items of `GET /requests` and `GET /handshakes`.",
  query: requestCountQuery,
  answer: { status: 200, description: "The stream.", contentType: "text/event-stream" },
  errors: ["TOO_MANY_STREAMS"],
  readsJournal: true,
  handle: ({ query, signal }, context) => requestStream(context, query, signal),
});

export const clearRequests = route({
  method: "DELETE",
  path: "/requests",
  summary: "Empty the journal, or remove what matches",
  query: requestCountQuery,
  description:
    "When the whole journal is emptied, or everything of one client is removed, the report starts again as well.",
  answer: { status: 204, description: "Done." },
  readsJournal: true,
  prepare: async ({ query, signal }, { journal, explanations }) =>
    query.q === undefined ? undefined : numbersOf(journal, await chosenInTurns(query, journal, explanations, signal)),
  changes: ({ query }) => ({ client: query.client }),
  handle: ({ query, prepared }, { removeEntries, exam, explanations }) => {
    const isWhole = Object.keys(query).length === 0;
    removeEntries(isWhole ? undefined : prepared ? isOneOf(prepared) : chosenBy(query, explanations));
    const { client, ...others } = query;
    if (Object.keys(others).length === 0) exam?.reset(client);
  },
});

export const listHandshakes = route({
  method: "GET",
  path: "/handshakes",
  summary: "Failed handshakes, and connections that were closed without a request, newest first",
  query: handshakePageQuery,
  answer: { status: 200, description: "A page.", schema: pageOf(handshakeSchema) },
  readsJournal: true,
  handle: ({ query }, { journal }) => pageFrom(journal.handshakes, query, () => true, handshakeView),
});

/** Entries as plain data. Exchanges and handshakes are numbered separately. */
interface Numbers {
  readonly requests: readonly number[];
  readonly handshakes: readonly number[];
}

function numbersOf(journal: Journal, chosen: (entry: AnyEntry) => boolean): Numbers {
  const numbers = (ring: Iterable<AnyEntry>) => [...ring].filter(chosen).map(({ number }) => number);
  return { requests: numbers(journal.requests.newestFirst()), handshakes: numbers(journal.handshakes.newestFirst()) };
}

function isOneOf({ requests, handshakes }: Numbers): (entry: AnyEntry) => boolean {
  const chosen = { requests: new Set(requests), handshakes: new Set(handshakes) };
  return (entry) => chosen[isRequest(entry) ? "requests" : "handshakes"].has(entry.number);
}

/** A page of a ring. */
function pageFrom<T>(
  ring: RingBuffer<T>,
  { pageSize, cursor }: z.output<typeof handshakePageQuery>,
  chosen: (entry: JournalEntry<T>) => boolean,
  view: (entry: JournalEntry<T>) => unknown,
) {
  return readPage(ring.newestFirst(cursor), pageSize, chosen, view, ({ number }) => number);
}
