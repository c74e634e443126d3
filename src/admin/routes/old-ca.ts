import { X509Certificate } from "node:crypto";
import { splitPem } from "../../base/x509/certificate.js";
import type { AdminContext } from "../context.js";

/** At the cut to the next CA: ends what the old one issued for clients, where that is assumed. */
export function endClientsOfOldCa({ assumptions, clients, identities, serverCertificates }: AdminContext): void {
  const { nextCaPem } = serverCertificates;
  if (assumptions.values["certificate.old-ca"] !== "end" || nextCaPem === undefined) return;
  const next = new X509Certificate(nextCaPem);
  for (const client of clients.all()) {
    const now = client.clock.now();
    for (const thumbprint of client.thumbprints) {
      const identity = identities.byThumbprint(thumbprint);
      if (identity?.kind === "client" && !isBelow(identity.certPem, next))
        clients.endCertificate(client, thumbprint, { at: now, since: now, how: "revoked" });
    }
  }
}

/** Whether a root has issued the last certificate of a chain. */
function isBelow(chainPem: string, root: X509Certificate): boolean {
  return new X509Certificate(splitPem(chainPem).at(-1) ?? "").verify(root.publicKey);
}
