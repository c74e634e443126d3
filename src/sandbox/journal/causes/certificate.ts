import { lowerFirst } from "../../base/text/letters.js";
import type { Client } from "../clients.js";
import type { PeerCertificate } from "../connection/peer.js";
import type { Exchange } from "./exchange.js";
import type { ExplanationContext } from "./explanation-context.js";
import { ended, instant, paragraph, span } from "./format.js";
import type { Cause } from "./refusal.js";

type CauseOf<Kind extends Cause["kind"]> = Extract<Cause, { kind: Kind }>;

/** For a connection without a client certificate. */
export const noCertificate =
  "This connection has no client certificate. Give the HTTP client a certificate and its key, such as clients/demo/cert.pem and clients/demo/key.pem of the certs folder. Some clients send one only if it is set for exactly this host and port. A proxy that terminates TLS removes it. .NET sends none, without a word, if its extended key usage lacks clientAuth, or if its key is not in a store that the process may read.";

/** For a certificate that is not registered: the known facts about it, and how to connect. */
export function explainUnregistered({ peer, form }: Exchange, context: ExplanationContext): string {
  if (peer.kind === "none") return noCertificate;
  const { certificate } = peer;
  const { clients } = context;
  const former = clients.formerHolder(certificate.thumbprint);
  const known = context.identity(certificate.thumbprint);
  const twin = known || former ? undefined : holderOfSubject(certificate, context);
  const asked = clients.get(form?.get("client_id")?.[0] ?? "");
  const wanted = asked ?? clients.get(former ?? "") ?? twin;
  return paragraph(
    `The certificate of this connection, ${nameOf(certificate, context)}, is not registered for any client.`,
    former === undefined
      ? ""
      : `It was registered for ${former}, until it or the client was deleted through the admin API.`,
    known && former === undefined ? ended(`It exists to be refused: ${known.purpose}`) : "",
    twin
      ? `It has the same subject as a certificate of ${twin.id}, but it is another certificate. Registration uses the exact certificate: a renewed certificate must be registered again.`
      : "",
    !known && peer.chain === "untrusted"
      ? `The sandbox does not trust it: ${ended(lowerFirst(peer.chainReason))} That may be right: a certificate of any issuer can be registered.`
      : "",
    asked ? `The client ${asked.id} has ${certificatesOf(asked, context)}.` : "",
    `Connect with a certificate that is registered, such as clients/demo, or register this one: ${
      wanted ? `POST /clients/${wanted.id}/certificates` : "POST /clients"
    } on the admin port with it as \`certificate\`, or \`clients\` in sandbox.yaml.`,
  );
}

/** The certificates that a client can use, by folder or thumbprint. */
function certificatesOf(client: Client, { identity }: ExplanationContext): string {
  const useful = [...client.thumbprints].filter((thumbprint) => !identity(thumbprint)?.folder.startsWith(misfitFolder));
  if (useful.length === 0) return "no certificate any more";
  const named = useful.map((thumbprint) => {
    const folder = identity(thumbprint)?.folder;
    return folder ? `${folder} (thumbprint ${thumbprint})` : `one with the thumbprint ${thumbprint}`;
  });
  return named.join(" and ");
}

function holderOfSubject({ subject }: PeerCertificate, { clients }: ExplanationContext): Client | undefined {
  return clients.all().find((client) => [...client.certificates.values()].some((facts) => facts.subject === subject));
}

/** The certificate belongs to another client than the requested one. */
export function explainOtherHolder(
  { holder, asked }: CauseOf<"certificate-of-another-client">,
  { peer }: Exchange,
  context: ExplanationContext,
): string {
  const name = peer.kind === "none" ? "" : `, ${nameOf(peer.certificate, context)},`;
  const other = context.clients.get(asked);
  return `The certificate of this connection${name} is registered for ${holder}, but client_id is ${asked}. Send client_id=${holder}, or connect with a certificate of ${asked}${other ? `, which has ${certificatesOf(other, context)}` : ""}.`;
}

