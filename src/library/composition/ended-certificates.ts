import type { Service } from "../../sandbox/api/service.js";

const reasons = {
  renewed: "Another certificate has replaced it.",
  expired: "It has expired.",
  revoked: "It was revoked.",
} as const;

/**
 * What the handshake refuses of certificates that have ended, on the clocks of their clients; undefined if it refuses
 * none of them.
 */
export function refusalOfEnded(
  { clients, assumptions: { values } }: Pick<Service, "clients" | "assumptions">,
  clientCertificate: "request" | "require",
): ((thumbprint: string) => string | undefined) | undefined {
  const all = values["certificate.end-refusal"] === "handshake";
  if (!all && clientCertificate === "request") return undefined;
  return (thumbprint) => {
    const client = clients.byThumbprint(thumbprint);
    if (!client) return undefined;
    const now = client.clock.now();
    const end = client.ends.get(thumbprint);
    if (end === undefined || now < end.at) {
      const { notAfter = now } = client.certificates.get(thumbprint) ?? {};
      return all && values["certificate.validity"] && now > notAfter ? reasons.expired : undefined;
    }
    const isUnknown = end.how === "renewed" && values["certificate.end"] === "unregistered";
    return all || !isUnknown ? reasons[end.how] : undefined;
  };
}
