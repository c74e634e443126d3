import { describe, expect, test } from "vitest";
import type { Limits } from "../../../src/sandbox/tls/limits.js";
import { eventually } from "../../support/eventually.js";
import { Http2Client } from "../../support/http2-client.js";
import { flags, frame, headers, requestFields } from "../../support/http2-frames.js";
import { openHttp2, sendOnStream } from "../../support/http2-session.js";
import { patience } from "../../support/patience.js";
import { certificates, plain, startServer } from "./fixture.js";
import { underFault } from "./under-fault.js";

const answer = { status: 200, headers: { "Content-Type": "text/plain" }, body: Buffer.from("0123456789") };

/** Each path is a fault. Other paths are answered at once, except for `/slow`, which is answered after the rest. */
async function faulty(limits: Partial<Limits> = {}) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await startServer({
    limits,
    fetch(request, env) {
      const path = new URL(request.url).pathname;
      const connection = /^\/(reset|close|garbage|truncate)$/.exec(path)?.[1];
      if (connection !== undefined) return underFault(env, { connection }, answer);
      if (path === "/truncate-protocol")
        return underFault(env, { connection: { kind: "truncate", code: "PROTOCOL_ERROR" } }, answer);
      if (path === "/stall-cancel")
        return underFault(env, { connection: { kind: "stall", duration: "20ms", code: "CANCEL" } }, answer);
      if (path === "/hang") return underFault(env, { connection: { kind: "hang", duration: "20ms" } });
      if (path === "/drip") return underFault(env, { connection: { kind: "drip", duration: "30ms" } }, answer);
      if (path === "/refused") return underFault(env, { stream: "refused" });
      if (path === "/cancel") return underFault(env, { stream: { kind: "reset", code: "CANCEL" } });
      const before = { connection: { kind: "goaway", code: "NO_ERROR", lastStream: "before" } };
      if (path === "/goaway-before") return underFault(env, before);
      if (path === "/goaway-before-late") return released.then(() => underFault(env, before));
      if (path.startsWith("/goaway")) {
        env.wire().goAway(path === "/goaway-calm" ? "ENHANCE_YOUR_CALM" : "NO_ERROR", "this");
        return plain("last");
      }
      if (path === "/close-after-answer") {
        env.wire().closeAfterAnswer();
        return plain("last");
      }
      if (path === "/slow") return released.then(() => plain("slow"));
      return plain("fine");
    },
  });
  const { port } = server;
  const client = await Http2Client.open({ port, ca: certificates.ca.cert, ...certificates.client });
  return { server, client, release };
}

describe("a fault of the connection ends all its streams", () => {
  test.each(["/reset", "/close"])("%s", async (path) => {
    const { client, server } = await faulty();
    client.get(1, "/slow");
    client.get(3, path);
    await client.connection.closed;
    const { status, reset } = client.received.stream(1);
    expect([status, reset, client.received.stream(3).status]).toEqual([0, undefined, 0]);
    expect(client.connection.errorCode).toBe(path === "/reset" ? "ECONNRESET" : undefined);
    expect(client.received.goaways).toEqual([]);
    // The server continues to work.
    expect((await server.client(certificates.client).send("/")).text).toBe("fine");
    await eventually(() => !server.isBusy() && server.requests[0]?.outgoing.isBroken === true);
  });

  test("/garbage: bytes that no client can accept, after it has received everything before them", async () => {
    const { client, server } = await faulty();
    client.get(1, "/slow");
    client.get(3, "/garbage");
    await eventually(() => client.received.pings.length > 0);
    client.send(frame("PING", flags.ACK, 0, client.received.pings[0]));
    await client.connection.closed;
    expect([client.received.goaways, client.connection.errorCode]).toEqual([[], undefined]);
    // SETTINGS of stream 1, which no client accepts, then bytes that are drawn.
    expect(client.connection.received.slice(-42, -32)).toBe("\0\0\0\x04\0\0\0\0\x01\0");
    await eventually(() => !server.isBusy() && server.requests[0]?.outgoing.isBroken === true);
  });

  test("/garbage is an error of the connection to a client", async () => {
    const { server } = await faulty();
    const { session } = await openHttp2(server.url, { ca: certificates.ca.cert, identity: certificates.client });
    const closed = new Promise((resolve) => session.once("close", resolve));
    await expect(sendOnStream(session, "/garbage")).rejects.toThrow("Protocol error");
    await closed;
  });

  test("/garbage: the connection of a client that does not react is closed", async () => {
    const { client } = await faulty({ drainTimeoutMs: 20 });
    client.get(1, "/garbage");
    await client.connection.closed;
    expect(client.connection.received).not.toContain("\0\0\0\x04\0\0\0\0\x01");
  });
});

