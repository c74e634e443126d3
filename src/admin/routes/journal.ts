import * as z from "zod";
import { clientIdOf } from "../../sandbox/journal/claimed-clients.js";
import { type AnyEntry, isRequest } from "../../sandbox/journal/entry.js";
import { countEntries, sorted } from "../../sandbox/journal/match-query.js";
import { overviewOf } from "../../sandbox/journal/overview.js";
import { isNewestFirst } from "../../sandbox/journal/query.js";
import { itemOf } from "../../sandbox/journal/view.js";
import { operationNames } from "../../sandbox/operations.js";
import { instant, nullableText, wholeNumber } from "../common-schemas.js";
import { matcherInTurns, orderIn, queryMatcher } from "../journal-choice.js";
import { exportOf } from "../journal-export.js";
import { q, requestPageQuery } from "../journal-queries.js";
import { exchangeSchema, handshakeSchema } from "../journal-schemas.js";
import { journalStream } from "../journal-stream.js";
import { readPage, sortedPage } from "../page.js";
import { route } from "../route.js";

const after = wholeNumber(/^\d{1,15}$/, "give the order of an entry")
  .describe("Only entries after this `order`.")
  .optional();

/** The position of an item in the whole journal. */
const place = {
  key: z.string().describe("`r` or `h`, and the id: `r12`. Unique in one run."),
  order: z.int().describe("Its position among all entries: larger for newer ones."),
};

const journalItemSchema = z.union([
  exchangeSchema.extend({ kind: z.enum(["request"]), ...place }).meta({ id: "ExchangeItem" }),
  handshakeSchema.extend({ kind: z.enum(["handshake"]), ...place }).meta({ id: "HandshakeItem" }),
]);

const count = z.int();

const counts = z
  .object({ all: count, success: count, refused: count, injected: count, handshake: count })
  .describe("How many match, by outcome; terms of `q` that select an outcome are ignored.");

const idList = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15}){0,999}$/, "give up to 1000 ids, separated by commas")
  .transform((ids) => ids.split(","))
  .describe("At most 1000 ids, separated by commas.")
  .optional();

const usualBuckets = 60;

