import { type AnyEntry, isRequest } from "../../sandbox/journal/journal.js";
import { countEntries, sorted } from "../../sandbox/journal/match-query.js";
import { overviewOf } from "../../sandbox/journal/overview.js";
import { itemOf } from "../../sandbox/journal/view.js";
import { matcherInTurns, queryMatcher, sortingIn } from "../journal-choice.js";
import { exportOf } from "../journal-export.js";
import { exportQuery, journalPageQuery, journalQuery, missingQuery, overviewQuery } from "../journal-queries.js";
import { journalPageSchema, missingSchema, overviewSchema } from "../journal-schemas.js";
import { journalStream } from "../journal-stream.js";
import { readPage, sortedPage } from "../page.js";
import { type Route, route } from "../route.js";

const usualBuckets = 60;

export const journalRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/journal",
    summary: "Exchanges and handshakes together, newest first, with counts over the whole journal",
    query: journalPageQuery,
    answer: { status: 200, description: "A page.", schema: journalPageSchema },
    readsJournal: true,
    handle: async ({ query: { q, pageSize, cursor, after }, signal }, { journal, explanations }) => {
      const matcher = await matcherInTurns(q, journal, explanations, signal);
      const view = (entry: AnyEntry) => itemOf(entry, explanations);
      const sorting = sortingIn(q);
      const page =
        sorting === "time"
          ? readPage(journal.newestFirst(cursor, after), pageSize, matcher.matches, view, ({ order }) => order)
          : sortedPage(
              sorted(journal.newestFirst(undefined, after), matcher.matches, sorting),
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
    description:
      "Without `from`, the buckets cover the last five minutes, or what matches (`span`); groups and clients cover everything that is kept before `to`.",
    query: overviewQuery,
    answer: { status: 200, description: "The overview.", schema: overviewSchema },
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
    summary: "Which of some entries are not (or no longer) in the journal",
    description: "For the evidence of a report, which may be older than what the journal keeps.",
    query: missingQuery,
    answer: { status: 200, description: "The ids of the missing ones.", schema: missingSchema },
    readsJournal: true,
    handle: ({ query: { requests, handshakes } }, { journal }) => ({
      requests: (requests?.split(",") ?? []).filter((id) => journal.requests.get(Number(id)) === undefined),
      handshakes: (handshakes?.split(",") ?? []).filter((id) => journal.handshakes.get(Number(id)) === undefined),
    }),
  }),
  route({
    method: "GET",
    path: "/journal/stream",
    summary: "The journal as it grows (Server-Sent Events)",
    description:
      "First `hello` with `run`. Then `request` and `handshake`; their data are matching items of `GET /journal`. A slow exchange is sent again, with the same key, when its answer was sent. `counts` has `total` and `counts` as in `GET /journal`, at most twice a second. `cleared`: entries were removed, all (`whole`) or some. `missed`: how many events a slow reader has missed (`count`).",
    query: journalQuery,
    answer: { status: 200, description: "The stream.", contentType: "text/event-stream" },
    errors: ["TOO_MANY_STREAMS"],
    readsJournal: true,
    handle: ({ query, signal }, context) => journalStream(context, query.q, signal),
  }),
  route({
    method: "GET",
    path: "/journal/export",
    summary: "What matches, as a file: HAR 1.2 or NDJSON",
    description:
      "Oldest first, without secrets. HAR holds exchanges only. A line of NDJSON is an item of `GET /journal`; for exchanges, it includes what `GET /requests/{id}` adds.",
    query: exportQuery,
    answer: { status: 200, description: "The file.", contentType: ["application/json", "application/x-ndjson"] },
    readsJournal: true,
    handle: ({ query: { q, format = "har" }, signal }, context) => {
      const { matches } = queryMatcher(q, context.explanations);
      return exportOf(format, context, (entry) => (format === "ndjson" || isRequest(entry)) && matches(entry), signal);
    },
  }),
];
