import type { PeerCertificate } from "../connection/peer.js";
import type { PresentedCertificate } from "../connection/server-certificate.js";
import type { PresentedDefect } from "../connection/server-defect.js";
import type { OfferedVersions, TlsVersionRange } from "../connection/tls-version.js";

/** Why a TLS handshake failed. */
type HandshakeFailureCause =
  /** A certificate was required, and the client sent none. */
  | "no-client-certificate"
  | "client-certificate-untrusted"
  | "client-certificate-expired"
  | "client-certificate-not-yet-valid"
  /** Another one has replaced it, it was revoked or it has expired, and this is refused in the handshake. */
  | "client-certificate-ended"
  /** Its key usage or extended key usage does not permit TLS clients. */
  | "client-certificate-wrong-usage"
  /** The client sent an alert about our certificate: {@link HandshakeFailure.alert}. */
  | "client-refused-our-certificate"
  | "no-common-version"
  | "no-common-cipher"
  /** The client's ALPN list has no version of HTTP that the sandbox speaks, or there is no list and HTTP/1.1 is off. */
  | "no-common-application-protocol"
  | "plain-http"
  /** The input is neither TLS nor HTTP. */
  | "not-tls"
  | "time-out"
  /** The connection was reset on purpose; {@link HandshakeFailure.reason} names the fault. */
  | "reset-by-scenario"
  /** The handshake does not go on, on purpose; {@link HandshakeFailure.reason} names the fault. */
  | "held-by-scenario"
  | "closed-by-client"
  | "other";

/** The facts of a failed handshake. */
export interface HandshakeFailure {
  /** When it failed, in milliseconds since the epoch on the machine's clock. */
  readonly at: number;
  readonly cause: HandshakeFailureCause;
  /** OpenSSL's or the system's code, such as `ERR_SSL_NO_SHARED_CIPHER` or `ECONNRESET`. */
  readonly code: string | undefined;
  /** The alert that the client sent, as RFC 8446 §6 names it: `unknown_ca`. */
  readonly alert: string | undefined;
  /**
   * In words: what is wrong with the client's certificate, what was offered by ALPN, or which fault was injected; empty
   * for other causes.
   */
  readonly reason: string;
  /**
   * The versions of TLS of both sides, if they have no version or no cipher suite in common. What the client offers may
   * be unknown.
   */
  readonly versions?: { readonly offered: OfferedVersions | undefined; readonly spoken: TlsVersionRange } | undefined;
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** The host name that the client requested (SNI), if the handshake got that far. */
  readonly serverName: string | undefined;
  /** The TLS version that the client requested or that was agreed on, such as `TLSv1.1`. */
  readonly protocol: string | undefined;
  /** What was wrong on purpose with the certificate that the server presented. */
  readonly serverDefect: PresentedDefect | undefined;
  /** The certificate that the server presented. */
  readonly serverCertificate: PresentedCertificate | undefined;
  /** The client's certificate, if the server saw it. */
  readonly certificate: PeerCertificate | undefined;
  /** Bytes received: zero when a client only checked whether the port is open. */
  readonly bytesRead: number;
}

const CAUSES: Readonly<Record<string, HandshakeFailureCause>> = {
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: "no-client-certificate",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "no-common-version",
  ERR_SSL_VERSION_TOO_LOW: "no-common-version",
  ERR_SSL_NO_SHARED_CIPHER: "no-common-cipher",
  ERR_SSL_NO_SUITABLE_KEY_SHARE: "no-common-cipher",
  ERR_SSL_NO_SUITABLE_GROUPS: "no-common-cipher",
  ERR_SSL_NO_SUITABLE_SIGNATURE_ALGORITHM: "no-common-cipher",
  ERR_SSL_NO_APPLICATION_PROTOCOL: "no-common-application-protocol",
  ERR_SSL_HTTP_REQUEST: "plain-http",
  ERR_SSL_HTTPS_PROXY_REQUEST: "plain-http",
  ERR_SSL_WRONG_VERSION_NUMBER: "not-tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "not-tls",
  ECONNRESET: "closed-by-client",
  EPIPE: "closed-by-client",
};

/** RFC 8446 §6.2. A client sends these when it does not accept the server's certificate. */
const ALERT_CAUSES: Readonly<Record<string, HandshakeFailureCause>> = {
  unknown_ca: "client-refused-our-certificate",
  bad_certificate: "client-refused-our-certificate",
  certificate_unknown: "client-refused-our-certificate",
  certificate_expired: "client-refused-our-certificate",
  certificate_revoked: "client-refused-our-certificate",
  unsupported_certificate: "client-refused-our-certificate",
  // A signature that does not match: OpenSSL sends it when it trusts an older CA of the same name.
  decrypt_error: "client-refused-our-certificate",
  protocol_version: "no-common-version",
  user_cancelled: "closed-by-client",
};

/** @param error of the TLS socket; undefined when the client closed the connection */
export function classifyHandshakeError(error: unknown): Pick<HandshakeFailure, "cause" | "code" | "alert"> {
  if (error === undefined) return { cause: "closed-by-client", code: undefined, alert: undefined };
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  // The prefix differs by alert and by version of OpenSSL: TLSV1_ALERT_…, SSLV3_ALERT_…, SSL/TLS_ALERT_….
  const alert = code?.match(/_ALERT_([A-Z_]+)$/)?.[1]?.toLowerCase();
  const cause = alert === undefined ? CAUSES[code ?? ""] : ALERT_CAUSES[alert];
  return { cause: cause ?? "other", code, alert };
}
