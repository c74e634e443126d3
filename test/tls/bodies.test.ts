import { expect, test } from "vitest";
import { FastResponse } from "../../src/response.js";
import { parseResponses } from "../support/raw-client.js";
import { eventually, startServer } from "./fixture.js";

const host = "Host: localhost\r\n";
const megabyte = "x".repeat(1024 * 1024);

const refusals = {
  "without a look at it": () => new FastResponse("too large", { status: 413 }),
  "after a look at its beginning": async (request: Request) => {
    await request.body?.getReader().read();
    return new FastResponse("too large", { status: 413 });
  },
  "after cancelling it": async (request: Request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return new FastResponse("too large", { status: 413 });
  },
};

test.each(
  Object.entries(refusals).flatMap(([name, fetch]) => [
    { name, fetch, connection: "keep-alive" },
    { name, fetch, connection: "close" },
  ]),
)("a large body that is refused $name ($connection): the client sees the answer", async ({ fetch, connection }) => {
  const server = await startServer({ fetch });
  const client = await server.open();
  // A client that writes everything before it reads, as most libraries do.
  client.socket.pause();
  client.send(`POST / HTTP/1.1\r\n${host}Connection: ${connection}\r\nContent-Length: ${20 * megabyte.length}\r\n\r\n`);
  for (let sent = 0; sent < 20; sent++) {
    await new Promise((resolve) => client.socket.write(megabyte, resolve));
  }
  client.socket.resume();
  await client.waitFor(/too large$/);
  expect(parseResponses(client.received)[0]).toMatchObject({ status: 413, body: "too large" });
  expect(client.errorCode).toBeUndefined();
});

test("a connection goes on after a refused body that was short", async () => {
  const server = await startServer({ fetch: (request) => new FastResponse(request.method, { status: 413 }) });
  const client = await server.open();
  client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\n12345`);
  await client.waitFor(/POST$/);
  client.send(`67890PUT / HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\n1`);
  await client.waitFor(/PUT$/);
});

test("a body without an end is not read for ever", async () => {
  const server = await startServer({
    fetch: () => new FastResponse("no", { status: 413 }),
    limits: { maxDrainedBytes: 1024 * 1024 },
  });
  const client = await server.open();
  client.send(`POST / HTTP/1.1\r\n${host}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = `100000\r\n${megabyte}\r\n`;
  let sent = 0;
  while (!client.socket.destroyed && sent < 1_000) {
    sent++;
    await Promise.race([new Promise((resolve) => client.socket.write(chunk, resolve)), client.closed]);
  }
  expect(sent).toBeLessThan(100);
  await client.closed;
});

test("a client that neither sends nor closes is left after a while", async () => {
  const server = await startServer({
    fetch: () => new FastResponse("no", { status: 413 }),
    limits: { drainTimeoutMs: 50 },
  });
  const client = await server.open();
  // It never closes its side.
  client.socket.allowHalfOpen = true;
  client.send(`POST / HTTP/1.1\r\n${host}Connection: close\r\nContent-Length: 10\r\n\r\n12345`);
  await client.waitFor(/no$/);
  await eventually(() => server.requests[0]?.connection.rawSocket.destroyed === true);
});
