import * as z from "zod";
import { thousands } from "../../base/text/numbers.js";
import { connectionEnds } from "../../sandbox/connection/connection-facts.js";
import { http2ErrorCodes } from "../../sandbox/connection/http2-error.js";
import { isErrorCode } from "../../sandbox/errors.js";
import { clientNamed } from "../../sandbox/journal/claimed-clients.js";
import { type AnyEntry, isRequest } from "../../sandbox/journal/entry.js";
import { type Exchange, longestBody } from "../../sandbox/journal/exchange.js";
import { outcomeOf } from "../../sandbox/journal/exchange-facts.js";
import type { Journal } from "../../sandbox/journal/journal.js";
import { sorted } from "../../sandbox/journal/match-query.js";
import { isNewestFirst } from "../../sandbox/journal/query.js";
import type { JournalEntry, RingBuffer } from "../../sandbox/journal/ring-buffer.js";
import { detailOf, handshakeView, summaryOf, walkOf } from "../../sandbox/journal/view.js";
import { nullableText, pageOf } from "../common-schemas.js";
import { AdminError } from "../error.js";
import { chosenBy, chosenInTurns, orderIn } from "../journal-choice.js";
import { handshakePageQuery, requestCountQuery, waitingPageQuery } from "../journal-queries.js";
import { exchangeSchema, handshakeSchema, httpVersion, serverCertificate } from "../journal-schemas.js";
import { requestStream } from "../journal-stream.js";
import { readPage, sortedPage } from "../page.js";
import { route } from "../route.js";
import { waitForMatch } from "../waiting.js";

export const ofExchange = z.object({ id: z.string().regex(/^\d{1,15}$/, "give the id of an exchange") });

const pairs = z.array(z.tuple([z.string(), z.string()]));

export const requestRoutes = [
  route({
    method: "GET",
    path: "/requests",
    summary: "What reached the API",
    query: waitingPageQuery,
    answer: { status: 200, description: "A page.", schema: pageOf(exchangeSchema) },
    errors: ["NOTHING_MATCHED", "TOO_MANY_STREAMS"],
    readsJournal: true,
    handle: async ({ query: { wait, ...query }, signal }, context) => {
      const { journal, explanations } = context;
      if (wait !== undefined) await waitForMatch(chosenBy(query, explanations), query, context, wait, signal);
      const chosen = await chosenInTurns(query, journal, explanations, signal);
      const view = (entry: JournalEntry<Exchange>) => summaryOf(entry, explanations);
      const listOrder = orderIn(query.q);
      if (isNewestFirst(listOrder)) return pageFrom(journal.requests, query, chosen, view);
      return sortedPage(sorted(journal.requests.newestFirst(), chosen, listOrder), query, view);
    },
  }),
  route({
    method: "GET",
    path: "/requests/count",
    summary: "How many exchanges match",
    query: requestCountQuery,
    answer: { status: 200, description: "The number.", schema: z.object({ count: z.int() }) },
    readsJournal: true,
    handle: async ({ query, signal }, { journal, explanations }) => {
      const chosen = await chosenInTurns(query, journal, explanations, signal);
      let count = 0;
      for (const entry of journal.requests.newestFirst()) if (chosen(entry)) count += 1;
      return { count };
    },
  }),
  route({
    method: "GET",
    path: "/requests/stream",
    summary: "Exchanges and handshakes as they happen (Server-Sent Events)",
    description: "Events `request` and `handshake`, as in `GET /requests` and `GET /handshakes`.",
    query: requestCountQuery,
    answer: { status: 200, description: "The stream.", contentType: "text/event-stream" },
    errors: ["TOO_MANY_STREAMS"],
    readsJournal: true,
    handle: ({ query, signal }, context) => requestStream(context, query, signal),
  }),
  route({
    method: "GET",
    path: "/requests/{id}",
    summary: "Everything about one exchange",
    params: ofExchange,
    answer: {
      status: 200,
      description: "The exchange.",
      schema: exchangeSchema
        .extend({
          peer: z
            .object({
              subject: z.string(),
              issuer: z.string(),
              serialNumber: z.string(),
              thumbprint: z.string(),
              notBefore: nullableText,
              notAfter: nullableText,
              chain: z.enum(["trusted", "untrusted"]),
              chainReason: z.string(),
              identity: nullableText,
            })
            .nullable()
            .describe("The client's certificate."),
          registered: z.object({ client: z.string(), thumbprints: z.array(z.string()) }).nullable(),
          token: z
            .object({
              issuedTo: z.string(),
              scope: z.string(),
              thumbprint: z.string(),
              issuedAt: nullableText,
              expiresAt: nullableText,
              id: z.string(),
            })
            .nullable(),
          connection: z
            .object({
              id: z.int(),
              remoteAddress: z.string(),
              remotePort: z.int(),
              serverName: z.string().optional(),
              protocol: z.string(),
              cipher: z.string(),
              httpVersion,
              serverCertificate,
              end: z
                .enum(connectionEnds)
                .nullable()
                .describe("Who closed or reset it first. A GOAWAY of the client counts as `client-closed`."),
              goaway: z
                .object({ code: z.enum(http2ErrorCodes), lastStream: z.int() })
                .nullable()
                .describe(
                  "The first GOAWAY that the sandbox sent on purpose. One of the client gets none in response if no answer is owed.",
                ),
            })
            .nullable(),
          trace: z
            .object({
              id: z.string(),
              parent: z.string().describe("The client's span."),
              sampled: z.boolean().describe("Whether the client may have recorded it."),
            })
            .nullable()
            .describe("Of the header `traceparent`."),
          request: z.object({
            line: z.string(),
            headers: pairs.describe("As they were sent, without tokens."),
            form: z.array(z.object({ name: z.string(), values: z.array(nullableText) })).nullable(),
          }),
          decisions: z.array(
            z.object({
              step: z.string(),
              section: nullableText.describe("The section that requires the check."),
              checks: z.string(),
              outcome: z.enum(["passed", "refused", "not reached"]),
              restsOn: z.array(z.string()).describe("Sections and assumptions."),
              basis: z.string().optional().describe("The one that the refusal is based on."),
            }),
          ),
          basis: nullableText,
          answer: z.object({
            status: z.int(),
            headers: pairs,
            body: nullableText.describe(
              `As it was made, even if not sent; null also if longer than ${thousands(longestBody)} characters.`,
            ),
            length: z.int().describe("Bytes of the whole body."),
            sent: z
              .int()
              .nullable()
              .describe("Bytes that were passed to the network; null also if the client went away."),
            reset: z
              .enum(http2ErrorCodes)
              .nullable()
              .describe("The code of the RST_STREAM, from either side, that ended the answer."),
          }),
          errorPage: nullableText,
          lastGood: nullableText.describe(
            "An exchange to compare it with: the nearest earlier one of the same client, operation and list that succeeded, if possible of the same walk or target; else the first later one.",
          ),
        })
        .meta({ id: "ExchangeDetail" }),
    },
    errors: ["NOT_FOUND"],
    readsJournal: true,
    handle: ({ params }, { journal, explanations }) => {
      const entry = exchangeOf(params.id, journal);
      return {
        ...detailOf(entry, explanations),
        errorPage: errorPageOf(entry.item.code),
        lastGood: lastGoodOf(entry, journal),
      };
    },
  }),
  route({
    method: "DELETE",
    path: "/requests",
    summary: "Empty the journal, or remove what matches",
    query: requestCountQuery,
    description: "Without a parameter, or with `client` alone, the report starts again, too.",
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
  }),
  route({
    method: "GET",
    path: "/handshakes",
    summary: "Failed handshakes, and connections that were closed without a request",
    query: handshakePageQuery,
    answer: { status: 200, description: "A page.", schema: pageOf(handshakeSchema) },
    readsJournal: true,
    handle: ({ query }, { journal }) => pageFrom(journal.handshakes, query, () => true, handshakeView),
  }),
];