test.each(["/close", "/garbage"])("fifteen streams with %s end their connection once", async (path) => {
  const { client, server } = await faulty({ drainTimeoutMs: 200 });
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on("warning", note);
  try {
    for (let stream = 1; stream < 30; stream += 2) client.get(stream, path);
    await client.connection.closed;
    await eventually(() => !server.isBusy());
    // Node emits a warning in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("warning", note);
  }
  expect(warnings).toEqual([]);
});

describe("a fault of the answer affects only its stream", () => {
  test("truncate: a part of the body, and a reset", async () => {
    const { client } = await faulty();
    client.get(1, "/truncate");
    const { status, headers, body, reset, ended } = await client.over(1);
    expect([status, headers["content-length"], body.toString(), reset, ended]).toEqual([
      200,
      "10",
      "01234",
      "INTERNAL_ERROR",
      false,
    ]);
    client.get(3, "/");
    expect((await client.over(3)).body.toString()).toBe("fine");
  });

  test.each([
    ["/truncate-protocol", "PROTOCOL_ERROR"],
    ["/stall-cancel", "CANCEL"],
  ])("%s: a part of the body, and a reset with %s", async (path, code) => {
    const { client } = await faulty();
    client.get(1, path);
    client.get(3, "/");
    expect((await client.over(3)).body.toString()).toBe("fine");
    const { status, headers, body, reset, ended } = await client.over(1);
    expect([status, headers["content-length"], body.toString(), reset, ended]).toEqual([
      200,
      "10",
      "01234",
      code,
      false,
    ]);
    expect(await client.isAlive()).toBe(true);
  });

  test("hang: no answer, and finally a reset", async () => {
    const { client } = await faulty();
    client.get(1, "/hang");
    client.get(3, "/");
    expect((await client.over(3)).body.toString()).toBe("fine");
    const { status, reset } = await client.over(1);
    expect([status, reset]).toEqual([0, "INTERNAL_ERROR"]);
    expect(await client.isAlive()).toBe(true);
  });

  test("drip: the whole answer in pieces", async () => {
    const { client } = await faulty();
    client.get(1, "/drip");
    const { body, chunks } = await client.over(1);
    expect(body.toString()).toBe("0123456789");
    expect(chunks.length).toBeGreaterThan(1);
  });
});

describe("a stream that is ended", () => {
  test.each([
    ["/refused", "REFUSED_STREAM"],
    ["/cancel", "CANCEL"],
  ])("%s: %s, and nothing else ends", async (path, code) => {
    const { client, release } = await faulty();
    client.get(1, "/slow");
    client.get(3, path);
    const { status, reset } = await client.over(3);
    expect([status, reset]).toEqual([0, code]);
    release();
    expect((await client.over(1)).body.toString()).toBe("slow");
    expect(await client.isAlive()).toBe(true);
  });
});

test.each(["/refused", "/cancel", "/hang", "/goaway-before", "/reset", "/close", "/truncate"])(
  "%s of a request that waits for 100 Continue",
  async (path) => {
    const { client, server } = await faulty();
    client.send(headers(1, requestFields("GET", path, [["expect", "100-continue"]]), false));
    await eventually(() => client.isClosed || client.received.stream(1).reset !== undefined);
    expect((await server.client(certificates.client).send("/")).text).toBe("fine");
  },
);

