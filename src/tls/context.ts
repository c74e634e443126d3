import { constants } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";

/**
 * On TLS 1.2 only what RFC 9325 §4.2 recommends: ephemeral elliptic-curve key exchange with AES-GCM, for certificates of both key
 * types. TLS 1.3 has no others worth leaving out.
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

export interface ServerIdentity {
  /** PEM; the certificate first, then what leads to the CA. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  /**
   * Issuers that are named to the client in the certificate request. Java, browsers and Windows send no certificate of any other
   * issuer; an empty list makes them send the one they have, so that a refusal can say what is wrong with it.
   */
  readonly namedIssuers: readonly string[];
}

/**
 * The TLS settings of one server identity: TLS 1.2 and 1.3, no session resumption of any kind.
 *
 * A resumed session shows the certificate of the session's first handshake, whatever the client presents now, and so would break
 * the binding of tokens to certificates (RFC 8705 §3).
 */
export function createServerContext(identity: ServerIdentity): SecureContext {
  return createSecureContext({
    cert: identity.certificate,
    key: identity.key,
    // An empty list, not undefined: that would load the machine's own root certificates.
    ca: [...identity.namedIssuers],
    minVersion: "TLSv1.2",
    maxVersion: "TLSv1.3",
    ciphers: CIPHERS,
    honorCipherOrder: true,
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  });
}
