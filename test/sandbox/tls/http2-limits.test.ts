import type { Http2ServerRequest } from "node:http2";
import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { afterTest } from "../../support/cleanups.js";
import { Http2Client } from "../../support/http2-client.js";
import {
  flags,
  frame,
  headers,
  opening,
  preface,
  requestFields,
  settingIds,
  settings,
  uint32,
} from "../../support/http2-frames.js";
import { certificates, eventually, plain, startServer } from "./fixture.js";
import { underFault } from "./under-fault.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

type Server = Awaited<ReturnType<typeof startServer>>;

const { cert, key } = certificates.client;

async function open({ port }: Server, first = opening): Promise<Http2Client> {
  const client = await Http2Client.open({ port, ca: certificates.ca.cert, cert, key }, first);
  afterTest(() => client.destroy());
  await client.isAlive();
  return client;
}

/**
 * A stream that the client resets at once.
 * @param code of its RST_STREAM
 */
function given(stream: number, method: string, code: number): Buffer {
  const head = headers(stream, requestFields(method, "/given-up"), method === "GET");
  const body = method === "GET" ? Buffer.alloc(0) : frame("DATA", 0, stream, "a");
  return Buffer.concat([head, body, frame("RST_STREAM", 0, stream, uint32(code))]);
}

const excesses: Readonly<Record<string, (at: number) => Buffer>> = {
  // CVE-2023-44487. A request without a body may be answered before the server knows that it was reset.
  "requests without a body that are reset": (at) => given(1 + 2 * at, "GET", 8),
  "requests with a body that are reset": (at) => given(1 + 2 * at, "POST", 8),
  // CVE-2019-9515
  "SETTINGS at once": () => settings(),
  // CVE-2019-9518
  "empty DATA": (at) => (at === 0 ? headers(1, requestFields("POST", "/"), false) : frame("DATA", 0, 1)),
};

// Of each, nghttp2 or Node allows 1,000.
test.each(Object.entries(excesses))(
  "a client that sends too many %s is told to go away, or disconnected",
  { tags: "slow" },
  async (_name, make) => {
    const server = await startServer({ limits: { checkingIntervalMs: 10, drainTimeoutMs: 1_000 } });
    const client = await open(server);
    client.send(...Array.from({ length: 2_000 }, (_none, at) => make(at)));
    await eventually(() => client.isClosed || client.received.goaways.length > 0);
    expect(server.requests.length).toBeLessThan(1_500);
    const other = await open(server);
    other.get(1, "/good");
    expect((await other.over(1)).status).toBe(200);
  },
);

test("a client with many requests, bodies, pings and window updates, that cancels some, stays connected", async () => {
  const server = await startServer({
    limits: { checkingIntervalMs: 10 },
    fetch: async (request) => plain("x".repeat(1_000) + (await request.text()).length),
  });
  const client = await open(server);
  let stream = -1;
  for (let round = 0; round < 20; round++) {
    const answered: number[] = [];
    for (let at = 0; at < 100; at++) {
      stream += 2;
      const hasBody = at % 10 === 0;
      client.send(headers(stream, requestFields("POST", "/", [["x-long", "x".repeat(2_000)]]), !hasBody));
      if (hasBody) client.send(frame("DATA", flags.END_STREAM, stream, "x".repeat(5_000)));
      if (at % 10 === 5) client.send(frame("RST_STREAM", 0, stream, uint32(8)));
      else answered.push(stream);
    }
    await eventually(() => client.isClosed || answered.every((own) => client.received.stream(own).ended));
    expect(answered.map((own) => client.received.stream(own).status)).toEqual(answered.map(() => 200));
    const read = [frame("WINDOW_UPDATE", 0, 0, uint32(1)), frame("PING", 0, 0, "measured")];
    client.send(...answered.flatMap(() => read));
  }
  expect(await client.isAlive()).toBe(true);
});

test("the other requests of a client that resets some are answered", async () => {
  const server = await startServer();
  const client = await open(server);
  for (let at = 0; at < 5; at++) client.send(given(1 + 2 * at, "GET", 8));
  client.get(101, "/good");
  expect((await client.over(101)).status).toBe(200);
  expect(await client.isAlive()).toBe(true);
});