/** For a certificate that is not valid at the sandbox's present time. */
export function explainValidity(
  cause: CauseOf<"certificate-expired"> | CauseOf<"certificate-not-yet-valid">,
  { peer, client, receivedAt }: Exchange,
  context: ExplanationContext,
): string {
  if (peer.kind === "none") return noCertificate;
  const { certificate } = peer;
  const name = `${nameOf(certificate, context)}${client ? `, registered for ${client.id}` : ""}`;
  const problem =
    cause.kind === "certificate-expired"
      ? `expired at ${instant(cause.notAfter)}; at the sandbox it is ${instant(cause.now)}, ${span(cause.now - cause.notAfter)} later`
      : `is valid only from ${instant(cause.notBefore)}; at the sandbox it is ${instant(cause.now)}, ${span(cause.notBefore - cause.now)} too early`;
  const facts = `The certificate of this connection, ${name}, ${problem}.`;
  // The certificate is valid by the machine's clock: `clockHint` reports that the sandbox's clock was moved.
  if (receivedAt >= certificate.notBefore && receivedAt <= certificate.notAfter) return facts;
  return paragraph(
    facts,
    madeToBeRefused(certificate, context),
    "Connect with one that is valid, such as clients/demo.",
    context.identity(certificate.thumbprint)?.folder.startsWith("clients/")
      ? "Those of the certs folder are renewed when the sandbox starts."
      : "",
    cause.kind === "certificate-not-yet-valid" ? "Or advance the clock: POST /clock on the admin port." : "",
  );
}

const likeness = {
  unregistered: "one that was never registered",
  expired: "one that has expired",
  revoked: "one that was revoked",
} as const;

const endings = {
  renewed: "was replaced by another one",
  expired: "was made to expire",
  revoked: "was revoked",
} as const;

/** For a certificate that ended before its dates say so. */
export function explainEnded(
  { how, like, at, now }: CauseOf<"certificate-ended">,
  { peer, client }: Exchange,
  context: ExplanationContext,
): string {
  if (peer.kind === "none") return noCertificate;
  const { certificate } = peer;
  const end = client?.ends?.get(certificate.thumbprint);
  return paragraph(
    `The certificate of this connection, ${nameOf(certificate, context)}${client ? `, registered for ${client.id}` : ""}, ${endings[how]} and ended at ${instant(at)}; at the sandbox it is ${instant(now)}. It is refused like ${likeness[like]}.`,
    end?.by === undefined
      ? ""
      : `Its successor, ${context.identity(end.by)?.folder ?? "a new certificate"}, has the thumbprint ${end.by}: read the files again, and open a new connection with them.`,
    client && end?.by === undefined ? `POST /clients/${client.id}/rotate on the admin port makes another one.` : "",
  );
}

/** The certificate is not for clients (RFC 5280 §4.2.1.3 and §4.2.1.12). */
export function explainUsage({ peer, client }: Exchange, context: ExplanationContext): string {
  if (peer.kind === "none") return noCertificate;
  return paragraph(
    `The certificate of this connection, ${nameOf(peer.certificate, context)}${client ? `, registered for ${client.id}` : ""}, is not for clients: its key usage or extended key usage does not permit client authentication.`,
    madeToBeRefused(peer.certificate, context),
    "Connect with one that has extendedKeyUsage clientAuth (and keyUsage digitalSignature), such as clients/demo.",
  );
}

/** For a token over a connection with another certificate than the one that it was issued for, or without one. */
export function explainBinding(
  { issuedTo, bound, used }: CauseOf<"token-of-another-certificate">,
  { peer }: Exchange,
  context: ExplanationContext,
): string {
  const { clients } = context;
  const registered = clients.get(issuedTo)?.certificates.get(bound);
  const boundName = context.identity(bound)?.folder ?? registered?.subject ?? "one that is no longer registered";
  const issued = `The access token was issued to ${issuedTo} for its certificate ${boundName} (thumbprint ${bound})`;
  if (used === undefined || peer.kind === "none") {
    return `${issued}, but this connection has no client certificate. Give the HTTP client that certificate and its key for every request, not only for the one that gets the token.`;
  }
  const holder = clients.byThumbprint(used);
  return paragraph(
    `${issued}, but this connection uses ${nameOf(peer.certificate, context)}, ${holder ? `registered for ${holder.id}` : "not registered for any client"}.`,
    registered?.subject === peer.certificate.subject
      ? "The two have the same subject, but a token is bound to the certificate itself: a renewed certificate needs a new token."
      : "",
    "Send a token only over the certificate that it was issued for: get a new one over this connection, and keep tokens by certificate.",
  );
}

const misfitFolder = "misfits/";

/** A certificate by its folder, or else by its subject, and by its thumbprint. */
function nameOf({ subject, thumbprint }: PeerCertificate, { identity }: ExplanationContext): string {
  const name = identity(thumbprint)?.folder ?? (subject === "" ? "one without a subject" : subject);
  return `${name} (thumbprint ${thumbprint})`;
}

function madeToBeRefused({ thumbprint }: PeerCertificate, { identity }: ExplanationContext): string {
  const known = identity(thumbprint);
  return known?.folder.startsWith(misfitFolder) ? ended(`It exists to be refused: ${known.purpose}`) : "";
}
