import { constants } from "node:crypto";
import type { TlsOptions } from "node:tls";
import type { AlpnProtocol } from "../connection/alpn.js";
import type { PresentedCertificate } from "../connection/server-certificate.js";
import type { PresentedDefect } from "../connection/server-defect.js";
import { protocolName, type TlsVersionRange } from "../connection/tls-version.js";

/**
 * On TLS 1.2 only what RFC 9325 §4.2 recommends: ephemeral elliptic-curve key exchange with AES-GCM, for certificates
 * of both key types. The ciphers of TLS 1.3 need no selection.
 */
const CIPHERS = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
].join(":");

/** Each in PEM. The object identifies its TLS settings: pass the same one for the same certificate. */
export interface ServerCertificate {
  /** The server's certificate first, then the chain to its CA. */
  readonly certificate: string;
  readonly key: string;
  /** What is wrong with it on purpose. */
  readonly defect?: PresentedDefect;
  /** What the journal says of it. */
  readonly presented?: PresentedCertificate;
}

/**
 * The TLS settings of one server certificate: no session resumption: a resumed session shows the
 * certificate of its first handshake, which would break the binding of tokens to certificates (RFC 8705 §3).
 * @param namedIssuers issuers that are named to the client in the certificate request. Java, browsers and Windows send
 *   no certificate of any other issuer; an empty list makes them send the one they have, so that a refusal can say what
 *   is wrong with it.
 * @param alpn the versions of HTTP that are offered (RFC 7301), the preferred one first
 */
export function tlsOptions(
  identity: ServerCertificate,
  namedIssuers: readonly string[],
  alpn: readonly AlpnProtocol[],
  { min, max }: TlsVersionRange,
): TlsOptions {
  return {
    cert: identity.certificate,
    key: identity.key,
    // An empty list, not undefined: that would load the machine's own root certificates.
    ca: [...namedIssuers],
    requestCert: true,
    // Node would close the connection before the journal has its certificate.
    rejectUnauthorized: false,
    // HTTP/1.0 has a name of its own, which curl --http1.0 offers alone. A client that offers nothing gets HTTP/1.1 or
    // 1.0.
    ALPNProtocols: alpn.includes("http/1.1") ? [...alpn, "http/1.0"] : [...alpn],
    minVersion: protocolName(min),
    maxVersion: protocolName(max),
    // OpenSSL lets a server load a certificate that is signed with SHA-1, or has a short key, at this level only.
    ciphers: isWeak(identity) ? `${CIPHERS}:@SECLEVEL=0` : CIPHERS,
    honorCipherOrder: true,
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  };
}

function isWeak({ defect }: ServerCertificate): boolean {
  return defect?.defect === "sha1" || defect?.defect === "rsa-1024";
}
