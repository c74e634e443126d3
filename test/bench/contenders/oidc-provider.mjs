// oidc-provider with client authentication by certificate (RFC 8705 §2.1) and certificate-bound tokens (§3): opaque
// tokens in its own in-memory adapter, or JWTs signed with ES256.
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import Provider from "oidc-provider";
import { tlsOptions, told } from "./tls.mjs";

const { port, certs, jwt } = told;
const registered = new X509Certificate(readFileSync(certs.client.cert));
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** The socket parses the certificate on every call; a connection has only one. */
const certificates = new WeakMap();
function certificateOf({ req: { socket } }) {
  if (!certificates.has(socket)) certificates.set(socket, socket.getPeerX509Certificate());
  return certificates.get(socket);
}

const provider = new Provider(`https://localhost:${port}`, {
  clients: [
    {
      client_id: "demo",
      grant_types: ["client_credentials"],
      id_token_signed_response_alg: "ES256",
      redirect_uris: [],
      response_types: [],
      scope: "read",
      token_endpoint_auth_method: "tls_client_auth",
      tls_client_auth_subject_dn: registered.subject,
      tls_client_certificate_bound_access_tokens: true,
    },
  ],
  clientAuthMethods: ["tls_client_auth"],
  scopes: ["read"],
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "bench", alg: "ES256", use: "sig" }] },
  ttl: { ClientCredentials: 300 },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    mTLS: {
      enabled: true,
      certificateBoundAccessTokens: true,
      tlsClientAuth: true,
      getCertificate: certificateOf,
      certificateAuthorized: ({ req: { socket } }) => socket.authorized,
      certificateSubjectMatches: (context, property, expected) =>
        property === "tls_client_auth_subject_dn" && certificateOf(context).subject === expected,
    },
    resourceIndicators: jwt
      ? {
          enabled: true,
          defaultResource: () => "urn:bench",
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: "read",
            accessTokenFormat: "jwt",
            accessTokenTTL: 300,
            jwt: { sign: { alg: "ES256" } },
          }),
        }
      : { enabled: false },
  },
});
createServer(tlsOptions(certs), provider.callback()).listen(port, "127.0.0.1");
