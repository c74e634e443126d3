import { once } from "node:events";
import { Duplex } from "node:stream";
import { describe, expect, test } from "vitest";
import { issueCertificate, issueTestCertificates } from "../../support/certificates.js";
import { openTcp, type RawTlsOptions } from "../../support/raw-client.js";
import { certificates, eventually, startServer, type TestServer } from "./fixture.js";

const request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/** Exchanges one request, and returns the session that the client could resume. */
async function exchange(
  server: TestServer,
  options: Partial<RawTlsOptions>,
  offered?: Buffer,
): Promise<{ session: Buffer | undefined; reused: boolean }> {
  let session: Buffer | undefined;
  const client = server.start({ ...options, ...(offered && { session: offered }) });
  client.socket.on("session", (given: Buffer) => {
    session = given;
  });
  await once(client.socket, "secureConnect");
  const reused = client.socket.isSessionReused();
  await client.sendAndClose(request);
  expect(client.received).toContain("200 OK");
  return { session: session ?? client.socket.getSession(), reused };
}

describe.each(["TLSv1.2", "TLSv1.3"] as const)("%s", (version) => {
  test("is supported, with the client's certificate", async () => {
    const server = await startServer();
    await exchange(server, { minVersion: version, maxVersion: version, ...pick(certificates.client) });
    expect(server.requests[0]?.connection.facts.protocol).toBe(version);
    expect(server.requests[0]?.peer).toMatchObject({ kind: "certificate", chain: "trusted" });
  });
});

function pick({ cert, key }: { cert: string; key: string }): { cert: string; key: string } {
  return { cert, key };
}

test.each(["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384"])(
  "TLS 1.2 with %s, for an EC certificate",
  async (ciphers) => {
    const server = await startServer();
    await exchange(server, { maxVersion: "TLSv1.2", ciphers });
    expect(server.requests[0]?.connection.facts.cipher).toContain("TLS_ECDHE_ECDSA_WITH_AES_");
  },
);

test("TLS 1.2 with RSA certificates of server and client", async () => {
  const rsa = issueTestCertificates("rsa");
  const server = await startServer({
    certificate: rsa.server.cert,
    key: rsa.server.key,
    trustedCas: [rsa.ca.cert],
  });
  for (const ciphers of ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384"]) {
    await exchange(server, { maxVersion: "TLSv1.2", ciphers, ca: rsa.ca.cert, ...pick(rsa.client) });
  }
  expect(server.requests.map(({ connection }) => connection.facts.cipher)).toEqual([
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
  ]);
  expect(server.requests[0]?.peer).toMatchObject({ kind: "certificate", chain: "trusted" });
});

test.each([
  ["CBC", "ECDHE-ECDSA-AES128-SHA256"],
  ["ChaCha20", "ECDHE-ECDSA-CHACHA20-POLY1305"],
  ["no forward secrecy", "AES128-GCM-SHA256"],
])("TLS 1.2 with %s is refused", async (_name, ciphers) => {
  const server = await startServer();
  const client = server.start({ maxVersion: "TLSv1.2", ciphers });
  await client.closed;
  expect(client.errorCode).toContain("HANDSHAKE_FAILURE");
  await eventually(() => server.failures.length === 1);
  expect(server.failures[0]).toMatchObject({
    cause: "no-common-cipher",
    code: "ERR_SSL_NO_SHARED_CIPHER",
    serverName: "localhost",
  });
});

test.each(["TLSv1", "TLSv1.1"] as const)("%s is refused", async (version) => {
  const server = await startServer();
  const client = server.start({ minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" });
  await client.closed;
  await eventually(() => server.failures.length === 1);
  expect(server.failures[0]).toMatchObject({
    cause: "no-common-version",
    protocol: version,
    remoteAddress: "127.0.0.1",
  });
});

describe("ALPN", () => {
  test.each([
    { alpn: ["h2", "http/1.1"], offered: ["http/1.1", "h2"], chosen: "h2" },
    { alpn: ["http/1.1", "h2"], offered: ["http/1.1", "h2"], chosen: "http/1.1" },
    { alpn: ["http/1.1"], offered: ["h2", "http/1.1"], chosen: "http/1.1" },
    { alpn: ["h2"], offered: ["h2", "http/1.1"], chosen: "h2" },
    { alpn: ["h2", "http/1.1"], offered: undefined, chosen: false },
  ] as const)("from $alpn and $offered, $chosen is chosen", async ({ alpn, offered, chosen }) => {
    const server = await startServer({ alpn });
    const client = await server.open(offered && { ALPNProtocols: [...offered] });
    expect(client.socket.alpnProtocol).toBe(chosen);
  });

  test.each([
    { alpn: ["http/1.1"], offered: "h2" },
    { alpn: ["h2"], offered: "http/1.1" },
  ] as const)("a client that supports only $offered gets an alert if that is off", async ({ alpn, offered }) => {
    const server = await startServer({ alpn });
    const client = server.start({ ALPNProtocols: [offered] });
    await client.closed;
    expect(client.errorCode).toContain("NO_APPLICATION_PROTOCOL");
    await eventually(() => server.failures.length === 1);
    expect(server.failures[0]?.cause).toBe("no-common-application-protocol");
  });

  test("if HTTP/1.1 is off, a client that offers nothing is not served", async () => {
    const server = await startServer({ alpn: ["h2"] });
    await server.start().closed;
    await eventually(() => server.failures.length === 1);
    expect(server.failures[0]).toMatchObject({
      cause: "no-common-application-protocol",
      reason: 'By ALPN the client offers nothing; the sandbox offers "h2"',
    });
  });
});

// Node's client sends its certificate whatever issuers are named; Java, browsers and Windows do not do that.
test.each([
  { clientCertificate: "request", named: false },
  { clientCertificate: "require", named: true },
] as const)("$clientCertificate: issuers are named to the client: $named", async ({ clientCertificate, named }) => {
  const issuer = issueCertificate({ commonName: "A CA of that name", ca: true });
  const server = await startServer({ clientCertificate, trustedCas: [certificates.ca.cert, issuer.cert] });
  // In TLS 1.2 the certificate request is not encrypted.
  const tcp = await openTcp(server.port);
  const tap = new Duplex({ read() {}, write: (chunk, _encoding, done) => void tcp.socket.write(chunk, done) });
  tcp.socket.on("data", (chunk: Buffer) => tap.push(chunk));
  await server.open({ socket: tap, maxVersion: "TLSv1.2", ...pick(certificates.client) });
  expect(tcp.received.includes("A CA of that name")).toBe(named);
});
