import type { Client } from "../sandbox/clients.js";
import { type AdjustableClock, isoInstant } from "../sandbox/clock.js";
import type { AdminContext } from "./context.js";
import { identityFiles } from "./downloads.js";

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
        identity: identities.byThumbprint(thumbprint)?.folder ?? null,
        hasFiles: thumbprint === own?.thumbprint,
      };
    }),
    scenario: client.scenario.active ?? null,
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
