import { once } from "node:events";
import { sensitiveHeaders } from "node:http2";
import { describe, expect, test } from "vitest";
import type { UnprocessedRequest } from "../../../src/sandbox/tls/unanswered-request.js";
import { Http2Client } from "../../support/http2-client.js";
import { flags, frame, headers, requestFields } from "../../support/http2-frames.js";
import { openHttp2, readAnswer, sendOnStream } from "../../support/http2-session.js";
import { certificates, eventually, plain, startServer, type TestServer } from "./fixture.js";

const ca = certificates.ca.cert;

/** NO_ERROR, and no stream of the server. */
const goawayFrame = frame("GOAWAY", 0, 0, Buffer.alloc(8));

const rawClient = ({ port }: TestServer) => Http2Client.open({ port, ca, ...certificates.client });

/** A server on which `/slow` is answered when it is released. */
async function slowServer(options: Parameters<typeof startServer>[0] = {}) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await startServer({
    fetch: (request) => (request.url.endsWith("/slow") ? released.then(() => plain("slow")) : plain("quick")),
    ...options,
  });
  return { server, release: () => release() };
}

describe("the requests of a connection", () => {
  test("run in parallel, and are counted", async () => {
    const { server, release } = await slowServer();
    const client = await rawClient(server);
    client.get(1, "/slow");
    client.get(3, "/");
    expect((await client.over(3)).body.toString()).toBe("quick");
    expect([client.received.stream(1).status, server.isBusy()]).toEqual([0, true]);
    release();
    expect((await client.over(1)).body.toString()).toBe("slow");
    expect(server.requests.map(({ stream, outgoing }) => [stream, outgoing.ordinal])).toEqual([
      [1, 1],
      [3, 2],
    ]);
    await eventually(() => !server.isBusy());
  });

  test("have the peer of their own connection", async () => {
    const server = await startServer({ fetch: (_request, { peer }) => plain(peer.kind) });
    const identified = await openHttp2(server.url, { ca, identity: certificates.client });
    const anonymous = await openHttp2(server.url, { ca });
    const answers = [identified, anonymous, identified, anonymous].map(({ session }) => sendOnStream(session, "/"));
    expect((await Promise.all(answers)).map(({ text }) => text)).toEqual([
      "certificate",
      "none",
      "certificate",
      "none",
    ]);
    for (const { session } of [identified, anonymous]) session.destroy();
    const facts = server.requests.map(({ connectionFacts: { id, httpVersion } }) => `${id} ${httpVersion}`);
    expect(new Set(facts)).toEqual(new Set(["1 HTTP/2", "2 HTTP/2"]));
  });
});

describe("the headers of a request", () => {
  test.each([
    { fields: [] as const, got: ["host", "localhost", "x-one", "1"] },
    { fields: [["host", "localhost"]] as const, got: ["host", "localhost", "x-one", "1"] },
  ])("have the authority as host, and no pseudo-header: $fields", async ({ fields, got }) => {
    const server = await startServer();
    const client = await rawClient(server);
    client.get(1, "/", [...fields, ["x-one", "1"]]);
    expect((await client.over(1)).status).toBe(200);
    expect(server.requests[0]?.rawHeaders).toEqual(got);
  });

  test("can have only a host", async () => {
    const server = await startServer();
    const client = await rawClient(server);
    const fields = requestFields("GET", "/").filter(([name]) => name !== ":authority");
    client.send(headers(1, [...fields, ["host", "example.test"]]));
    expect((await client.over(1)).status).toBe(200);
    expect(server.requests[0]?.rawHeaders).toEqual(["host", "example.test"]);
  });

  test("can name one host in two cases", async () => {
    const server = await startServer();
    const client = await rawClient(server);
    client.get(1, "/", [["host", "LocalHost"]]);
    expect((await client.over(1)).status).toBe(200);
    expect(server.requests[0]?.rawHeaders).toEqual(["host", "LocalHost"]);
  });

  test("cannot name two hosts", async () => {
    const server = await startServer();
    const client = await rawClient(server);
    client.get(1, "/", [["host", "other.test"]]);
    expect((await client.over(1)).status).toBe(400);
    expect(server.problems[0]?.reason).toBe("The :authority of the request and its Host header differ.");
    expect(await client.isAlive()).toBe(true);
  });
});

