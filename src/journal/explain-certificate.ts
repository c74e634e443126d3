import type { Client } from "../clients.js";
import type { PeerCertificate } from "../peer.js";
import type { Exchange } from "./exchange.js";
import type { ExplanationContext } from "./explain.js";
import type { Cause } from "./refusal.js";
import { ended, instant, paragraph, span } from "./words.js";

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
    `The certificate of this connection, ${nameOf(certificate, context)}, thumbprint ${certificate.thumbprint}, is registered for no client.`,
    former === undefined ? "" : `It was registered for ${former}, until it or the client was deleted by the admin API.`,
    known && former === undefined ? ended(`It is there to be refused: ${known.purpose}`) : "",
    twin
      ? `Its subject is that of a certificate of ${twin.id}, but it is another certificate. Registration goes by the exact certificate, so one that was issued anew must be registered anew.`
      : "",
    !known && peer.chain === "untrusted"
      ? `No CA that the sandbox trusts has issued it: ${ended(peer.chainReason)} That need not be wrong, for a certificate of any issuer can be registered.`
      : "",
    asked ? registeredWith(asked, context) : "",
    `Connect with a certificate that is registered, such as clients/demo, or register this one: ${
      wanted ? `POST /clients/${wanted.id}/certificates` : "POST /clients"
    } on the admin port with it as \`certificate\`, or \`clients\` in sandbox.yaml.`,
  );
}

function registeredWith(client: Client, context: ExplanationContext): string {
  const named = [...client.thumbprints].map((thumbprint) => {
    const folder = context.identity(thumbprint)?.folder;
    return folder?.startsWith("misfits/") ? undefined : `${folder ? `${folder}, ` : ""}thumbprint ${thumbprint}`;
  });
  const useful = named.filter((name) => name !== undefined);
  return useful.length === 0
    ? `The client ${client.id} has no certificate any more.`
    : `The client ${client.id} is registered with ${useful.join("; or ")}.`;
}

function holderOfSubject({ subject }: PeerCertificate, { clients }: ExplanationContext): Client | undefined {
  return clients.all().find((client) => [...client.certificates.values()].some((facts) => facts.subject === subject));
}

export function explainOtherHolder({ holder, asked }: CauseOf<"certificate-of-another-client">): string {
  return `The certificate of this connection is registered for ${holder}, but client_id is ${asked}. Send client_id=${holder}, or connect with the certificate of ${asked}.`;
}

/** For a certificate that is not valid at the sandbox's present time. */
export function explainValidity(
  cause: CauseOf<"certificate-expired"> | CauseOf<"certificate-not-yet-valid">,
  { peer, client }: Exchange,
  context: ExplanationContext,
): string {
  if (peer.kind === "none") return noCertificate;
  const name = nameOf(peer.certificate, context);
  const holder = client ? ` (registered for ${client.id})` : "";
  const folder = context.identity(peer.certificate.thumbprint)?.folder;
  const misfit = madeToBeRefused(peer.certificate, context);
  if (cause.kind === "certificate-not-yet-valid") {
    return paragraph(
      `The certificate of this connection, ${name}${holder}, is valid only from ${instant(cause.notBefore)}; at the sandbox it is ${instant(cause.now)}, ${span(cause.notBefore - cause.now)} before.`,
      misfit,
      "Connect with a certificate that is valid, such as clients/demo, or advance the clock (POST /clock/advance on the admin port).",
    );
  }
  return paragraph(
    `The certificate of this connection, ${name}${holder}, expired at ${instant(cause.notAfter)}; at the sandbox it is ${instant(cause.now)}, ${span(cause.now - cause.notAfter)} later.`,
    misfit,
    "Connect with a certificate that is valid.",
    folder?.startsWith("clients/") ? "Those of the certs folder are renewed when the sandbox starts." : "",
  );
}

export function explainUsage({ peer, client }: Exchange, context: ExplanationContext): string {
  if (peer.kind === "none") return noCertificate;
  return paragraph(
    `The certificate of this connection, ${nameOf(peer.certificate, context)}${client ? ` (registered for ${client.id})` : ""}, is not for clients: its key usage or extended key usage does not permit client authentication.`,
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
  const folder = context.identity(bound)?.folder;
  const boundName = [folder, registered?.subject].filter(Boolean).join(", ");
  const issued = `The access token was issued to ${issuedTo} for the certificate with thumbprint ${bound}${boundName ? ` (${boundName})` : ""}${clients.byThumbprint(bound) ? "" : ", which is registered no more"};`;
  if (used === undefined || peer.kind === "none") {
    return `${issued} this connection has no client certificate. Send the token over a connection with that certificate: give the HTTP client certificate and key for every request, not only for the token.`;
  }
  const holder = clients.byThumbprint(used);
  const sameSubject = registered?.subject === peer.certificate.subject;
  return paragraph(
    `${issued} this connection uses the one with thumbprint ${used} (${nameOf(peer.certificate, context)}, ${holder ? `registered for ${holder.id}` : "registered for no client"}).`,
    sameSubject
      ? "The two have the same subject, but a token is bound to the certificate itself: one that was issued anew needs a token of its own."
      : "",
    "Send a token only over the certificate that it was issued for: get a new one over this connection, and keep tokens by certificate.",
  );
}

/** A certificate as people find it again: its folder where it has one, and its subject. */
function nameOf({ subject, thumbprint }: PeerCertificate, { identity }: ExplanationContext): string {
  const folder = identity(thumbprint)?.folder;
  const named = subject === "" ? "without a subject" : subject;
  return folder ? `${folder} (${named})` : named;
}

function madeToBeRefused({ thumbprint }: PeerCertificate, { identity }: ExplanationContext): string {
  const known = identity(thumbprint);
  return known?.folder.startsWith("misfits/") ? ended(`It is there to be refused: ${known.purpose}`) : "";
}
