import type { Client } from "../clients.js";
import type { PeerCertificate } from "../connection/peer.js";
import type { Exchange } from "./exchange.js";
import type { ExplanationContext } from "./explanation-context.js";
import type { Cause } from "./refusal.js";
import { ended, instant, lowerFirst, paragraph, span } from "./words.js";

type CauseOf<Kind extends Cause["kind"]> = Extract<Cause, { kind: Kind }>;

/** Why a connection without a client certificate gets nowhere. */
export const noCertificate =
  "This connection has no client certificate. Give the HTTP client a certificate and its key, such as clients/demo/cert.pem and clients/demo/key.pem of the certs folder. Some clients send one only if it is set for this very host and port, and a proxy that ends TLS on the way takes it off.";

/** Why the certificate of a connection is registered for nobody, as far as can be known, and how to be served. */
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
    `The certificate of this connection, ${nameOf(certificate, context)}, is registered for no client.`,
    former === undefined ? "" : `It was registered for ${former}, until it or the client was deleted by the admin API.`,
    known && former === undefined ? ended(`It is there to be refused: ${known.purpose}`) : "",
    twin
      ? `Its subject is that of a certificate of ${twin.id}, but it is another certificate. Registration goes by the exact certificate, so one that was issued anew must be registered anew.`
      : "",
    !known && peer.chain === "untrusted"
      ? `No CA that the sandbox trusts has issued it: ${ended(lowerFirst(peer.chainReason))} That need not be wrong, for a certificate of any issuer can be registered.`
      : "",
    asked ? `The client ${asked.id} has ${certificatesOf(asked, context)}.` : "",
    `Connect with a certificate that is registered, such as clients/demo, or register this one: ${
      wanted ? `POST /clients/${wanted.id}/certificates` : "POST /clients"
    } on the admin port with it as \`certificate\`, or \`clients\` in sandbox.yaml.`,
  );
}

/** The certificates that a client can use, as people find them again. */
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
  // Nothing is wrong with it then but the sandbox's clock, which is spoken of elsewhere.
  if (receivedAt >= certificate.notBefore && receivedAt <= certificate.notAfter) return facts;
  return paragraph(
    facts,
    madeToBeRefused(certificate, context),
    "Connect with one that is valid, such as clients/demo.",
    context.identity(certificate.thumbprint)?.folder.startsWith("clients/")
      ? "Those of the certs folder are renewed when the sandbox starts."
      : "",
    cause.kind === "certificate-not-yet-valid" ? "Or advance the clock: POST /clock/advance on the admin port." : "",
  );
}

export function explainUsage({ peer, client }: Exchange, context: ExplanationContext): string {
  if (peer.kind === "none") return noCertificate;
  return paragraph(
    `The certificate of this connection, ${nameOf(peer.certificate, context)}${client ? `, registered for ${client.id}` : ""}, is not for clients: its key usage or extended key usage does not permit client authentication.`,
    madeToBeRefused(peer.certificate, context),
    "Connect with one that has extendedKeyUsage clientAuth (and keyUsage digitalSignature), such as clients/demo.",
  );
}

/** For a token that is sent over another certificate than the one it was issued for, or over none. */
export function explainBinding(
  { issuedTo, bound, used }: CauseOf<"token-of-another-certificate">,
  { peer }: Exchange,
  context: ExplanationContext,
): string {
  const { clients } = context;
  const registered = clients.get(issuedTo)?.certificates.get(bound);
  const boundName = context.identity(bound)?.folder ?? registered?.subject ?? "one that is not registered any more";
  const issued = `The access token was issued to ${issuedTo} for its certificate ${boundName} (thumbprint ${bound})`;
  if (used === undefined || peer.kind === "none") {
    return `${issued}, but this connection has no client certificate. Give the HTTP client that certificate and its key for every request, not only for the one that gets the token.`;
  }
  const holder = clients.byThumbprint(used);
  return paragraph(
    `${issued}, but this connection uses ${nameOf(peer.certificate, context)}, ${holder ? `registered for ${holder.id}` : "registered for no client"}.`,
    registered?.subject === peer.certificate.subject
      ? "The two have the same subject, but a token is bound to the certificate itself: one that was issued anew needs a token of its own."
      : "",
    "Send a token only over the certificate that it was issued for: get a new one over this connection, and keep tokens by certificate.",
  );
}

const misfitFolder = "misfits/";

/** A certificate as people find it again: by its folder, or else by its subject, and by its thumbprint. */
function nameOf({ subject, thumbprint }: PeerCertificate, { identity }: ExplanationContext): string {
  const name = identity(thumbprint)?.folder ?? (subject === "" ? "one without a subject" : subject);
  return `${name} (thumbprint ${thumbprint})`;
}

function madeToBeRefused({ thumbprint }: PeerCertificate, { identity }: ExplanationContext): string {
  const known = identity(thumbprint);
  return known?.folder.startsWith(misfitFolder) ? ended(`It is there to be refused: ${known.purpose}`) : "";
}
