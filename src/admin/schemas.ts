import { z } from "zod";
import { clientIdPattern } from "../clients.js";
import { durationForm, parseDuration } from "../duration.js";
import { seedPattern } from "../scenarios/draw.js";
import { scenarioNamePattern } from "../scenarios/library.js";

const nameRule = 'use letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit';

export const clientId = z.string("give a text").regex(clientIdPattern, nameRule).describe("The client id.");
export const scenarioName = z
  .string("give a text")
  .regex(scenarioNamePattern, nameRule)
  .describe("The name of a scenario.");
export const instant = z.iso.datetime({
  offset: true,
  error: "give an RFC 3339 date-time, such as 2027-01-31T12:00:00Z",
});
const nullableText = z.string().nullable();
const count = z.int().min(0);

/** A duration that may point into the past: `301s`, `-5m`. Checked here, read by {@link signedMilliseconds}. */
export const signedDuration = z
  .string(`give ${durationForm}`)
  .refine(
    (text) => signedMilliseconds(text) !== undefined,
    `give ${durationForm}; a minus before it turns the clock back`,
  );

/** @returns milliseconds, or undefined when the text is no duration */
export function signedMilliseconds(text: string): number | undefined {
  const milliseconds = parseDuration(text.replace(/^[+-]/, ""));
  return milliseconds === undefined ? undefined : text.startsWith("-") ? -milliseconds : milliseconds;
}

export const errorSchema = z.object({ message: z.string(), code: z.string() }).meta({ id: "Error" });

export const healthSchema = z
  .object({
    status: z.enum(["ok", "starting", "failed"]).describe("`ok` only when every identity is there."),
    identities: z.enum(["ready", "pending", "failed"]),
    version: z.string(),
    uptime: z.number().describe("Seconds since the start."),
    ports: z.object({ api: z.int(), admin: z.int() }),
  })
  .meta({ id: "Health" });

const certificateSchema = z
  .object({
    thumbprint: z.string().describe("RFC 8705 §3.1: base64url of the SHA-256 of the certificate."),
    subject: nullableText,
    serialNumber: nullableText,
    notBefore: nullableText,
    notAfter: nullableText,
    valid: z
      .boolean()
      .nullable()
      .describe("Whether it is within its dates on the client's clock; null where only the thumbprint is known."),
    identity: nullableText.describe("Its folder below the certificates folder."),
  })
  .meta({ id: "Certificate" });

export const clockSchema = z
  .object({
    mode: z.enum(["real", "offset", "frozen"]),
    now: z.string().describe("The present instant on this clock."),
    offset: z
      .number()
      .describe(
        "Milliseconds ahead of the clock behind it: the sandbox's for a client, the machine's for the sandbox. 0 when frozen.",
      ),
  })
  .meta({ id: "Clock" });

export const clientSchema = z
  .object({
    clientId: z.string(),
    scopes: z.array(z.string()),
    grantTypes: z.array(z.string()),
    seed: z.string(),
    certificates: z.array(certificateSchema),
    scenario: nullableText.describe("The scenario of its own; null where there is none."),
    clock: clockSchema,
    downloads: z.array(z.string()).describe("Paths of its files; empty where the sandbox does not have its key."),
  })
  .meta({ id: "Client" });

export const newClientSchema = z.strictObject({
  clientId: clientId.describe("Made up when left out.").optional(),
  scopes: z
    .array(
      z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "a scope has no spaces or quotation marks"),
      "give a list of scopes",
    )
    .max(50)
    .describe('What it may ask for; `["read"]` when left out.')
    .optional(),
  seed: z
    .string("give a text")
    .regex(seedPattern, 'use letters, digits, ".", "_" and "-", at most 64')
    .describe("What its random decisions are drawn from; derived from the sandbox's seed and its id when left out.")
    .optional(),
  keyType: z.enum(["ec", "rsa"]).describe("`ec` (P-256, milliseconds) when left out, or `rsa` (2048 bits).").optional(),
  certificate: z
    .string("give a certificate, PEM")
    .max(65_536)
    .describe("A certificate of your own, PEM, to be registered instead of a new one.")
    .optional(),
});

