import * as z from "zod";
import type { Client } from "../sandbox/clients.js";
import { type AdjustableClock, isoInstant } from "../sandbox/clock.js";
import { nullableText } from "./common-schemas.js";
import type { AdminContext } from "./context.js";
import { identityFiles } from "./downloads.js";

const certificateSchema = z
  .object({
    thumbprint: z.string().describe("SHA-256 of the certificate, base64url (RFC 8705 §3.1)."),
    subject: nullableText,
    serialNumber: nullableText,
    notBefore: nullableText,
    notAfter: nullableText,
    valid: z.boolean().nullable().describe("Now, on the client's clock."),
    endsAt: nullableText.describe("From then on it is refused, although within its dates; on the client's clock."),
    ended: z.enum(["renewed", "expired", "revoked"]).nullable(),
    endSetAt: nullableText.describe("When `endsAt` was set."),
    replacedBy: nullableText.describe("A thumbprint."),
    identity: nullableText.describe("Its folder in the certificates folder."),
    hasFiles: z.boolean().describe("Whether the client's `downloads` are of this certificate."),
  })
  .meta({ id: "Certificate" });

export const clockSchema = z
  .object({
    mode: z.enum(["real", "offset", "frozen"]),
    now: z.string(),
    offset: z.number().describe("Milliseconds ahead of the clock that it is based on; 0 when frozen."),
  })
  .meta({ id: "Clock" });

export const clientSchema = z
  .object({
    clientId: z.string(),
    scopes: z.array(z.string()),
    grantTypes: z.array(z.string()),
    seed: z.string(),
    certificates: z.array(certificateSchema),
    scenario: nullableText.describe("Its own."),
    followsAll: z.boolean().describe("Whether it has no choice of its own, so that the one for all holds."),
    expected: z.array(z.string()),
    clock: clockSchema,
    downloads: z.array(z.string()).describe("Paths of its files; none without its key."),
  })
  .meta({ id: "Client" });

/** A client as the admin API shows it. */
export function clientView(client: Client, { identities, kept }: AdminContext) {
  const now = client.clock.now();
  const own = identities.ofClient(client);
  return {
    clientId: client.id,
    scopes: client.scopes,
    grantTypes: client.grantTypes,
    seed: client.seed,
    certificates: [...client.thumbprints].map((thumbprint) => {
      const facts = client.certificates.get(thumbprint);
      const end = client.ends.get(thumbprint);
      return {
        thumbprint,
        subject: facts?.subject ?? null,
        serialNumber: facts?.serialNumber ?? null,
        notBefore: facts ? isoInstant(facts.notBefore) : null,
        notAfter: facts ? isoInstant(facts.notAfter) : null,
        valid: facts ? now >= facts.notBefore && now <= facts.notAfter && !(end && now >= end.at) : null,
        endsAt: end ? isoInstant(end.at) : null,
        ended: end?.how ?? null,
        endSetAt: end ? isoInstant(end.since) : null,
        replacedBy: end?.by ?? null,
        identity: identities.byThumbprint(thumbprint)?.folder ?? null,
        hasFiles: thumbprint === own?.thumbprint,
      };
    }),
    scenario: client.scenario.active ?? null,
    followsAll: client.scenario.active === undefined,
    expected: client.expected,
    clock: clockView(client.clock),
    downloads: own && !kept ? identityFiles.map((file) => `/clients/${client.id}/${file}`) : [],
  };
}

/** A clock as the admin API shows it. */
export function clockView(clock: AdjustableClock) {
  const { setting } = clock;
  return {
    mode: setting.mode,
    now: isoInstant(clock.now()),
    offset: setting.mode === "offset" ? setting.offset : 0,
  };
}