/** @throws AdminError when the exchange is not in the journal */
export function exchangeOf(id: string, { requests }: Journal): JournalEntry<Exchange> {
  const entry = requests.get(Number(id));
  if (!entry) throw new AdminError("NOT_FOUND", `The exchange ${id} is not (or no longer) in the journal.`);
  return entry;
}

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

/** Where the admin port explains an error code. A scenario can answer with a code that is not in the table. */
function errorPageOf(code: string | undefined): string | null {
  return code !== undefined && isErrorCode(code) ? `/errors/${code}` : null;
}

/**
 * The id of the exchange to compare another one with: one that succeeded, of the same client, operation and list. Of
 * the earlier ones, it is the nearest of the same walk, else the nearest with the same target, else the nearest. If
 * none is earlier, it is the first one that follows.
 */
function lastGoodOf({ item: exchange, number }: JournalEntry<Exchange>, { requests }: Journal): string | null {
  const { operation, list } = exchange;
  const client = clientNamed(exchange);
  if (operation === undefined || client === undefined) return null;
  let sameTarget: number | undefined;
  let earlier: number | undefined;
  let later: number | undefined;
  for (const { item, number: other } of requests.newestFirst()) {
    const isLike = item.operation === operation && item.list === list && other !== number;
    const isGood = outcomeOf(item) === "success" && item.delivered !== false;
    if (!isLike || !isGood || clientNamed(item) !== client) continue;
    if (other > number) later = other;
    else if (isSameWalk(item, exchange)) return String(other);
    else {
      earlier ??= other;
      if (item.target === exchange.target) sameTarget ??= other;
    }
  }
  const found = sameTarget ?? earlier ?? later;
  return found === undefined ? null : String(found);
}

function isSameWalk({ listQuery: one }: Exchange, { listQuery: other }: Exchange): boolean {
  return one !== undefined && one.begunAt === other?.begunAt && walkOf(one) === walkOf(other);
}
