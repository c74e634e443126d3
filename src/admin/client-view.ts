import * as z from "zod";
import type { Client } from "../sandbox/clients.js";
import { type AdjustableClock, isoInstant } from "../sandbox/clock.js";
import { nullableText } from "./common-schemas.js";
import type { AdminContext } from "./context.js";
import { identityFiles } from "./downloads.js";

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
    endSetAt: nullableText.describe("When its end was set, on the client's clock."),
    replacedBy: nullableText.describe("The thumbprint of the certificate that replaces it."),
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
    expected: z.array(z.string()).describe("Codes of errors that it provokes on purpose: they fail no check."),
    clock: clockSchema,
    downloads: z.array(z.string()).describe("Paths of its files; empty if the sandbox does not have its key."),
  })
  .meta({ id: "Client" });

/** A client as the admin API shows it. */
export function clientView(client: Client, { identities }: AdminContext) {
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
    expected: client.expected,
    clock: clockView(client.clock),
    downloads: own ? identityFiles.map((file) => `/clients/${client.id}/${file}`) : [],
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
