import type { Cause } from "../journal/causes.js";
import { Refusal } from "../journal/refusal.js";
import type { Call } from "./service.js";

/**
 * Judges the certificate of a connection: was one sent, is it registered, and may it be used now? The issuer does not
 * matter: registration is by exact thumbprint (§5 point 8 leaves it open; assumption `certificate.registration`).
 * @returns the first problem found; undefined if there is none
 */
export function certificateProblem({ exchange, service, hasRenewed }: Call): Cause | undefined {
  const { peer, client: holder, now } = exchange;
  const { values } = service.assumptions;
  if (peer.kind === "none") return { kind: "no-certificate" };
  const { notBefore, notAfter, clientUsage } = peer.certificate;
  if (!holder) return { kind: "certificate-unregistered" };
  const end = holder.ends.size === 0 ? undefined : holder.ends.get(peer.certificate.thumbprint);
  if (end && now >= end.at && !hasRenewed) {
    const { how, at } = end;
    return { kind: "certificate-ended", how, like: how === "renewed" ? values["certificate.end"] : how, at, now };
  }
  if (values["certificate.validity"]) {
    if (now > notAfter) return { kind: "certificate-expired", notAfter, now };
    if (now < notBefore) return { kind: "certificate-not-yet-valid", notBefore, now };
  }
  if (values["certificate.usage"] && !clientUsage) return { kind: "certificate-usage" };
  return undefined;
}

/**
 * The refusal of a certificate. One that has ended may have an answer of its own (assumption `certificate.ended`), and
 * may end its connection (`certificate.old-connection`).
 * @param usual what the refusal is based on otherwise
 */
export function certificateRefusal(
  { service, bindings }: Call,
  problem: Cause,
  usual: "bearer.invalid-token" | "token.invalid-client",
): Refusal {
  if (problem.kind !== "certificate-ended" && problem.kind !== "certificate-expired")
    return new Refusal(usual, problem);
  const { values, errors } = service.assumptions;
  if (values["certificate.old-connection"] === "close") bindings.wire?.().goAway("NO_ERROR", "this");
  return new Refusal(errors["certificate.ended"] === undefined ? usual : "certificate.ended", problem);
}
