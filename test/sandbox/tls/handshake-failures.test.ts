import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { classifyHandshakeError, type HandshakeFailure } from "../../../src/sandbox/tls/handshake-failure.js";
import { extendedKeyUsage, issueCertificate, purpose } from "../../support/certificates.js";
import { openTcp, parseResponses } from "../../support/raw-client.js";
import { certificates, eventually, startServer, type TestServer } from "./fixture.js";

const { ca, client, expired, otherCa, untrusted } = certificates;
const request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

async function onlyFailure(server: TestServer): Promise<HandshakeFailure | undefined> {
  await eventually(() => server.failures.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(server.failures).toHaveLength(1);
  expect(server.requests).toHaveLength(0);
  return server.failures[0];
}

describe.each(["TLSv1.2", "TLSv1.3"] as const)("a certificate is required (%s)", (version) => {
  const options = { minVersion: version, maxVersion: version };

  test("none is sent", async () => {
    const server = await startServer({ clientCertificate: "require" });
    const none = server.start(options);
    await none.closed;
    expect(none.received).toBe("");
    expect(await onlyFailure(server)).toMatchObject({
      cause: "no-client-certificate",
      code: undefined,
      remoteAddress: "127.0.0.1",
      remotePort: expect.any(Number),
      serverName: "localhost",
      protocol: version,
      certificate: undefined,
    });
  });

  const notYet = issueCertificate({ commonName: "not yet", issuer: ca, notBefore: Date.now() + 3_600_000 });
  const wrong = issueCertificate({ commonName: "w", issuer: ca, extensions: [extendedKeyUsage(purpose.server)] });
  test.each([
    ["an untrusted one", untrusted, "client-certificate-untrusted", /not signed by the trusted CA/],
    ["an expired one", expired, "client-certificate-expired", /expired/],
    ["one of the future", notYet, "client-certificate-not-yet-valid", /not begun/],
    ["one for servers", wrong, "client-certificate-wrong-usage", /does not permit client authentication/],
  ])("%s is sent", async (_name, { cert, key, x509 }, cause, reason) => {
    const server = await startServer({ clientCertificate: "require" });
    const refused = server.start({ ...options, cert, key });
    refused.send(request);
    await refused.closed;
    expect(refused.received).toBe("");
    const failure = await onlyFailure(server);
    expect(failure).toMatchObject({ cause, protocol: version, certificate: { serialNumber: x509.serialNumber } });
    expect(failure?.reason).toMatch(reason);
  });

  test("the given clock decides on validity, too", async () => {
    const server = await startServer({
      clientCertificate: "require",
      clock: { now: () => Date.parse(client.x509.validTo) + 1_000 },
    });
    const late = server.start({ ...options, cert: client.cert, key: client.key });
    late.send(request);
    await late.closed;
    expect(await onlyFailure(server)).toMatchObject({ cause: "client-certificate-expired", code: "CERT_HAS_EXPIRED" });
  });

  test("a client that refuses our certificate without an alert, like Node's, is reported once", async () => {
    const server = await startServer();
    const client = server.start({ ...options, ca: otherCa.cert });
    await client.closed;
    expect(client.errorCode).toBeDefined();
    await eventually(() => server.unused.length + server.failures.length === 1);
    expect([...server.unused.map(({ facts }) => facts), ...server.failures][0]).toMatchObject({
      remoteAddress: "127.0.0.1",
    });
  });
});

/** The message that ends the server's first flight in TLS 1.2. */
const SERVER_HELLO_DONE = "\x0e\0\0\0";

/** The first message of a client of TLS 1.2 with ECDHE-ECDSA-AES128-GCM-SHA256 and P-256 (RFC 5246 §7.4.1.2). */
function clientHello(): string {
  const extensions = "000a000400020017" + "000b00020100" + "000d000400020403";
  const random = "5a".repeat(32);
  const body = `0303${random}00${"0002c02b"}0100${hexLength(extensions, 2)}${extensions}`;
  const message = `01${hexLength(body, 3)}${body}`;
  return Buffer.from(`160301${hexLength(message, 2)}${message}`, "hex").toString("latin1");
}

function hexLength(hex: string, bytes: number): string {
  return (hex.length / 2).toString(16).padStart(2 * bytes, "0");
}

describe("alerts of clients that refuse our certificate", () => {
  test.each([
    ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "unknown_ca"],
    ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN", "certificate_unknown"],
    ["ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", "bad_certificate"],
    ["ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE", "bad_certificate"],
    ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED", "certificate_expired"],
    ["ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED", "certificate_expired"],
    ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED", "certificate_revoked"],
    ["ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE", "unsupported_certificate"],
  ])("%s", (code, alert) => {
    const error = Object.assign(new Error("x"), { code });
    expect(classifyHandshakeError(error)).toEqual({ cause: "client-refused-our-certificate", code, alert });
  });

  test("another alert is not treated as one of them", () => {
    const error = Object.assign(new Error("x"), { code: "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR" });
    expect(classifyHandshakeError(error)).toMatchObject({ cause: "other", alert: "internal_error" });
  });

  // Bytes of an alert record: type 21, TLS 1.2, length 2, fatal. Before the server has sent its key, alerts are plain
  // text.
  test.each([
    [48, "unknown_ca"],
    [46, "certificate_unknown"],
    [42, "bad_certificate"],
    [45, "certificate_expired"],
    [51, "decrypt_error"],
  ])("alert %i on the wire is %s", async (number, alert) => {
    const server = await startServer();
    const tcp = await openTcp(server.port);
    tcp.send(clientHello());
    await tcp.waitFor(SERVER_HELLO_DONE);
    tcp.send(String.fromCharCode(21, 3, 3, 0, 2, 2, number));
    await tcp.closed;
    expect(await onlyFailure(server)).toMatchObject({ cause: "client-refused-our-certificate", alert });
  });
});