test("connection headers are not sent, without a warning on standard error", async () => {
  const warnings: unknown[] = [];
  const listener = (warning: Error) => void warnings.push(warning);
  process.on("warning", listener);
  const forbidden = { Connection: "close", "Keep-Alive": "timeout=5", "Transfer-Encoding": "chunked", "X-Kept": "1" };
  const server = await startServer({ fetch: () => plain("x", { headers: forbidden }) });
  const client = await rawClient(server);
  client.get(1, "/");
  const { headers: got } = await client.over(1);
  expect(Object.keys(got).sort()).toEqual([":status", "content-length", "date", "x-kept"]);
  await new Promise(setImmediate);
  process.off("warning", listener);
  expect(warnings).toEqual([]);
});

test("a header with a different value each time does not replace others in the table of HPACK", async () => {
  const headers = { "X-Number": "1", "X-Kept": "yes" };
  const server = await startServer({ fetch: () => plain("x", { headers }), unindexedHeaders: ["x-number"] });
  const { session } = await openHttp2(server.url, { ca });
  const stream = session.request({ ":path": "/" });
  const [got] = await once(stream, "response");
  session.destroy();
  expect([got["x-number"], got["x-kept"], got[sensitiveHeaders]]).toEqual(["1", "yes", ["x-number"]]);
});

test("an exception of the application is a 500, and the connection stays open", async () => {
  const server = await startServer({
    fetch() {
      throw new Error("secret");
    },
  });
  const client = await rawClient(server);
  client.get(1, "/");
  const { status, body } = await client.over(1);
  expect([status, body.toString().includes("secret")]).toEqual([500, false]);
  expect(await client.isAlive()).toBe(true);
});

describe("a body", () => {
  test("that arrives too slowly is a 408 on its stream", async () => {
    const server = await startServer({
      limits: { requestTimeoutMs: 20 },
      fetch: async (request) => plain(await request.text()),
    });
    const client = await rawClient(server);
    client.send(headers(1, requestFields("POST", "/"), false));
    expect((await client.over(1)).status).toBe(408);
    expect(await client.isAlive()).toBe(true);
  });

  test("that has arrived, and waits to be read, does not count as slow", async () => {
    const server = await startServer({
      limits: { requestTimeoutMs: 20 },
      async fetch(request) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        return plain(await request.text());
      },
    });
    const client = await rawClient(server);
    client.send(headers(1, requestFields("POST", "/"), false), frame("DATA", flags.END_STREAM, 1, "body"));
    expect((await client.over(1)).body.toString()).toBe("body");
  });

  test("that is not read is discarded for some time, and then refused without an error", async () => {
    const server = await startServer({ limits: { drainTimeoutMs: 20 } });
    const client = await rawClient(server);
    client.send(headers(1, requestFields("POST", "/"), false), frame("DATA", 0, 1, "body"));
    await eventually(() => client.received.stream(1).reset !== undefined);
    const { status, ended, reset } = client.received.stream(1);
    expect([status, ended, reset]).toEqual([200, true, "NO_ERROR"]);
    expect(await client.isAlive()).toBe(true);
  });

  test("that is interrupted is reported", async () => {
    const server = await startServer({ fetch: async (request) => plain(await request.text()) });
    const client = await rawClient(server);
    client.send(headers(1, requestFields("POST", "/"), false), frame("DATA", 0, 1, "body"));
    await eventually(() => server.requests.length === 1);
    client.send(frame("RST_STREAM", 0, 1, Buffer.of(0, 0, 0, 8)));
    await eventually(() => server.problems.length === 1);
    expect(server.problems[0]?.reason).toBe("The connection was closed in the middle of a request.");
    expect(await client.isAlive()).toBe(true);
  });
});

