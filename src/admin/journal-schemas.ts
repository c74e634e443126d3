import * as z from "zod";
import { answerEnders } from "../sandbox/connection/connection-facts.js";
import { serverDefects } from "../sandbox/connection/server-defect.js";
import { operationNames } from "../sandbox/operations.js";
import { nullableText } from "./common-schemas.js";

const serverDefect = z.enum(serverDefects).nullable();
export const serverCertificate = z.string().nullable().describe("A thumbprint.");

const usedVersion = "`HTTP/1.1` (also for HTTP/1.0), `HTTP/2`.";
export const httpVersion = z.enum(["HTTP/1.1", "HTTP/2"]).describe(usedVersion);

const replica = nullableText.describe(
  "Which of several sandboxes with shared state answered: host and port of its API. null if there is only one.",
);

export const exchangeSchema = z
  .object({
    id: z.string(),
    time: z
      .string()
      .describe(
        "When its turn came (over HTTP/1.1, after the answers before it), or when it was certain that it would not be processed; on the clock of the certificate's client.",
      ),
    receivedAt: z.string().describe("The same on the machine's clock."),
    client: nullableText.describe("Of the token; without a token, of the certificate."),
    certificateClient: nullableText.describe("Of the certificate."),
    claimedClient: nullableText.describe(
      "`client_id` of a form, or of a token that was not accepted, if it is another client.",
    ),
    operation: z.enum(operationNames).nullable(),
    list: nullableText,
    method: z.string(),
    target: z.string(),
    status: z.int().describe("0 if there was no answer."),
    code: nullableText,
    fault: nullableText.describe("As `Sandbox-Replay` accepts it."),
    serverDefect: serverDefect.describe("A deliberate one, of the server's certificate."),
    size: z.int().describe("Bytes of the answer's body: 0 for HEAD."),
    correlationId: z.string(),
    duration: z
      .number()
      .describe(
        "Milliseconds until the whole answer was passed to the network, or until it began if `delivered` is null.",
      ),
    delivered: z
      .boolean()
      .nullable()
      .describe(
        "Whether the whole answer was passed to the network; null until that is known. Also false for a request that was not processed.",
      ),
    sent: z
      .int()
      .nullable()
      .describe("Bytes of the body that were passed to the network; null as long as that is not known."),
    endedBy: z
      .enum(answerEnders)
      .nullable()
      .describe(
        "Who ended the answer, if `delivered` is false: the client, a scenario, the sandbox (it stopped, or failed), or a time limit of the sandbox; null if that is not known.",
      ),
    replica,
    connectionId: z.int().nullable(),
    httpVersion: httpVersion.nullable().describe(usedVersion),
    stream: z.int().nullable().describe("Of HTTP/2."),
    tokenId: nullableText.describe("`jti` of the token that was sent, or issued."),
    walk: nullableText.describe("The id of a walk through a list, the same for all its pages."),
    explanation: z.string(),
  })
  .meta({ id: "Exchange" });

export const handshakeSchema = z
  .object({
    id: z.string(),
    time: nullableText,
    cause: z.string().describe("Such as `client-refused-our-certificate`; `no-request` if the handshake succeeded."),
    code: nullableText.describe("Of OpenSSL or the system."),
    alert: nullableText,
    replica,
    connectionId: z.int().nullable(),
    remoteAddress: z.string(),
    remotePort: z.int(),
    serverName: nullableText,
    protocol: nullableText,
    serverDefect: serverDefect.describe("A deliberate one, of the server's certificate."),
    serverCertificate,
    certificate: z
      .object({ subject: z.string(), thumbprint: z.string(), notBefore: nullableText, notAfter: nullableText })
      .nullable()
      .describe("The client's, if the sandbox received it."),
    explanation: z.string(),
  })
  .meta({ id: "Handshake" });
