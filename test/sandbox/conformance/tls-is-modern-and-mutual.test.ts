import { X509Certificate } from "node:crypto";
import type { PeerCertificate } from "node:tls";
import { expect, it } from "vitest";
import { openTls, type RawTlsOptions, startTls } from "../../support/raw-client.js";
import { sharedSandbox, versions } from "./sandbox.js";

// §5 point 1: every call uses mutual TLS. RFC 9325 for versions and ciphers.
const sandbox = sharedSandbox();

const open = (options: Partial<RawTlsOptions> = {}) =>
  openTls({ port: sandbox().port, ca: sandbox().ca, ...sandbox().identity("demo"), ...options });

it.each(versions)("%s is supported, with a certificate that is valid for every standing name", async (version) => {
  for (const servername of ["localhost", "sandbox", "host.docker.internal"]) {
    const client = await open({ minVersion: version, maxVersion: version, servername });
    expect([client.socket.authorized, client.socket.getProtocol()]).toEqual([true, version]);
    client.socket.destroy();
  }
});

/** OpenSSL's own check: Node 22.23 compares addresses as texts, and does not find ::1. */
function checkAddress(host: string, { raw }: PeerCertificate): Error | undefined {
  return new X509Certificate(raw).checkIP(host) === undefined ? new Error(`not for ${host}`) : undefined;
}

it("127.0.0.1 and ::1 are names of the certificate, and the server listens on both", async () => {
  for (const host of ["127.0.0.1", "::1"]) {
    const client = await open({ host, servername: "", checkServerIdentity: checkAddress });
    expect(client.socket.authorized).toBe(true);
    client.socket.destroy();
  }
});

it.each<[string, Partial<RawTlsOptions>]>([
  ["TLS 1.1", { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }],
  ["TLS 1.0", { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" }],
  ["CBC", { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA" }],
  ["RSA key exchange", { maxVersion: "TLSv1.2", ciphers: "AES128-GCM-SHA256:AES256-GCM-SHA384" }],
  ["finite-field DH", { maxVersion: "TLSv1.2", ciphers: "DHE-RSA-AES128-GCM-SHA256" }],
  ["no cipher that authenticates", { maxVersion: "TLSv1.2", ciphers: "aNULL@SECLEVEL=0" }],
  ["a protocol that is not HTTP", { ALPNProtocols: ["smtp"] }],
])("%s is refused in the handshake", async (_name, options) => {
  const client = startTls({ port: sandbox().port, ca: sandbox().ca, ...options });
  const connected = new Promise<string>((resolve) => client.socket.once("secureConnect", () => resolve("connected")));
  const outcome = await Promise.race([connected, client.closed.then(() => client.errorCode ?? "closed")]);
  expect(outcome).toMatch(/^(ERR_SSL_|ECONNRESET|closed)/);
});

it.each([
  { offered: ["h2", "http/1.1"], chosen: "h2" },
  { offered: ["http/1.1", "h2"], chosen: "h2" },
  { offered: ["http/1.1"], chosen: "http/1.1" },
  { offered: ["http/1.0"], chosen: "http/1.0" },
])("from $offered, ALPN selects $chosen", async ({ offered, chosen }) => {
  const client = await open({ ALPNProtocols: offered });
  expect(client.socket.alpnProtocol).toBe(chosen);
  client.socket.destroy();
});

it("a client that trusts another CA does not connect", async () => {
  const client = startTls({ port: sandbox().port, ca: sandbox().file("misfits/untrusted/cert.pem") });
  await client.closed;
  expect(client.errorCode).toMatch(/^(UNABLE_TO|SELF_SIGNED|CERT_)/);
});