describe("the end of a connection", () => {
  test("is announced when the server stops, after the answers that are owed", async () => {
    const unprocessed: UnprocessedRequest[] = [];
    const { server, release } = await slowServer({ onUnprocessed: (request) => unprocessed.push(request) });
    const client = await rawClient(server);
    client.get(1, "/slow");
    await eventually(() => server.requests.length === 1);
    const closed = server.close();
    client.get(3, "/");
    expect((await client.over(3)).reset).toBe("REFUSED_STREAM");
    expect(client.received.goaways).toEqual([]);
    release();
    await closed;
    await client.connection.closed;
    expect(client.received.stream(1).body.toString()).toBe("slow");
    expect(client.received.order).toEqual([1, "GOAWAY"]);
    expect(server.requests[0]?.connectionFacts.goaway).toEqual(client.received.goaways[0]);
    const reasons = unprocessed.map(({ stream, reason, reset }) => [stream, reason, reset]);
    expect(reasons).toEqual([[3, "connection-ended", "REFUSED_STREAM"]]);
  });

  // The client announces the end itself, and may not wait for what is owed.
  test.each(["end", "destroy"] as const)(
    "has no GOAWAY in its record if the client sent one, and %s() before its answer",
    async (how) => {
      const { server, release } = await slowServer();
      const client = await rawClient(server);
      client.get(1, "/slow");
      await eventually(() => server.requests.length === 1);
      client.send(goawayFrame);
      expect(await client.isAlive()).toBe(true);
      client.connection.socket[how]();
      const { connectionFacts } = server.requests[0] as (typeof server.requests)[number];
      await eventually(() => connectionFacts.end !== undefined && !server.isBusy());
      release();
      expect([client.received.goaways, connectionFacts.goaway]).toEqual([[], undefined]);
      await server.close();
      expect(connectionFacts).toMatchObject({ end: "client-closed", goaway: undefined });
    },
  );

  test("has the GOAWAY in its record that follows the answers owed to a client that sent one", async () => {
    const { server, release } = await slowServer();
    const client = await rawClient(server);
    client.get(1, "/slow");
    await eventually(() => server.requests.length === 1);
    client.send(goawayFrame);
    expect(await client.isAlive()).toBe(true);
    release();
    await client.connection.closed;
    expect(client.received.order).toEqual([1, "GOAWAY"]);
    expect(server.requests[0]?.connectionFacts.goaway).toEqual(client.received.goaways[0]);
  });

  test("is forced after the grace period", async () => {
    const { server } = await slowServer();
    const { session } = await openHttp2(server.url, { ca });
    const slow = readAnswer(session.request({ ":path": "/slow" }));
    slow.catch(() => {});
    await eventually(() => server.requests.length === 1);
    await server.close({ gracePeriodMs: 20 });
    await expect(slow).rejects.toThrow();
  });

  test.each([
    { name: "without a stream for too long", limits: { keepAliveTimeoutMs: 20 }, first: undefined },
    { name: "without data", limits: { headersTimeoutMs: 20 }, first: Buffer.alloc(0) },
  ])("happens $name", async ({ limits, first }) => {
    const server = await startServer({ limits: { drainTimeoutMs: 20, ...limits } });
    const client = await Http2Client.open({ port: server.port, ca, ...certificates.client }, first);
    await client.connection.closed;
    await eventually(() => server.unused.length === 1);
    const { end, goaway } = server.unused[0]?.facts ?? {};
    expect([end, goaway]).toEqual(["server-closed", client.received.goaways[0]]);
  });

  test("by a fatal alert after the handshake is the client's", async () => {
    const server = await startServer();
    const client = await rawClient(server);
    client.get(1, "/");
    await client.over(1);
    const { connectionFacts, connection } = server.requests[0] as (typeof server.requests)[number];
    // No client in these tests sends one.
    connection.tlsSocket.destroy(Object.assign(new Error("alert"), { code: "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA" }));
    await client.connection.closed;
    expect(connectionFacts.end).toBe("client-closed");
  });

  test("does not happen while a stream is open, however long", async () => {
    const { server, release } = await slowServer({ limits: { keepAliveTimeoutMs: 20 } });
    const client = await rawClient(server);
    client.get(1, "/slow");
    await new Promise((resolve) => setTimeout(resolve, 60));
    release();
    expect((await client.over(1)).body.toString()).toBe("slow");
  });

  test("is reported if there was no request", async () => {
    const server = await startServer();
    const client = await rawClient(server);
    // The last flight of its handshake has arrived: Node 26 does not send what a destroyed client has still to write.
    expect([await client.isAlive(), server.isBusy()]).toEqual([true, true]);
    client.destroy();
    await eventually(() => server.unused.length === 1);
    expect(server.unused[0]?.facts.httpVersion).toBe("HTTP/2");
  });

  test("by bytes that are not HTTP/2 is reported as a problem, and not as an unused connection", async () => {
    const server = await startServer();
    const client = await Http2Client.open({ port: server.port, ca }, Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    await client.connection.closed;
    await eventually(() => server.problems.length === 1);
    expect([server.problems[0]?.code, server.unused]).toEqual(["BAD_REQUEST", []]);
  });
});