export const journalRoutes = [
  route({
    method: "GET",
    path: "/journal",
    summary: "Exchanges and handshakes together, with counts over the whole journal",
    query: requestPageQuery.pick({ q: true, pageSize: true, cursor: true }).extend({ after }),
    answer: {
      status: 200,
      description: "A page.",
      schema: z
        .object({
          run: z.string().describe("Identifies this start of the sandbox."),
          kept: count.describe("How many entries there are, whether they match or not."),
          total: count.describe("How many match."),
          counts,
          items: z.array(journalItemSchema),
          nextCursor: z.string().optional(),
        })
        .meta({ id: "JournalPage" }),
    },
    readsJournal: true,
    handle: async ({ query: { q, pageSize, cursor, after }, signal }, { journal, explanations }) => {
      const matcher = await matcherInTurns(q, journal, explanations, signal);
      const view = (entry: AnyEntry) => itemOf(entry, explanations);
      const listOrder = orderIn(q);
      const page = isNewestFirst(listOrder)
        ? readPage(journal.newestFirst(cursor, after), pageSize, matcher.matches, view, ({ order }) => order)
        : sortedPage(
            sorted(journal.newestFirst(undefined, after), matcher.matches, listOrder),
            { pageSize, cursor },
            view,
          );
      return { run: journal.run, ...countEntries(journal.newestFirst(undefined, after), matcher), ...page };
    },
  }),
  route({
    method: "GET",
    path: "/journal/overview",
    summary: "Requests and failures over time, the most frequent refusals, and the clients",
    description: "Without `from`, groups and clients cover everything before `to`.",
    query: z.strictObject({
      q,
      from: instant.describe("On the machine's clock.").optional(),
      to: instant.describe("On the machine's clock. Default: now.").optional(),
      after,
      span: z
        .enum(["recent", "matches"])
        .describe(
          "What the buckets cover without `from`: `recent` (default), the last five minutes; `matches`, from the oldest to the newest match, at least a minute.",
        )
        .optional(),
      buckets: wholeNumber(/^([1-9]|[1-9]\d|[12]\d\d|300)$/, "give a number from 1 to 300")
        .describe("1 to 300. Default: 60.")
        .optional(),
    }),
    answer: {
      status: 200,
      description: "The overview.",
      schema: z
        .object({
          from: z.string(),
          to: z.string(),
          buckets: z
            .array(
              z.object({
                at: z.string().describe("When it begins."),
                requests: count,
                failures: count.describe("Those of them that were answered with 4xx or 5xx, or not at all."),
                handshakes: count,
              }),
            )
            .describe("Intervals of equal length from `from` to `to`."),
          groups: z
            .array(
              z.object({
                kind: z.enum(["request", "handshake"]),
                code: nullableText.describe("The error code, or the cause of a handshake."),
                operation: z.enum(operationNames).nullable(),
                list: nullableText,
                method: nullableText,
                path: nullableText.describe("The path of the operation, with parameters in braces."),
                count,
                clients: z.array(z.string()).describe("Whose requests they are: at most five."),
                newest: z.string().describe("The time of the newest one, on the machine's clock."),
                q: z.string().describe("The query that selects them."),
              }),
            )
            .describe("Refusals and handshakes of one kind, the most frequent first; at most 50."),
          clients: z
            .array(
              z.object({
                client: z.string(),
                requests: count,
                refusals: count,
                lastSeen: z.string().describe("On the machine's clock."),
                replicas: z
                  .array(z.string())
                  .describe("Those of several sandboxes with shared state that answered it: at most five."),
              }),
            )
            .describe("Clients, including those that were only claimed, the last seen first; at most 100."),
        })
        .meta({ id: "Overview" }),
    },
    readsJournal: true,
    handle: async (
      { query: { q, from, to, after, span, buckets = usualBuckets }, signal },
      { journal, explanations, machineClock, pathOf },
    ) => {
      const matcher = await matcherInTurns(q, journal, explanations, signal);
      const now = machineClock.now();
      return overviewOf(journal, matcher, {
        q,
        from,
        to,
        after,
        isOverMatches: span === "matches",
        buckets,
        now,
        pathOf,
      });
    },
  }),
  route({
    method: "GET",
    path: "/journal/missing",
    summary: "Which of these entries are not, or no longer, in the journal, and whose the others are",
    query: z.strictObject({ requests: idList, handshakes: idList }),
    answer: {
      status: 200,
      description: "The ids of the missing ones, and the clients of the others.",
      schema: z.object({
        requests: z.array(z.string()),
        handshakes: z.array(z.string()),
        clients: z
          .record(z.string(), z.string())
          .describe("By id: the clients of the requests that are there, as far as they are known."),
      }),
    },
    readsJournal: true,
    handle: ({ query: { requests = [], handshakes = [] } }, { journal }) => ({
      requests: requests.filter((id) => journal.requests.get(Number(id)) === undefined),
      handshakes: handshakes.filter((id) => journal.handshakes.get(Number(id)) === undefined),
      clients: Object.fromEntries(
        requests.flatMap((id) => {
          const found = journal.requests.get(Number(id));
          const client = found && clientIdOf(found.item);
          return client === undefined ? [] : [[id, client]];
        }),
      ),
    }),
  }),
  route({
    method: "GET",
    path: "/journal/stream",
    summary: "The journal as it grows (Server-Sent Events)",
    description:
      "Events: `hello` (`run`), `request` and `handshake` (items of `GET /journal`; a slow exchange again when its answer was sent), `counts` (at most twice a second), `cleared` (some entries, or all: `whole`), `missed` (`count` events, by a slow reader).",
    query: z.strictObject({ q }),
    answer: { status: 200, description: "The stream.", contentType: "text/event-stream" },
    errors: ["TOO_MANY_STREAMS"],
    readsJournal: true,
    handle: ({ query, signal }, context) => journalStream(context, query.q, signal),
  }),
  route({
    method: "GET",
    path: "/journal/export",
    summary: "The journal as a file",
    description: "Oldest first, without secrets.",
    query: z.strictObject({
      q,
      format: z
        .enum(["har", "ndjson"])
        .describe(
          "`har` (default): HAR 1.2, exchanges only. `ndjson`: a line for each entry, with what `GET /requests/{id}` adds.",
        )
        .optional(),
    }),
    answer: { status: 200, description: "The file.", contentType: ["application/json", "application/x-ndjson"] },
    readsJournal: true,
    handle: ({ query: { q, format = "har" }, signal }, context) => {
      const { matches } = queryMatcher(q, context.explanations);
      return exportOf(format, context, (entry) => (format === "ndjson" || isRequest(entry)) && matches(entry), signal);
    },
  }),
];
