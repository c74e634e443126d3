import * as z from "zod";
import { connectionEnds } from "../sandbox/connection/connection-facts.js";
import { http2ErrorCodes } from "../sandbox/connection/http2-error.js";
import { serverDefects } from "../sandbox/connection/server-defect.js";
import { operationNames } from "../sandbox/operations.js";
import { nullableText } from "./common-schemas.js";

const serverDefect = z.enum(serverDefects).nullable();
const serverCertificate = z
  .string()
  .nullable()
  .describe("The thumbprint of the certificate that the server presented; null if the handshake did not come so far.");

export const exchangeSchema = z
  .object({
    id: z.string(),
    time: z
      .string()
      .describe(
        "When its turn came, on the clock of the certificate's client: over HTTP/1.1, a request waits for the answers to those before it on its connection. For a request that is not processed, when that was certain.",
      ),
    receivedAt: z.string().describe("The same on the machine's clock."),
    client: nullableText.describe(
      "The client that the token was issued for; without a token, the one of the certificate.",
    ),
    certificateClient: nullableText.describe("The client for which the certificate of the connection is registered."),
    claimedClient: nullableText.describe(
      "The client that the request claims to come from, if it is a different one: `client_id` of a form, or of a token that was not accepted.",
    ),
    operation: z.enum(operationNames).nullable(),
    list: nullableText,
    method: z.string(),
    target: z.string(),
    status: z
      .int()
      .describe("0 if no answer was made: a fault broke the exchange before that, or the request was not processed."),
    code: nullableText.describe("The error code."),
    fault: nullableText.describe("The injected fault, as Sandbox-Replay accepts it."),
    serverDefect: serverDefect.describe(
      "The deliberate defect of the certificate that the server presented; the client did not refuse it.",
    ),
    correlationId: z.string(),
    duration: z
      .number()
      .describe(
        "Milliseconds until the whole answer was passed to the network; until the answer began, if `delivered` is null.",
      ),
    delivered: z
      .boolean()
      .nullable()
      .describe(
        "Whether the whole answer was passed to the network; null until that is known. False for answers that a fault broke, and for requests that were not processed, too.",
      ),
    connectionId: z.int().nullable().describe("The number of the connection."),
    httpVersion: z
      .enum(["HTTP/1.1", "HTTP/2"])
      .nullable()
      .describe("The version that client and server agreed on; HTTP/1.1 also means HTTP/1.0."),
    stream: z.int().nullable().describe("The stream of HTTP/2; null over HTTP/1.1."),
    tokenId: nullableText.describe("The id (`jti`) of the token that was sent, or issued."),
    walk: nullableText.describe("The id of a walk through a list: all pages of one walk have the same id."),
    explanation: z.string().describe("What happened, why, and how to fix it."),
  })
  .meta({ id: "Exchange" });

const pairs = z.array(z.tuple([z.string(), z.string()]));

export const exchangeDetailSchema = exchangeSchema
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
        section: nullableText.describe(
          "The section of the interface that requires the check, without its sign; null at the step of a scenario.",
        ),
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

export const handshakeSchema = z
  .object({
    id: z.string(),
    time: nullableText,
    cause: z
      .string()
      .describe("Such as `client-refused-our-certificate`; `no-request` for a handshake that succeeded."),
    code: nullableText.describe("OpenSSL's or the system's code."),
    alert: nullableText.describe("The alert that the client sent (RFC 8446 §6)."),
    connectionId: z.int().nullable().describe("The number of the connection; null if the handshake failed."),
    remoteAddress: z.string(),
    remotePort: z.int(),
    serverName: nullableText,
    protocol: nullableText,
    serverDefect: serverDefect.describe(
      "The deliberate defect of the certificate that the server presented: by port, by host name or by a scenario.",
    ),
    serverCertificate,
    certificate: z
      .object({ subject: z.string(), thumbprint: z.string(), notBefore: nullableText, notAfter: nullableText })
      .nullable()
      .describe("The client's certificate, if the sandbox received it."),
    explanation: z.string().describe("Why it failed, and how to fix it."),
  })
  .meta({ id: "Handshake" });

/** The position of an item in the whole journal. */
const place = {
  key: z.string().describe("`r` or `h`, and the id: `r12`. Unique in one run."),
  order: z.int().describe("Its position among all entries: larger for newer ones."),
};

export const journalItemSchema = z.union([
  exchangeSchema.extend({ kind: z.enum(["request"]), ...place }).meta({ id: "ExchangeItem" }),
  handshakeSchema.extend({ kind: z.enum(["handshake"]), ...place }).meta({ id: "HandshakeItem" }),
]);

const count = z.int();

const counts = z
  .object({ all: count, success: count, refused: count, injected: count, handshake: count })
  .describe("How many match, by outcome; terms of `q` that select an outcome are ignored.");

export const journalPageSchema = z
  .object({
    run: z.string().describe("Identifies this start of the sandbox."),
    kept: count.describe("How many entries there are, whether they match or not."),
    total: count.describe("How many match."),
    counts,
    items: z.array(journalItemSchema),
    nextCursor: z.string().optional(),
  })
  .meta({ id: "JournalPage" });

export const overviewSchema = z
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
        }),
      )
      .describe("Clients, including those that were only claimed, the last seen first; at most 100."),
  })
  .meta({ id: "Overview" });

export const missingSchema = z.object({ requests: z.array(z.string()), handshakes: z.array(z.string()) });
