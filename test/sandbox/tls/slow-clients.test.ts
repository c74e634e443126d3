import { expect, test, vi } from "vitest";
import type { Limits } from "../../../src/sandbox/tls/limits.js";
import type { TlsServerOptions } from "../../../src/sandbox/tls/server.js";
import { afterFile } from "../../support/cleanups.js";
import { openTcp, parseResponses } from "../../support/raw-client.js";
import { eventually, plain, startServer as startTestServer } from "./fixture.js";

const host = "Host: localhost\r\n";
const limits: Partial<Limits> = { headersTimeoutMs: 400, requestTimeoutMs: 800, checkingIntervalMs: 20 };
const startServer = (options: Partial<TlsServerOptions>) => startTestServer(options, afterFile);

// Bytes that must arrive in time are sent together with the end of the handshake, so that they are not late on a busy
// machine.

test.concurrent("headers that never end: 408", async () => {
  const server = await startServer({ limits });
  const client = server.start();
  client.send(`GET / HTTP/1.1\r\n${host}X: `);
  const drip = setInterval(() => client.send("a"), 20);
  await client.closed;
  clearInterval(drip);
  const [response] = parseResponses(client.received);
  expect(response).toMatchObject({ status: 408, headers: { connection: "close" } });
  expect(JSON.parse(response?.body ?? "")).toMatchObject({ code: "REQUEST_TIMEOUT" });
});

test.concurrent("headers that never end, on a connection that was used before: 408", async () => {
  const server = await startServer({ limits });
  const client = server.start();
  client.send(`GET / HTTP/1.1\r\n${host}\r\n`);
  await client.waitFor(/GET \/$/);
  client.send("GET /");
  await client.closed;
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([200, 408]);
});

test.concurrent("a body that never ends: 408 instead of the application's answer", async () => {
  const server = await startServer({ limits, fetch: async (request) => plain(await request.text()) });
  const client = server.start();
  client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 1000\r\n\r\n`);
  const drip = setInterval(() => client.send("a"), 20);
  await client.closed;
  clearInterval(drip);
  expect(parseResponses(client.received)).toMatchObject([{ status: 408, headers: { connection: "close" } }]);
  expect(server.problems).toHaveLength(1);
  expect(server.problems[0]?.incoming?.url).toBe("/");
});

test.concurrent("a later answer of the application is dropped", async () => {
  const complaints = vi.spyOn(console, "error");
  let answered: Promise<unknown> | undefined;
  const server = await startServer({
    limits,
    fetch: () => {
      const answer = new Promise<Response>((resolve) => setTimeout(() => resolve(plain("late")), 1200));
      answered = answer;
      return answer;
    },
  });
  const client = server.start();
  client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 1000\r\n\r\n`);
  await client.closed;
  await answered;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([408]);
  expect(complaints).not.toHaveBeenCalled();
});

test.concurrent("a slow application does not time out", async () => {
  const server = await startServer({
    limits,
    fetch: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      return plain("late");
    },
  });
  expect((await server.client().send("/")).text).toBe("late");
});

test.concurrent("a connection without a request is closed without an answer", async () => {
  const server = await startServer({ limits });
  const client = await server.open();
  await client.closed;
  expect(client.received).toBe("");
  expect(client.errorCode).toBeUndefined();
  expect(server.problems).toHaveLength(0);
  await eventually(() => server.unused.length === 1);
});

test.concurrent("an idle connection is closed", async () => {
  const server = await startServer({ limits: { ...limits, keepAliveTimeoutMs: 400 } });
  const client = server.start();
  client.send(`GET / HTTP/1.1\r\n${host}\r\n`);
  await client.closed;
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([200]);
});

test.concurrent("an answer that is not read for too long: the connection is closed", async () => {
  const long = plain("x".repeat(32 * 1024 * 1024));
  const server = await startServer({ limits: { ...limits, inactivityTimeoutMs: 200 }, fetch: () => long });
  const client = server.start();
  client.send(`GET / HTTP/1.1\r\n${host}\r\n`);
  client.socket.pause();
  await eventually(() => server.requests[0]?.connection.rawSocket.destroyed === true);
});

test.concurrent("a handshake that never starts, and one that never ends", async () => {
  // Long enough for six bytes to arrive.
  const server = await startServer({ limits: { handshakeTimeoutMs: 2_000 } });
  const silent = await openTcp(server.port);
  const halting = await openTcp(server.port);
  halting.send("\x16\x03\x01\x02\x00\x01");
  await Promise.all([silent.closed, halting.closed]);
  await eventually(() => server.failures.length === 2);
  expect(server.failures.map(({ cause }) => cause)).toEqual(["time-out", "time-out"]);
  expect(server.failures.map(({ bytesRead }) => bytesRead).sort()).toEqual([0, 6]);
});