describe("plain HTTP", () => {
  test.each([
    ["a GET", request],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("%s is answered with the error object", async (_name, text) => {
    const server = await startServer();
    const tcp = await openTcp(server.port);
    tcp.send(text);
    await tcp.waitFor(/\}$/);
    // A client that continues to send still gets the answer.
    for (let i = 0; i < 20; i++) tcp.send("x".repeat(100_000));
    tcp.socket.end();
    await tcp.closed;
    expect(tcp.errorCode).toBeUndefined();
    const [response] = parseResponses(tcp.received);
    expect(response).toMatchObject({
      status: 400,
      headers: { connection: "close", "content-type": "application/json" },
    });
    expect(JSON.parse(response?.body ?? "")).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("https://"),
    });
    expect(await onlyFailure(server)).toMatchObject({ cause: "plain-http", remoteAddress: "127.0.0.1" });
    expect(server.problems[0]?.connection).toBeUndefined();
  });
});

describe("data that is not TLS", () => {
  test("garbage", async () => {
    const server = await startServer();
    const tcp = await openTcp(server.port);
    tcp.send("SSH-2.0-OpenSSH_9.9\r\n");
    await tcp.closed;
    const failure = await onlyFailure(server);
    expect(failure).toMatchObject({ cause: "not-tls", code: "ERR_SSL_WRONG_VERSION_NUMBER" });
    expect(failure).toMatchObject({ protocol: undefined, serverCertificate: undefined, serverDefect: undefined });
  });

  test("a check whether the port is open", async () => {
    const server = await startServer();
    const tcp = await openTcp(server.port);
    tcp.socket.end();
    await tcp.closed;
    expect(await onlyFailure(server)).toMatchObject({ cause: "closed-by-client", bytesRead: 0 });
  });

  test("a reset in the middle of the handshake", async () => {
    const server = await startServer();
    const tcp = await openTcp(server.port);
    tcp.send("\x16\x03\x01\x02\x00\x01");
    await eventually(() => server.connections().inHandshake === 1);
    // After a connection is accepted, its bytes are read in the next turn of the event loop.
    for (let turns = 0; turns < 3; turns++) await turn();
    tcp.socket.resetAndDestroy();
    expect(await onlyFailure(server)).toMatchObject({ cause: "closed-by-client", code: "ECONNRESET", bytesRead: 6 });
  });
});

describe("a connection without a request", () => {
  test("is reported when the client closes it", async () => {
    const server = await startServer();
    const unused = await server.open({ cert: client.cert, key: client.key });
    unused.socket.end();
    await unused.closed;
    await eventually(() => server.unused.length === 1);
    expect(server.unused[0]).toMatchObject({
      facts: { remoteAddress: "127.0.0.1", serverName: "localhost", protocol: "TLSv1.3" },
      peer: { kind: "certificate" },
      requestCount: 0,
    });
    expect(server.failures).toHaveLength(0);
  });

  test("is the result of a client that finds our certificate is for another host", async () => {
    const server = await startServer();
    // In TLS 1.3, Node's client disconnects before it has finished the handshake; curl finishes it in both versions.
    const strict = server.start({ servername: "elsewhere.test", maxVersion: "TLSv1.2" });
    await strict.closed;
    expect(strict.errorCode).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    await eventually(() => server.unused.length === 1);
    expect(server.unused[0]?.facts.serverName).toBe("elsewhere.test");
  });

  test("does not include one that sent something that is not a request", async () => {
    const server = await startServer();
    const broken = await server.open();
    await broken.sendAndClose("GARBAGE\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.unused).toHaveLength(0);
  });
});
