import { describe, expect, test } from "vitest";
import type { Limits } from "../../../src/sandbox/tls/limits.js";
import { eventually } from "../../support/eventually.js";
import { Http2Client } from "../../support/http2-client.js";
import { frame } from "../../support/http2-frames.js";
import { openHttp2, sendOnStream } from "../../support/http2-session.js";
import { certificates, plain, startServer } from "./fixture.js";
import { underFault } from "./under-fault.js";

/** `/dead` is dead for long, `/dead-short` for a moment. Other paths are answered at once, except for `/slow`. */
async function withDead(limits: Partial<Limits> = {}, short = "50ms") {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await startServer({
    limits,
    fetch(request, env) {
      const path = new URL(request.url).pathname;
      if (path === "/dead") return underFault(env, { connection: { kind: "dead", duration: "1h" } });
      if (path === "/dead-short") return underFault(env, { connection: { kind: "dead", duration: short } });
      return path === "/slow" ? released.then(() => plain("slow")) : plain("fine");
    },
  });
  return { server, release };
}

const http1 = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** More than the buffers of the kernels hold: it leaves only if somebody reads it. */
const much = Buffer.alloc(24 * 1024 * 1024, "x");

describe("over HTTP/1.1", () => {
  test("not a byte comes, and what is sent is read and discarded", async () => {
    const { server } = await withDead();
    const client = await server.open(certificates.client);
    client.send(http1("/"));
    await client.waitFor("fine");
    const before = client.received;
    client.send(http1("/dead"));
    await eventually(() => server.requests.length === 2);
    await new Promise((resolve) => client.socket.write(much, resolve));
    client.send(http1("/"));
    expect(client.received).toBe(before);
    expect([server.requests.length, client.socket.readableEnded]).toEqual([2, false]);
    client.socket.destroy();
    await eventually(() => !server.isBusy() && server.connections().open === 0);
    expect(server.requests[1]?.outgoing.isGone).toBe(true);
  });

  test("after its time it is closed: a close_notify and a FIN, and nothing else", async () => {
    const { server } = await withDead();
    const client = await server.open(certificates.client);
    expect(await client.sendAndClose(http1("/dead-short"))).toBe("");
    expect(client.errorCode).toBeUndefined();
    expect(server.problems).toEqual([]);
  });

  test("a body that is still on its way gets no 100, no 408", async () => {
    const { server } = await withDead({ requestTimeoutMs: 20, checkingIntervalMs: 5 }, "200ms");
    const client = await server.open(certificates.client);
    const head = "POST /dead-short HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n";
    expect(await client.sendAndClose(head)).toBe("");
    expect(server.problems).toEqual([]);
  });
});

/** A raw client whose connection is dead; `/slow` was requested before. */
async function deadOverHttp2(path = "/dead", limits: Partial<Limits> = {}, short?: string) {
  const { server, release } = await withDead(limits, short);
  const client = await Http2Client.open({ port: server.port, ca: certificates.ca.cert, ...certificates.client });
  client.get(1, "/slow");
  await client.isAlive();
  client.get(3, path);
  await eventually(() => server.requests[0]?.outgoing.isBroken === true);
  return { server, client, release };
}

describe("over HTTP/2", () => {
  test("no PING and no SETTINGS are acknowledged, and no stream is answered", async () => {
    const { server, client, release } = await deadOverHttp2();
    const { acknowledged, pongs } = client.received;
    const known = [acknowledged, pongs.size, client.connection.received.length];
    release();
    client.send(frame("PING", 0, 0, "12345678"), frame("SETTINGS", 0, 0));
    client.get(5, "/");
    // Not HTTP/2: nobody looks at it.
    await new Promise((resolve) => client.connection.socket.write(much, resolve));
    expect([client.received.acknowledged, pongs.size, client.connection.received.length]).toEqual(known);
    expect([client.received.goaways, client.received.stream(1).status, client.received.stream(3).reset]).toEqual([
      [],
      0,
      undefined,
    ]);
    expect([server.requests.length, client.isClosed]).toEqual([2, false]);
    client.destroy();
    await eventually(() => server.connections().open === 0);
  });

  test("after its time it is closed, without a GOAWAY; no other limit ends it before", { tags: "slow" }, async () => {
    const limits = { checkingIntervalMs: 20, drainTimeoutMs: 400, keepAliveTimeoutMs: 100, announcesIdleEnd: false };
    const { client } = await deadOverHttp2("/dead-short", limits, "900ms");
    let isEnded = false;
    client.connection.socket.once("end", () => {
      isEnded = true;
    });
    await client.connection.closed;
    expect([isEnded, client.received.goaways, client.connection.errorCode]).toEqual([true, [], undefined]);
  });

  test("Node's own client waits for its PING until it gives up", async () => {
    const { server } = await withDead();
    const options = { ca: certificates.ca.cert, identity: certificates.client };
    const { session } = await openHttp2(server.url, options);
    expect((await sendOnStream(session, "/", {})).text).toBe("fine");
    const answered = sendOnStream(session, "/dead", {}).catch((error) => error.message);
    await eventually(() => server.requests[1]?.outgoing.isBroken === true);
    const ping = new Promise((resolve) => session.ping((error) => resolve(error?.name ?? "acknowledged")));
    await new Promise((resolve) => setImmediate(resolve));
    session.destroy();
    expect(await ping).not.toBe("acknowledged");
    expect(await answered).toEqual(expect.any(String));
    await eventually(() => server.connections().open === 0);
  });
});

test("a server that is closed does not wait for a dead connection longer than for others", async () => {
  const { server } = await withDead();
  const client = await server.open(certificates.client);
  client.send(http1("/dead"));
  await eventually(() => server.requests.length === 1);
  await server.close({ gracePeriodMs: 0 });
  await client.closed;
});
