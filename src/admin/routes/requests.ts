import * as z from "zod";
import type { Exchange } from "../../journal/exchange.js";
import type { JournalEntry, RingBuffer } from "../../journal/ring-buffer.js";
import { detailOf, handshakeView, summaryOf } from "../../journal/view.js";
import { pageOf } from "../common-schemas.js";
import { AdminError } from "../error.js";
import {
  exchangeDetailSchema,
  exchangeSchema,
  handshakePageQuery,
  handshakeSchema,
  requestCountQuery,
  requestPageQuery,
} from "../journal-schemas.js";
import { type Route, route } from "../route.js";
import { eventStream } from "../stream.js";

type Filters = z.output<typeof requestCountQuery>;

export const requestRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/requests",
    summary: "What reached the API, newest first",
    query: requestPageQuery,
    answer: { status: 200, description: "A page.", schema: pageOf(exchangeSchema) },
    readsJournal: true,
    handle: ({ query }, { journal, explanations }) =>
      pageFrom(journal.requests, query, matcherOf(query), (entry) => summaryOf(entry, explanations)),
  }),
  route({
    method: "GET",
    path: "/requests/count",
    summary: "How many exchanges match, for assertions",
    query: requestCountQuery,
    answer: { status: 200, description: "The number.", schema: z.object({ count: z.int() }) },
    readsJournal: true,
    handle: ({ query }, { journal }) => {
      const chosen = matcherOf(query);
      let count = 0;
      for (const { item } of journal.requests.newestFirst()) if (chosen(item)) count += 1;
      return { count };
    },
  }),
  route({
    method: "GET",
    path: "/requests/stream",
    summary: "Exchanges and failed handshakes as they happen (Server-Sent Events)",
    description: "Events `request` and `handshake`; their data are items of `GET /requests` and `GET /handshakes`.",
    query: requestCountQuery,
    answer: { status: 200, description: "The stream.", contentType: "text/event-stream" },
    readsJournal: true,
    handle: ({ query, signal }, context) =>
      new Response(eventStream(context, matcherOf(query), signal), {
        headers: { "Content-Type": "text/event-stream; charset=utf-8" },
      }),
  }),
  route({
    method: "GET",
    path: "/requests/{id}",
    summary: "One exchange, with everything that is known about it",
    params: z.object({ id: z.string().regex(/^\d{1,15}$/, "give the id of an exchange") }),
    answer: { status: 200, description: "The exchange.", schema: exchangeDetailSchema },
    errors: ["NOT_FOUND"],
    readsJournal: true,
    handle: ({ params }, { journal, explanations }) => {
      const entry = journal.requests.get(Number(params.id));
      if (!entry) throw new AdminError("NOT_FOUND", `The exchange ${params.id} is not (or no longer) in the journal.`);
      return detailOf(entry, explanations);
    },
  }),
  route({
    method: "DELETE",
    path: "/requests",
    summary: "Empty the journal, or remove what matches",
    query: requestCountQuery,
    description:
      "When the whole journal is emptied, or everything of one client is removed, the report starts again as well.",
    answer: { status: 204, description: "Done." },
    changes: true,
    readsJournal: true,
    handle: ({ query }, { journal, exam }) => {
      journal.requests.remove(matcherOf(query));
      const { client, ...others } = query;
      if (Object.keys(query).length === 0) journal.handshakes.remove();
      if (Object.keys(others).length === 0) exam?.reset(client);
    },
  }),
  route({
    method: "GET",
    path: "/handshakes",
    summary: "Failed handshakes, and connections that were closed without a request, newest first",
    query: handshakePageQuery,
    answer: { status: 200, description: "A page.", schema: pageOf(handshakeSchema) },
    readsJournal: true,
    handle: ({ query }, { journal }) => pageFrom(journal.handshakes, query, () => true, handshakeView),
  }),
];

/** Whether an exchange is one of those asked for. */
function matcherOf({ client, operation, list, status, code, since }: Filters): (exchange: Exchange) => boolean {
  const from = since === undefined ? undefined : Date.parse(since);
  const statusClass = status?.endsWith("xx") ? Number(status[0]) : undefined;
  return (exchange) =>
    (client === undefined || (exchange.token?.clientId ?? exchange.client?.id) === client) &&
    (operation === undefined || exchange.operation === operation) &&
    (list === undefined || exchange.list === list) &&
    (status === undefined ||
      (statusClass === undefined
        ? exchange.status === Number(status)
        : Math.floor(exchange.status / 100) === statusClass)) &&
    (code === undefined || exchange.code === code) &&
    (from === undefined || exchange.now >= from);
}

const usualPageSize = 100;

/** A page of a ring; the cursor is the number of the last entry that was looked at. */
function pageFrom<T>(
  ring: RingBuffer<T>,
  { pageSize, cursor }: { pageSize?: string | undefined; cursor?: string | undefined },
  chosen: (item: T) => boolean,
  view: (entry: JournalEntry<T>) => unknown,
) {
  const size = pageSize === undefined ? usualPageSize : Number(pageSize);
  const items: unknown[] = [];
  let last = 0;
  for (const entry of ring.newestFirst(cursor === undefined ? undefined : Number(cursor))) {
    if (!chosen(entry.item)) continue;
    if (items.length === size) return { items, nextCursor: String(last) };
    items.push(view(entry));
    last = entry.number;
  }
  return { items };
}
