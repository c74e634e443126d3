import * as z from "zod";
import { durationForm, parseDuration } from "../base/text/duration.js";
import { scopePattern, scopeRule } from "../base/text/name.js";
import { serverIssuers } from "../sandbox/connection/server-certificate.js";
import { certificateLifetimes } from "../sandbox/scenarios/defaults.js";
import { seedPattern } from "../sandbox/scenarios/draw.js";
import {
  certificateLifetime,
  clientId,
  instant,
  nullableText,
  scenarioName,
  signedDuration,
} from "./common-schemas.js";

export const healthSchema = z
  .object({
    status: z
      .enum(["ok", "starting", "failed", "unavailable"])
      .describe("`ok` only when every identity is ready; `unavailable` if the shared state cannot be reached."),
    reason: z.string().describe("Why it is `unavailable`.").optional(),
    identities: z.enum(["ready", "pending", "failed"]),
    version: z.string(),
    uptime: z.number().describe("Seconds since the start."),
    ports: z.object({ api: z.int(), admin: z.int() }),
  })
  .meta({ id: "Health" });

/** The state of the sandbox, for `GET /health`. */
export type Health = Readonly<z.output<typeof healthSchema>>;

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
      .describe("Whether it is valid now, on the client's clock; null if only the thumbprint is known."),
    endsAt: nullableText.describe(
      "The instant from which on it is refused, on the client's clock, although it is still within its dates; null if none was set.",
    ),
    ended: z
      .enum(["renewed", "expired", "revoked"])
      .nullable()
      .describe("Why: another certificate replaces it, or it was ended by the admin API or a scenario."),
    identity: nullableText.describe("Its folder in the certificates folder."),
    hasFiles: z.boolean().describe("Whether the files at `downloads` of the client are those of this certificate."),
  })
  .meta({ id: "Certificate" });

