import type { Exchange } from "../../sandbox/journal/exchange.js";
import { intermediateName } from "../../sandbox/pki/profiles.js";
import type { CertificateObservation } from "../observation.js";

/** The client's certificate, and what becomes of it; undefined without one. */
export function certificateOf({ peer, client, now, refusal, renewal }: Exchange): CertificateObservation | undefined {
  if (peer.kind === "none") return undefined;
  const { notAfter, issuer } = peer.certificate;
  const cause = refusal?.reason;
  const hasEnded =
    cause?.kind === "certificate-ended" || (client !== undefined && cause?.kind === "certificate-expired");
  return {
    replaces: renewal?.replaces === true,
    hasEnded,
    hasOverlapEnded: cause?.kind === "certificate-ended" && cause.how === "renewed" && (renewal?.overlap ?? 0) > 0,
    chain: issuer.includes(intermediateName) ? (peer.chain === "trusted" ? "sent" : "missing") : undefined,
    left: notAfter - now,
  };
}
