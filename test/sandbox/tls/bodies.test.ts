import { expect, test } from "vitest";
import { parseResponses } from "../../support/raw-client.js";
import { eventually, plain, startServer } from "./fixture.js";

const host = "Host: localhost\r\n";
const megabyte = "x".repeat(1024 * 1024);

const refusals = {
  "without a look at it": () => plain("too large", { status: 413 }),
  "after a look at its beginning": async (request: Request) => {
    await request.body?.getReader().read();
    return plain("too large", { status: 413 });
  },
  "after cancelling it": async (request: Request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return plain("too large", { status: 413 });
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
  // A client that writes everything before it reads, like most libraries.
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

test("a connection stays open after a refused body that was short", async () => {
  const server = await startServer({ fetch: (request) => plain(request.method, { status: 413 }) });
  const client = await server.open();
  client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\n12345`);
  await client.waitFor(/POST$/);
  client.send(`67890PUT / HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\n1`);
  await client.waitFor(/PUT$/);
});

test("a request after a body is not served if the connection has had its last answer", async () => {
  const server = await startServer({
    fetch() {
      throw new Error("before the body was read");
    },
  });
  const client = await server.open();
  // So that it continues to send after the server's end.
  client.socket.removeAllListeners("end");
  client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\n12345`);
  await client.waitFor("INTERNAL_SERVER_ERROR");
  client.send("67890");
  client.socket.end(`GET /second HTTP/1.1\r\n${host}\r\n`);
  await client.closed;
  expect(parseResponses(client.received)).toHaveLength(1);
  expect(server.requests).toHaveLength(1);
});

test("a body without an end is not read without limit", async () => {
  const server = await startServer({
    fetch: () => plain("no", { status: 413 }),
    limits: { drainTimeoutMs: 100 },
  });
  const client = await server.open();
  // It does not even read the answer.
  client.socket.pause();
  client.send(`POST / HTTP/1.1\r\n${host}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = `2710\r\n${"x".repeat(10_000)}\r\n`;
  const isClosed = () => server.requests[0]?.connection.rawSocket.destroyed === true;
  await eventually(() => {
    client.send(chunk);
    return isClosed();
  });
});

test("a client that neither sends nor closes is disconnected after a while", async () => {
  const server = await startServer({
    fetch: () => plain("no", { status: 413 }),
    limits: { drainTimeoutMs: 50 },
  });
  const client = await server.open();
  client.socket.pause();
  client.send(`POST / HTTP/1.1\r\n${host}Connection: close\r\nContent-Length: 10\r\n\r\n12345`);
  await eventually(() => server.requests[0]?.connection.rawSocket.destroyed === true);
});