export const mintedSchema = z
  .object({
    clientId: z.string(),
    certificate: z.string().describe("PEM."),
    key: nullableText.describe("PKCS#8 PEM; null for a certificate of your own."),
    ca: z.string().describe("The CA to trust, PEM."),
    thumbprint: z.string(),
    scopes: z.array(z.string()),
    seed: z.string(),
    url: z.string().describe("Base URL of the API."),
  })
  .meta({ id: "MintedClient" });

export const newCertificateSchema = newClientSchema.pick({ keyType: true, certificate: true });

export const scenarioChoiceSchema = z
  .object({
    name: nullableText.describe("The scenario that is active; null for none."),
    source: z.enum(["client", "all", "none"]).describe("Whether it is the client's own, or the one for all."),
  })
  .meta({ id: "ActiveScenario" });

export const chooseScenarioSchema = z.strictObject({
  name: scenarioName
    .nullable()
    .describe("A scenario, or null for none (for a client: none even when one is active for all)."),
});

export const scenarioSummarySchema = z
  .object({
    name: z.string(),
    description: nullableText.describe("null where no version of it was ever good."),
    origin: z.enum(["uploaded", "folder", "built-in"]),
    rules: count,
    problems: z
      .array(z.string())
      .describe("What is wrong with its newest text, with line and column; the last good one stays in force."),
  })
  .meta({ id: "Scenario" });

export const setClockSchema = z
  .strictObject({
    offset: signedDuration.describe("Run this much ahead (or, with a minus, behind).").optional(),
    now: instant.describe("Run from this instant on.").optional(),
    frozenAt: instant.describe("Stand still at this instant.").optional(),
  })
  .refine(
    (value) => Object.values(value).filter((given) => given !== undefined).length === 1,
    "give one of offset, now, frozenAt",
  );

export const advanceSchema = z.strictObject({ by: signedDuration.describe("How far, such as `301s`.") });

export const exchangeSchema = z
  .object({
    id: z.string(),
    time: z.string().describe("On the clock of the certificate's client."),
    client: nullableText.describe(
      "The client that the token was issued for; without a token, the one of the certificate.",
    ),
    certificateClient: nullableText.describe("The client for which the certificate of the connection is registered."),
    operation: z.enum(["token", "ping", "list"]).nullable(),
    list: nullableText,
    method: z.string(),
    target: z.string(),
    status: z.int().describe("0 where no answer was given."),
    code: nullableText.describe("The error code."),
    fault: nullableText.describe("The injected fault, as Sandbox-Replay accepts it."),
    correlationId: z.string(),
    duration: z.number().describe("Milliseconds."),
    delivered: z
      .boolean()
      .nullable()
      .describe("Whether the whole answer was handed to the network; null until that is known."),
    explanation: z.string().describe("What happened, why, and what mends it."),
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
        basis: z.string().optional(),
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
    cause: z.string(),
    code: nullableText,
    alert: nullableText.describe("The alert that the client sent (RFC 8446 §6)."),
    remoteAddress: z.string(),
    remotePort: z.int(),
    serverName: nullableText,
    protocol: nullableText,
    certificate: z.object({ subject: z.string(), thumbprint: z.string() }).nullable(),
    explanation: z.string(),
  })
  .meta({ id: "Handshake" });

export const requestFilters = {
  client: z.string().max(64).describe("The client of the token, or of the certificate.").optional(),
  operation: z.enum(["token", "ping", "list"]).optional(),
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

/** A page of newest-first items. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

export const assumptionSchema = z
  .object({
    id: z.string(),
    section: z.string(),
    point: z.string().describe("What the interface leaves open."),
    choice: z.string().describe("What the sandbox does by default."),
    why: z.string(),
    key: nullableText.describe("What in sandbox.yaml changes it; null where nothing does."),
    setting: z.unknown().describe("The setting in force, where there is one."),
    changed: z.boolean().describe("Whether it differs from the default."),
  })
  .meta({ id: "Assumption" });

export const identitySchema = z
  .object({
    name: z.string(),
    kind: z.enum(["client", "misfit"]),
    purpose: z.string(),
    folder: nullableText,
    clientId: z.string(),
    thumbprint: z.string(),
    subject: z.string(),
    notBefore: nullableText,
    notAfter: nullableText,
    registeredFor: nullableText,
    valid: z.boolean().describe("Whether it is within its dates on the clock of its client."),
  })
  .meta({ id: "Identity" });