// Node 20 leaves the connection open, with all its streams.
test("a connection is closed when nghttp2 has ended its session, even if a stream is open", async () => {
  const server = await startServer({ limits: { checkingIntervalMs: 10 } });
  const client = await open(server);
  client.send(headers(1, requestFields("POST", "/open"), false), frame("SETTINGS", 0, 0, "five!"));
  await eventually(() => client.isClosed);
  expect(client.received.goaways[0]?.code).toBe("FRAME_SIZE_ERROR");
  expect(server.problems.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/not valid HTTP\/2/));
});

test("an idle connection stays open", async () => {
  const server = await startServer({ limits: { checkingIntervalMs: 10 } });
  const client = await open(server);
  client.get(1, "/good");
  await client.over(1);
  // Waits until the server has sent a PING, and has checked several times.
  await eventually(() => client.received.pings.length > 0);
  for (let round = 0; round < 3; round++) expect(await client.isAlive()).toBe(true);
});

// If the client disconnects before the GOAWAY is sent, Node 20 destroys the session, but not the socket.
test("no connection is left of a client that breaks the rules and disconnects", async () => {
  const server = await startServer({ limits: { checkingIntervalMs: 20, drainTimeoutMs: 50 } });
  const goings: ((socket: Socket) => void)[] = [(socket) => socket.end(), (socket) => socket.destroy()];
  const breaks = [
    frame("PING", 0, 1, "a stream"),
    frame("SETTINGS", 0, 0, "five!"),
    frame("RST_STREAM", 0, 1, uint32(8)),
  ];
  const clients = breaks.flatMap((bytes) => goings.map((go) => ({ bytes, go })));
  for (const { bytes, go } of clients) {
    const client = await open(server);
    client.send(bytes);
    go(client.connection.socket);
    setImmediate(() => client.destroy());
  }
  await eventually(() => server.connections().open === 0);
});

test("nothing is kept of the streams of a broken connection", async () => {
  const held: WeakRef<object>[] = [];
  const server = await startServer({
    async fetch(request) {
      held.push(new WeakRef(request));
      return plain(await request.text());
    },
  });
  const tcp = connect(server.port, "127.0.0.1");
  const client = await Http2Client.open({ port: server.port, ca: certificates.ca.cert, cert, key, socket: tcp });
  for (let at = 0; at < 20; at++) client.send(headers(1 + 2 * at, requestFields("POST", "/open"), false));
  await client.isAlive();
  tcp.resetAndDestroy();
  server.requests.length = 0;
  await eventually(() => server.connections().open === 0);
  expect(held).toHaveLength(20);
  // The server keeps the last request.
  await eventually(() => {
    collect();
    return held.filter((reference) => reference.deref() !== undefined).length <= 1;
  });
});

test("an unread body is not kept, although the answer is not read either", async () => {
  const server = await startServer();
  const { port } = server;
  const window = Buffer.concat([preface, settings([[settingIds.INITIAL_WINDOW_SIZE, 0]])]);
  const client = await Http2Client.open({ port, ca: certificates.ca.cert, cert, key }, window);
  afterTest(() => client.destroy());
  client.send(headers(1, requestFields("POST", "/unread"), false));
  for (let at = 0; at < 6; at++) client.send(frame("DATA", 0, 1, "x".repeat(10_000)));
  expect(await client.isAlive()).toBe(true);
  const { incoming } = server.requests[0] as (typeof server.requests)[number];
  await eventually(() => incoming.readableLength === 0 && (incoming as Http2ServerRequest).stream.readableLength === 0);
});

test.each([
  ["hang", { connection: { kind: "hang", duration: "1ms" } }],
  ["refused", { stream: "refused" }],
])("nothing is owed any more after a HEAD that ends in %s", async (_name, then) => {
  const server = await startServer({ fetch: (_request, env) => underFault(env, then) });
  const client = await open(server);
  client.send(headers(1, requestFields("HEAD", "/")));
  expect((await client.over(1)).reset).toBeDefined();
  await eventually(() => !server.isBusy());
});
