import { lowerFirst } from "../../../base/text/letters.js";
import { quote } from "../../../base/text/printable.js";
import type { CertificateEnd, Client } from "../../clients.js";
import type { PeerCertificate } from "../../connection/peer.js";
import { ended, instant, paragraph, span } from "../format.js";
import type { CauseKind, KnownParties, RefusedRequest } from "./cause-kind.js";

/** The causes that are in a certificate, and in the client for which it is registered. */
export const certificateCauses = {
  "no-certificate": {
    explain: (_facts: object, { connection }) =>
      connection?.namesCas ? `${noCertificate} ${namedCas}` : noCertificate,
    partOf: () => "certificate.handshake",
  },
  "certificate-unregistered": {
    explain: (_facts: object, request, sandbox) => explainUnregistered(request, sandbox),
    partOf: () => "certificate.registration",
  },
  "certificate-of-another-client": {
    explain({ holder, asked }: { holder: string; asked: string }, { peer }, sandbox) {
      const name = peer.kind === "none" ? "" : `, ${nameOf(peer.certificate, sandbox)},`;
      const other = sandbox.clients.get(asked);
      return `The certificate of this connection${name} is registered for ${holder}, but client_id is ${asked}. Send client_id=${holder}, or connect with a certificate of ${asked}${other ? `, which has ${certificatesOf(other, sandbox)}` : ""}.`;
    },
  },
  "unknown-client": {
    explain: ({ asked }: { asked: string }, { client }) =>
      `There is no client ${quote(asked)}. The certificate of this connection belongs to ${client?.id}: send client_id=${client?.id}, or register the client (POST /clients on the admin port, or \`clients\` in sandbox.yaml).`,
  },
  "certificate-expired": {
    explain: ({ notAfter, now }: { notAfter: number; now: number }, request, sandbox) =>
      explainValidity(
        `expired at ${instant(notAfter)}; at the sandbox it is ${instant(now)}, ${span(now - notAfter)} later`,
        "",
        request,
        sandbox,
      ),
    partOf: () => "certificate.validity",
    dependsOnTime: () => true,
  },
  "certificate-not-yet-valid": {
    explain: ({ notBefore, now }: { notBefore: number; now: number }, request, sandbox) =>
      explainValidity(
        `is valid only from ${instant(notBefore)}; at the sandbox it is ${instant(now)}, ${span(notBefore - now)} too early`,
        "Or advance the clock: POST /clock on the admin port.",
        request,
        sandbox,
      ),
    partOf: () => "certificate.validity",
    dependsOnTime: () => true,
  },
  "certificate-ended": {
    explain: explainEnded,
    partOf: () => "certificate.end",
    dependsOnTime: () => true,
  },
  "certificate-usage": {
    explain: (_facts: object, { peer, client }, sandbox) =>
      peer.kind === "none"
        ? noCertificate
        : paragraph(
            `The certificate of this connection, ${nameOf(peer.certificate, sandbox)}${client ? `, registered for ${client.id}` : ""}, is not for clients: its key usage or extended key usage does not permit client authentication.`,
            madeToBeRefused(peer.certificate, sandbox),
            "Connect with one that has extendedKeyUsage clientAuth (and keyUsage digitalSignature), such as clients/demo.",
          ),
    partOf: () => "certificate.usage",
  },
} as const satisfies Record<string, CauseKind>;

/** For a connection without a client certificate. */
const noCertificate =
  "This connection has no client certificate. Give the HTTP client a certificate and its key, such as clients/demo/cert.pem and clients/demo/key.pem of the certs folder. Some clients send one only if it is set for exactly this host and port. A proxy that terminates TLS removes it. .NET sends none, without a word, if its extended key usage lacks clientAuth, or if its key is not in a store that the process may read.";

const namedCas =
  "The handshake named CAs (tls.caNames): clients of Java and Go send no certificate of another issuer, so register the client with its certificate, not with a thumbprint alone.";

