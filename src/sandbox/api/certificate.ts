import type { AssumptionSettings } from "../assumptions.js";
import type { Client } from "../clients.js";
import type { Peer } from "../connection/peer.js";
import type { Cause } from "../journal/refusal.js";

/**
 * Judges the certificate of a connection: was one sent, is it registered, and may it be used now? The issuer does not
 * matter: registration is by exact thumbprint (§5 point 8 leaves it open; assumption `certificate.registration`).
 * @param holder the client for which it is registered
 * @param now milliseconds since the epoch, on the holder's clock
 * @returns the first problem found; undefined if there is none
 */
export function certificateProblem(
  peer: Peer,
  holder: Client | undefined,
  now: number,
  { values }: AssumptionSettings,
): Cause | undefined {
  if (peer.kind === "none") return { kind: "no-certificate" };
  const { notBefore, notAfter, clientUsage } = peer.certificate;
  if (!holder) return { kind: "certificate-unregistered" };
  const end = holder.ends.size === 0 ? undefined : holder.ends.get(peer.certificate.thumbprint);
  if (end && now >= end.at) return { kind: "certificate-ended", how: end.how, at: end.at, now };
  if (values["certificate.validity"]) {
    if (now > notAfter) return { kind: "certificate-expired", notAfter, now };
    if (now < notBefore) return { kind: "certificate-not-yet-valid", notBefore, now };
  }
  if (values["certificate.usage"] && !clientUsage) return { kind: "certificate-usage" };
  return undefined;
}