describe("the end of a connection is announced", () => {
  test.each([
    ["/goaway", "NO_ERROR"],
    ["/goaway-calm", "ENHANCE_YOUR_CALM"],
  ])(
    "%s: after its answer, with the newest stream as the last one; open requests are answered, and later ones are not",
    async (path, code) => {
      const { client, server, release } = await faulty();
      client.get(1, "/slow");
      client.get(3, path);
      expect((await client.over(3)).body.toString()).toBe("last");
      await eventually(() => client.received.goaways.length > 0);
      expect(client.received.goaways).toEqual([{ code, lastStream: 3 }]);
      client.get(5, "/");
      release();
      expect((await client.over(1)).body.toString()).toBe("slow");
      await client.connection.closed;
      expect(client.received.order.slice(0, 3)).toEqual([3, "GOAWAY", 1]);
      expect(new Set(client.received.goaways.map((goaway) => goaway.code))).toEqual(new Set([code]));
      expect(client.received.stream(5).status).toBe(0);
      expect(server.requests.map(({ incoming }) => incoming.url)).toEqual(["/slow", path]);
      const [slow] = server.requests;
      expect(slow?.connectionFacts.goaway).toEqual({ code, lastStream: 3 });
      expect(server.requests.map(({ outgoing }) => outgoing.keptOpen)).toEqual([false, false]);
    },
  );

  test.each([
    ["GET", 4],
    ["HEAD", 0],
  ])("after the answer to a %s without other requests, and the connection ends at once", async (method, length) => {
    const { client, server } = await faulty({ drainTimeoutMs: 2 * patience });
    client.send(headers(1, requestFields(method, "/goaway")));
    await client.connection.closed;
    expect(client.received.stream(1).body).toHaveLength(length);
    expect(client.received.order.slice(0, 2)).toEqual([1, "GOAWAY"]);
    expect(client.received.goaways[0]).toEqual({ code: "NO_ERROR", lastStream: 1 });
    // The other side of it is not left to a timeout.
    await server.close();
  });

  test("after the answer to a request whose body is still awaited", async () => {
    const { client } = await faulty({ drainTimeoutMs: 50 });
    client.send(headers(1, requestFields("POST", "/goaway"), false));
    await client.connection.closed;
    expect(client.received.order.slice(0, 2)).toEqual([1, "GOAWAY"]);
  });

  test("a request that it leaves out is not processed, and neither are later ones", async () => {
    const { client, server, release } = await faulty();
    client.get(1, "/slow");
    client.get(3, "/goaway-before");
    await eventually(() => client.received.goaways.length > 0);
    expect(client.received.goaways).toEqual([{ code: "NO_ERROR", lastStream: 1 }]);
    release();
    expect((await client.over(1)).body.toString()).toBe("slow");
    await client.connection.closed;
    expect(client.received.stream(3).status).toBe(0);
    await eventually(() => !server.isBusy());
  });

  test("a newer request that was processed is not left out", async () => {
    const { client, release } = await faulty();
    client.get(1, "/");
    client.get(3, "/goaway-before-late");
    client.get(5, "/");
    expect((await client.over(5)).status).toBe(200);
    release();
    expect((await client.over(3)).reset).toBe("REFUSED_STREAM");
    expect(client.received.goaways[0]).toEqual({ code: "NO_ERROR", lastStream: 5 });
    await client.connection.closed;
  });

  // Node's own client sends GOAWAY when it is closed, and waits for its streams.
  test("after the GOAWAY of a client, which gets no other one", async () => {
    const { client, server } = await faulty();
    client.get(1, "/");
    await client.over(1);
    const own = frame("GOAWAY", 0, 0, Buffer.alloc(8));
    client.send(headers(3, requestFields("GET", "/goaway-before")), own);
    const { status, reset } = await client.over(3);
    expect([status, reset]).toEqual([0, "REFUSED_STREAM"]);
    await client.connection.closed;
    await eventually(() => !server.isBusy());
    expect(server.requests.at(-1)?.outgoing.reset).toBe("REFUSED_STREAM");
  });

  test("before the first request", async () => {
    const { client, server } = await faulty();
    client.get(1, "/goaway-before");
    const { status, reset } = await client.over(1);
    expect([status, reset]).toEqual([0, "REFUSED_STREAM"]);
    await client.connection.closed;
    await eventually(() => !server.isBusy());
  });
});

test("/close-after-answer: open requests are answered, a later one is not, and no GOAWAY says why", async () => {
  const { client, server, release } = await faulty();
  client.get(1, "/slow");
  client.get(3, "/close-after-answer");
  expect((await client.over(3)).status).toBe(200);
  expect(server.requests[1]?.outgoing.keptOpen).toBe(false);
  client.get(5, "/late");
  expect(await client.isAlive()).toBe(true);
  release();
  await client.connection.closed;
  expect(client.received.stream(1)).toMatchObject({ status: 200, ended: true });
  expect(client.received.stream(5)).toMatchObject({ status: 0, reset: undefined });
  expect([client.received.goaways, client.connection.errorCode, server.requests]).toMatchObject([
    [],
    undefined,
    [{}, {}],
  ]);
});