export const clockSchema = z
  .object({
    mode: z.enum(["real", "offset", "frozen"]),
    now: z.string().describe("The current time on this clock."),
    offset: z
      .number()
      .describe(
        "Milliseconds ahead of its base clock: the sandbox's for a client, the machine's for the sandbox. 0 when frozen.",
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
    scenario: nullableText.describe("The scenario that was chosen for this client only; null if none was."),
    clock: clockSchema,
    downloads: z.array(z.string()).describe("Paths of its files; empty if the sandbox does not have its key."),
  })
  .meta({ id: "Client" });

const newClientShape = z.strictObject({
  clientId: clientId.describe("Generated when left out.").optional(),
  scopes: z
    .array(z.string().regex(scopePattern, scopeRule), "give a list of scopes")
    .max(50)
    .describe('The scopes that it may request; `["read"]` when left out.')
    .optional(),
  seed: z
    .string("give a text")
    .regex(seedPattern, 'use letters, digits, ".", "_" and "-", at most 64')
    .describe("The seed of its random decisions; derived from the sandbox's seed and its id when left out.")
    .optional(),
  keyType: z.enum(["ec", "rsa"]).describe("`ec` (P-256, milliseconds) when left out, or `rsa` (2048 bits).").optional(),
  validFor: certificateLifetime
    .describe("How long its certificate is valid from now on, on its clock: `90s`, `90d`; about a year when left out.")
    .optional(),
  issuer: z
    .enum(["root", "intermediate"])
    .describe(
      "`root` when left out: the CA itself issues the certificate. `intermediate`: a CA below it, and `certificate` is the leaf, followed by the certificate of the intermediate CA.",
    )
    .optional(),
  certificate: z
    .string("give a certificate, PEM")
    .max(16_384)
    .describe("A certificate of your own, PEM, which is registered instead of a new one.")
    .optional(),
});

/** The others are for a new certificate. A caller that provides one has it already. */
const oneOrTheOther = ({ certificate, keyType, validFor, issuer }: Partial<z.output<typeof newClientShape>>) =>
  certificate === undefined || (keyType === undefined && validFor === undefined && issuer === undefined);
const eitherMessage = "keyType, validFor and issuer are for a new certificate: leave them out if you give certificate";

export const newClientSchema = newClientShape.refine(oneOrTheOther, eitherMessage);

export const newCertificateSchema = newClientShape
  .pick({ keyType: true, validFor: true, issuer: true, certificate: true })
  .refine(oneOrTheOther, eitherMessage);

const lifeDuration = z
  .string(`give ${durationForm}`)
  .refine(
    (text) => (parseDuration(text) ?? Number.POSITIVE_INFINITY) <= certificateLifetimes.longest,
    `give ${durationForm}, at most 398d`,
  )
  .transform((text) => parseDuration(text) as number);

export const rotationSchema = z
  .strictObject({
    overlap: lifeDuration
      .describe("How long the previous certificate stays valid, on the client's clock; `0s` when left out.")
      .optional(),
    validFor: newClientShape.shape.validFor,
    keyType: z
      .enum(["ec", "rsa"])
      .describe("The type of the new key; that of the previous one when left out.")
      .optional(),
    sameKey: z.boolean("give true or false").describe("Keep the key, and renew the certificate only.").optional(),
  })
  .refine(({ keyType, sameKey }) => !(sameKey && keyType), "give keyType or sameKey: a key that is kept has its type");

export const rotatedSchema = z
  .object({
    clientId: z.string(),
    certificate: z.string().describe("PEM, with its chain."),
    key: z.string().describe("PKCS#8 PEM."),
    ca: z.string().describe("The CA to trust, PEM."),
    thumbprint: z.string(),
    notAfter: z.string().describe("The last instant of its validity."),
    previous: z
      .object({ thumbprint: z.string(), endsAt: z.string().describe("From this instant on it is refused.") })
      .nullable()
      .describe("The certificate that is replaced; null if there was none."),
  })
  .meta({ id: "RotatedClient" });

export const endSchema = z.strictObject({
  how: z.enum(["expired", "revoked"]).describe("What is said of it from now on; `revoked` when left out.").optional(),
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

export const scenarioChoiceSchema = z
  .object({
    name: nullableText.describe("The scenario that is active; null for none."),
    source: z.enum(["client", "all", "none"]).describe("Whether it is the client's own, or the one for all clients."),
  })
  .meta({ id: "ActiveScenario" });

export const chooseScenarioSchema = z.strictObject({
  name: scenarioName
    .nullable()
    .describe("A scenario, or null for none (for a client: none even if one is active for all)."),
});

export const scenarioSummarySchema = z
  .object({
    name: z.string(),
    description: nullableText.describe("null if no version of it was ever valid."),
    origin: z.enum(["uploaded", "folder", "built-in"]),
    rules: z.int().min(0),
    problems: z
      .array(z.string())
      .describe("Problems of its newest text, with line and column; the last valid text stays in use."),
    warnings: z
      .array(z.string())
      .describe(
        "Warnings, with line and column: rules that can never act, because a list does not exist or because of a rule before them.",
      ),
  })
  .meta({ id: "Scenario" });

export const setClockSchema = z
  .strictObject({
    offset: signedDuration.describe("Run this much ahead (or, with a minus, behind).").optional(),
    now: instant.describe("Run on from this instant.").optional(),
    frozenAt: instant.describe("Stop at this instant.").optional(),
  })
  .refine(
    (value) => Object.values(value).filter((given) => given !== undefined).length === 1,
    "give one of offset, now, frozenAt",
  );

export const advanceSchema = z.strictObject({
  advance: signedDuration.describe("How far, such as `301s`; with a minus, back."),
});

export const assumptionSchema = z
  .object({
    id: z.string(),
    section: z.string(),
    point: z.string().describe("What the interface leaves open."),
    choice: z.string().describe("What the sandbox does by default."),
    why: z.string(),
    key: nullableText.describe("The key in sandbox.yaml that changes it; null if there is none."),
    setting: z.unknown().describe("The current setting, if there is one."),
    changed: z.boolean().describe("Whether it differs from the default."),
  })
  .meta({ id: "Assumption" });

export const identityName = z
  .string()
  .regex(/^[a-z][a-z-]{0,40}$/, "give the name of an identity, such as demo or expired")
  .describe("The name of an identity, such as `demo` or `expired`.");

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
    valid: z.boolean().describe("Whether the clock of its client is within its validity dates."),
  })
  .meta({ id: "Identity" });

export const serverCertificateSchema = z
  .object({
    issuer: z.enum(serverIssuers).describe("The CA of the start, an intermediate CA below it, or the next CA."),
    certificate: z.string().describe("PEM; the certificate of the intermediate CA follows, if there is one."),
    thumbprint: z.string().describe("SHA-256 of the certificate, base64url."),
    notAfter: z.string(),
  })
  .meta({ id: "ServerCertificate" });

export const nextCaSchema = z
  .object({
    ca: z.string().describe("What clients should trust from now on: both roots, PEM. `GET /ca.pem` has the same."),
    nextCa: z.string().describe("The new root alone, PEM. `GET /ca-next.pem` has the same."),
  })
  .meta({ id: "NextCa" });
