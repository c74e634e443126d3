import * as z from "zod";
import { connectionEnds } from "../../sandbox/connection/connection-facts.js";
import { http2ErrorCodes } from "../../sandbox/connection/http2-error.js";
import { isErrorCode } from "../../sandbox/errors.js";
import { clientNamed } from "../../sandbox/journal/claimed-clients.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import { outcomeOf } from "../../sandbox/journal/exchange-facts.js";
import type { Journal } from "../../sandbox/journal/journal.js";
import type { JournalEntry } from "../../sandbox/journal/ring-buffer.js";
import { detailOf, walkOf } from "../../sandbox/journal/view.js";
import { nullableText } from "../common-schemas.js";
import { AdminError } from "../error.js";
import { exchangeSchema, serverCertificate } from "../journal-schemas.js";
import { route } from "../route.js";

export const ofExchange = z.object({ id: z.string().regex(/^\d{1,15}$/, "give the id of an exchange") });

const pairs = z.array(z.tuple([z.string(), z.string()]));

const exchangeDetailSchema = exchangeSchema
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
      .describe("The certificate of the connection; null if there was none."),
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
        httpVersion: z.enum(["HTTP/1.1", "HTTP/2"]),
        serverCertificate,
        end: z.enum(connectionEnds).nullable().describe("Who closed or reset it first; null as long as it is open."),
        goaway: z
          .object({ code: z.enum(http2ErrorCodes), lastStream: z.int() })
          .nullable()
          .describe("The first GOAWAY that the sandbox sent on purpose (RFC 9113 §6.8)."),
      })
      .nullable(),
    trace: z
      .object({
        id: z.string(),
        parent: z.string().describe("The span of the client that sent the request."),
        sampled: z.boolean().describe("Whether the client may have recorded the trace."),
      })
      .nullable()
      .describe("The trace of the header `traceparent` (W3C Trace Context); null if it is missing or not valid."),
    request: z.object({
      line: z.string().describe("With the `httpVersion` of the connection."),
      headers: pairs.describe("As they were sent, without tokens."),
      form: z.array(z.object({ name: z.string(), values: z.array(nullableText) })).nullable(),
    }),
    decisions: z.array(
      z.object({
        step: z.string(),
        checks: z.string(),
        outcome: z.enum(["passed", "refused", "not reached"]),
        restsOn: z.array(z.string()).describe("Sections of the interface, and assumptions with their sections."),
        basis: z.string().optional().describe("The one of these that the refusal is based on."),
      }),
    ),
    basis: nullableText.describe("The section of the interface, or the assumption, that the refusal is based on."),
    answer: z.object({
      status: z.int(),
      headers: pairs,
      body: nullableText.describe(
        "As it was made, even if it was not sent. null if no answer was made, or if it was too long to be kept: longer than 65,536 characters.",
      ),
      length: z.int().describe("The length of the whole body, in bytes."),
      sent: z
        .int()
        .nullable()
        .describe(
          "How many bytes of the body were passed to the network; null until that is known, and if it is not: a client that goes away has received an unknown part.",
        ),
      reset: z
        .enum(http2ErrorCodes)
        .nullable()
        .describe(
          "The code of the RST_STREAM that ended the stream of HTTP/2 before the answer was over, whoever sent it; null if none did.",
        ),
    }),
    errorPage: nullableText.describe("The path of the page about the error code, on the admin port; null without one."),
    lastGood: nullableText.describe(
      "The id of an exchange to compare it with: the nearest earlier one of the same client, operation and list that succeeded, of the same walk or with the same target if there is one; else the first later one; null if there is none.",
    ),
  })
  .meta({ id: "ExchangeDetail" });

export const readRequest = route({
  method: "GET",
  path: "/requests/{id}",
  summary: "One exchange, with everything that is known about it",
  params: ofExchange,
  answer: { status: 200, description: "The exchange.", schema: exchangeDetailSchema },
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
});

/** @throws AdminError when the exchange is not in the journal */
export function exchangeOf(id: string, { requests }: Journal): JournalEntry<Exchange> {
  const entry = requests.get(Number(id));
  if (!entry) throw new AdminError("NOT_FOUND", `The exchange ${id} is not (or no longer) in the journal.`);
  return entry;
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