/** For a certificate that is not registered: the known facts about it, and how to connect. */
function explainUnregistered({ peer, form }: RefusedRequest, sandbox: KnownParties): string {
  if (peer.kind === "none") return noCertificate;
  const { certificate } = peer;
  const { clients } = sandbox;
  const former = clients.formerHolder(certificate.thumbprint);
  const known = sandbox.identity(certificate.thumbprint);
  const twin = known || former ? undefined : holderOfSubject(certificate, sandbox);
  const asked = clients.get(form?.get("client_id")?.[0] ?? "");
  const wanted = asked ?? clients.get(former ?? "") ?? twin;
  return paragraph(
    `The certificate of this connection, ${nameOf(certificate, sandbox)}, is not registered for any client.`,
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
    asked ? `The client ${asked.id} has ${certificatesOf(asked, sandbox)}.` : "",
    `Connect with a certificate that is registered, such as clients/demo, or register this one: ${
      wanted ? `POST /clients/${wanted.id}/certificates` : "POST /clients"
    } on the admin port with it as \`certificate\`, or \`clients\` in sandbox.yaml.`,
  );
}

/** The certificates that a client can use, by folder or thumbprint. */
function certificatesOf(client: Client, { identity }: KnownParties): string {
  const useful = [...client.thumbprints].filter((thumbprint) => !identity(thumbprint)?.folder.startsWith(misfitFolder));
  if (useful.length === 0) return "no certificate any more";
  const named = useful.map((thumbprint) => {
    const folder = identity(thumbprint)?.folder;
    return folder ? `${folder} (thumbprint ${thumbprint})` : `one with the thumbprint ${thumbprint}`;
  });
  return named.join(" and ");
}

function holderOfSubject({ subject }: PeerCertificate, { clients }: KnownParties): Client | undefined {
  return clients.all().find((client) => [...client.certificates.values()].some((facts) => facts.subject === subject));
}

/** For a certificate that is not valid at the sandbox's present time. */
function explainValidity(
  problem: string,
  fix: string,
  { peer, client, receivedAt }: RefusedRequest,
  sandbox: KnownParties,
): string {
  if (peer.kind === "none") return noCertificate;
  const { certificate } = peer;
  const name = `${nameOf(certificate, sandbox)}${client ? `, registered for ${client.id}` : ""}`;
  const facts = `The certificate of this connection, ${name}, ${problem}.`;
  // The certificate is valid by the machine's clock: the explanation says that the sandbox's clock was moved.
  if (receivedAt >= certificate.notBefore && receivedAt <= certificate.notAfter) return facts;
  return paragraph(
    facts,
    madeToBeRefused(certificate, sandbox),
    "Connect with one that is valid, such as clients/demo.",
    sandbox.identity(certificate.thumbprint)?.folder.startsWith("clients/")
      ? "Those of the certs folder are renewed when the sandbox starts."
      : "",
    fix,
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

type EndedCertificate = {
  readonly how: CertificateEnd["how"];
  /** What it is refused as (assumption `certificate.end`). */
  readonly like: keyof typeof likeness;
  readonly at: number;
  readonly now: number;
};

/** For a certificate that ended before its dates say so. */
function explainEnded(
  { how, like, at, now }: EndedCertificate,
  { peer, client }: RefusedRequest,
  sandbox: KnownParties,
): string {
  if (peer.kind === "none") return noCertificate;
  const { certificate } = peer;
  const end = client?.ends?.get(certificate.thumbprint);
  return paragraph(
    `The certificate of this connection, ${nameOf(certificate, sandbox)}${client ? `, registered for ${client.id}` : ""}, ${endings[how]} and ended at ${instant(at)}; at the sandbox it is ${instant(now)}. It is refused like ${likeness[like]}.`,
    end?.by === undefined
      ? ""
      : `Its successor, ${sandbox.identity(end.by)?.folder ?? "a new certificate"}, has the thumbprint ${end.by}: read the files again, and open a new connection with them.`,
    client && end?.by === undefined ? `POST /clients/${client.id}/rotate on the admin port makes another one.` : "",
  );
}

const misfitFolder = "misfits/";

/** Names a certificate by its folder, or else by its subject, and by its thumbprint. */
export function nameOf({ subject, thumbprint }: PeerCertificate, { identity }: KnownParties): string {
  const name = identity(thumbprint)?.folder ?? (subject === "" ? "one without a subject" : subject);
  return `${name} (thumbprint ${thumbprint})`;
}

function madeToBeRefused({ thumbprint }: PeerCertificate, { identity }: KnownParties): string {
  const known = identity(thumbprint);
  return known?.folder.startsWith(misfitFolder) ? ended(`It exists to be refused: ${known.purpose}`) : "";
}
