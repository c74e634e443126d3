import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { expect, test, vi } from "vitest";
import { afterTest } from "../../support/cleanups.js";
import { clientHello } from "../../support/client-hello.js";
import { freePort } from "../../support/ports.js";
import { openTcp, parseResponses } from "../../support/raw-client.js";
import { certificates, eventually, plain, startServer } from "./fixture.js";

const request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** A grace period that is longer than any test, in milliseconds. */
const long = 3_600_000;

test("idle connections and unfinished handshakes get no grace", async () => {
  const server = await startServer();
  const fresh = await server.open();
  const used = await server.open();
  used.send(request);
  await used.waitFor(/GET \/$/);
  const silent = await openTcp(server.port);
  const halting = await openTcp(server.port);
  halting.send("\x16\x03\x01\x02\x00\x01");
  await new Promise((resolve) => setTimeout(resolve, 20));
  await server.close({ gracePeriodMs: long });
  await Promise.all([fresh, used, silent, halting].map(({ closed }) => closed));
  expect([fresh, used].map(({ errorCode }) => errorCode)).toEqual([undefined, undefined]);
});

test("a client that disconnects in its handshake while the server closes is a failure like any other", async () => {
  // After Node has freed the state of a TLS socket, reading its version crashes the process.
  const asked = vi.spyOn(TLSSocket.prototype, "getProtocol").mockReturnValue(null);
  afterTest(() => asked.mockRestore());
  const hello = await clientHello("localhost");
  const server = await startServer();
  // In one turn of the event loop, the server reads the end of one connection, and data on another connection closes
  // the server.
  const closer = createServer((socket) => {
    socket.once("data", () => {
      socket.destroy();
      closer.close();
      void server.close({ gracePeriodMs: 0 });
    });
  }).listen(0, "127.0.0.1");
  await once(closer, "listening");
  const other = await openTcp((closer.address() as AddressInfo).port);
  const client = await openTcp(server.port);
  client.socket.write(hello);
  await once(client.socket, "data");
  client.socket.end();
  await turn();
  other.send("close");
  await eventually(() => server.failures.length > 0);
  client.socket.destroy();
  expect(server.failures).toMatchObject([{ cause: "closed-by-client", serverName: "localhost" }]);
  expect(asked).not.toHaveBeenCalled();
});

test("a request in flight is answered, and its connection is closed after it", async () => {
  let answer = (_response: Response): void => {};
  const server = await startServer({
    fetch: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const client = await server.open();
  client.send(request);
  await eventually(() => server.requests.length === 1);
  const closed = server.close({ gracePeriodMs: long });
  let done = false;
  void closed.then(() => {
    done = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(done).toBe(false);
  answer(plain("in time"));
  await client.closed;
  await closed;
  expect(parseResponses(client.received)).toMatchObject([
    { status: 200, body: "in time", headers: { connection: "close" } },
  ]);
});

test("a request in flight whose answer has started is answered as well", async () => {
  const server = await startServer({
    fetch: () =>
      new Response(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode("first "));
            await new Promise((resolve) => setTimeout(resolve, 60));
            controller.enqueue(new TextEncoder().encode("last"));
            controller.close();
          },
        }),
        { headers: { "Content-Length": "10" } },
      ),
  });
  const client = await server.open();
  client.send(request);
  await client.waitFor(/first /);
  await server.close({ gracePeriodMs: long });
  await client.closed;
  expect(parseResponses(client.received)).toMatchObject([{ status: 200, body: "first last" }]);
});

test("after the grace period everything ends", async () => {
  const server = await startServer({ fetch: () => new Promise(() => {}) });
  const client = await server.open();
  client.send(request);
  await eventually(() => server.requests.length === 1);
  const before = performance.now();
  await server.close({ gracePeriodMs: 100 });
  expect(performance.now() - before).toBeGreaterThan(90);
  await client.closed;
  expect(client.received).toBe("");
});

test("no connection is accepted afterwards, and the port is free", async () => {
  const server = await startServer({ hosts: ["127.0.0.1", "::1"], port: await freePort() });
  await server.close();
  await expect(openTcp(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  const again = await startServer({ port: server.port });
  expect(again.port).toBe(server.port);
});

test("a second call waits for the same result", async () => {
  const server = await startServer({ fetch: () => new Promise(() => {}) });
  const client = await server.open();
  client.send(request);
  await eventually(() => server.requests.length === 1);
  const first = server.close({ gracePeriodMs: 50 });
  await Promise.all([first, server.close()]);
  await client.closed;
});

test("no handle is left", async () => {
  const open = () => process.getActiveResourcesInfo().filter((name) => /^TCP|^Timeout/.test(name));
  const before = await settled(open);
  const server = await startServer({ hosts: ["127.0.0.1", "::1"] });
  const client = server.client(certificates.client);
  await client.send("/");
  const silent = await openTcp(server.port);
  const lingering = await server.open();
  lingering.send("GARBAGE");
  await lingering.waitFor("400");
  expect(open().length).toBeGreaterThan(before.length);
  await server.close();
  client.close();
  await Promise.all([silent.closed, lingering.closed]);
  await eventually(() => open().length <= before.length);
});

/**
 * A value that has been stable for a while, because the system may still be closing connections of the previous test.
 */
async function settled(read: () => string[]): Promise<string[]> {
  let last = read();
  for (let same = 0; same < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const next = read();
    same = next.join() === last.join() ? same + 1 : 0;
    last = next;
  }
  return last;
}
