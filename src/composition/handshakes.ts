import type { Clock } from "../clock.js";
import type { PeerCertificate } from "../connection/peer.js";
import type { HandshakeCertificate, HandshakeRecord } from "../journal/journal.js";
import type { Connection } from "../tls/connection.js";
import type { HandshakeFailure } from "../tls/handshake-failure.js";

/** A failed handshake as the journal keeps it; undefined for a mere look at whether the port is open. */
export function failedHandshake(failure: HandshakeFailure): HandshakeRecord | undefined {
  if (failure.bytesRead === 0 && failure.cause !== "time-out") return undefined;
  const { certificate, ...facts } = failure;
  return {
    ...facts,
    certificate: certificate && kept(certificate),
  };
}

/** A connection that was closed without a request, as the journal keeps it. */
export function unusedConnection(connection: Connection, clock: Clock): HandshakeRecord {
  const { remoteAddress, remotePort, serverName, protocol, serverDefect, peer } = connection;
  return {
    at: clock.now(),
    cause: "no-request",
    code: undefined,
    alert: undefined,
    reason: "",
    remoteAddress,
    remotePort,
    serverName,
    protocol,
    serverDefect,
    certificate: peer.kind === "certificate" ? kept(peer.certificate) : undefined,
  };
}

/** What the journal keeps of a certificate. */
function kept({ subject, thumbprint, notBefore, notAfter }: PeerCertificate): HandshakeCertificate {
  return { subject, thumbprint, notBefore, notAfter };
}
