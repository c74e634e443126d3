import * as z from "zod";
import { serverDefects } from "../sandbox/connection/server-defect.js";
import { operationNames } from "../sandbox/operations.js";
import { nullableText } from "./common-schemas.js";

const serverDefect = z.enum(serverDefects).nullable();
export const serverCertificate = z
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
    size: z.int().describe("How long the body of the answer is, in bytes."),
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
