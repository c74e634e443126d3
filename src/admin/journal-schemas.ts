import * as z from "zod";
import { serverDefects } from "../connection/server-defect.js";
import { operationNames } from "../scenarios/operation-name.js";
import { instant, nullableText } from "./common-schemas.js";

const serverDefect = z.enum(serverDefects).nullable();

export const exchangeSchema = z
  .object({
    id: z.string(),
    time: z.string().describe("When it was begun, on the clock of the certificate's client."),
    receivedAt: z.string().describe("The same on the machine's clock."),
    client: nullableText.describe(
      "The client that the token was issued for; without a token, the one of the certificate.",
    ),
    certificateClient: nullableText.describe("The client for which the certificate of the connection is registered."),
    operation: z.enum(operationNames).nullable(),
    list: nullableText,
    method: z.string(),
    target: z.string(),
    status: z.int().describe("0 where no answer was given."),
    code: nullableText.describe("The error code."),
    fault: nullableText.describe("The injected fault, as Sandbox-Replay accepts it."),
    serverDefect: serverDefect.describe(
      "What was wrong on purpose with the certificate that the server presented: the client went on despite it.",
    ),
    correlationId: z.string(),
    duration: z.number().describe("Milliseconds."),
    delivered: z
      .boolean()
      .nullable()
      .describe("Whether the whole answer was handed to the network; null until that is known."),
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
      .describe("The certificate of the connection; null where there was none."),
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
      })
      .nullable(),
    trace: z
      .object({
        id: z.string(),
        parent: z.string().describe("The span of the client that sent the request."),
        sampled: z.boolean().describe("Whether the client may have recorded the trace."),
      })
      .nullable()
      .describe(
        "The trace of the header `traceparent` (W3C Trace Context); null for none, and for one that is not valid.",
      ),
    request: z.object({
      line: z.string(),
      headers: pairs.describe("As they were sent; tokens are taken out."),
      form: z.array(z.object({ name: z.string(), values: z.array(nullableText) })).nullable(),
    }),
    decisions: z.array(
      z.object({
        step: z.string(),
        checks: z.string(),
        outcome: z.enum(["passed", "refused", "not reached"]),
        restsOn: z.array(z.string()).describe("Sections of the interface, and assumptions with theirs."),
        basis: z.string().optional().describe("Of these, the one that the refusal rests on."),
      }),
    ),
    basis: nullableText.describe("The section of the interface, or the assumption, that the refusal rests on."),
    answer: z.object({
      status: z.int(),
      headers: pairs,
      body: nullableText.describe("null where it was too long to be kept."),
      length: z.int(),
    }),
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
    remoteAddress: z.string(),
    remotePort: z.int(),
    serverName: nullableText,
    protocol: nullableText,
    serverDefect: serverDefect.describe(
      "What was wrong on purpose with the certificate that the server presented: by port, by host name or by a scenario.",
    ),
    certificate: z
      .object({ subject: z.string(), thumbprint: z.string(), notBefore: nullableText, notAfter: nullableText })
      .nullable()
      .describe("The client's, as far as the handshake came to it."),
    explanation: z.string().describe("Why it failed, and how to fix it."),
  })
  .meta({ id: "Handshake" });

const requestFilters = {
  client: z.string().max(64).describe("The client of the token, or of the certificate.").optional(),
  operation: z.enum(operationNames).optional(),
  list: z.string().max(64).describe("The name of a list.").optional(),
  status: z
    .string()
    .regex(/^([1-5]\d\d|[1-5]xx|0)$/, "give a status such as 401, or a class such as 4xx")
    .describe("A status, or a class such as `4xx`.")
    .optional(),
  code: z.string().max(100).describe("An error code.").optional(),
  since: instant.describe("Only exchanges at or after this instant, on the clock of their client.").optional(),
};

export const requestCountQuery = z.strictObject(requestFilters);

export const requestPageQuery = z.strictObject({
  ...requestFilters,
  pageSize: z
    .string()
    .regex(/^([1-9]|[1-9]\d|[1-9]\d\d|1000)$/, "give a number from 1 to 1000")
    .describe("1 to 1000; 100 when left out.")
    .optional(),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, "give the nextCursor of the page before")
    .optional(),
});

export const handshakePageQuery = requestPageQuery.pick({ pageSize: true, cursor: true });
