import { expect, test } from "vitest";
import { parseResponses } from "../../support/raw-client.js";
import { eventually, plain, startServer } from "./fixture.js";

const host = "Host: localhost\r\n";
const get = `GET / HTTP/1.1\r\n${host}\r\n`;

/** Answers its requests only when the test says so. */
async function startWaiting(limits = {}) {
  const answers: ((response: Response) => void)[] = [];
  const server = await startServer({ limits, fetch: () => new Promise((resolve) => answers.push(resolve)) });
  return { server, answers };
}

test("a request after the last one is ignored, even if its body does not arrive", async () => {
  const server = await startServer();
  const client = await server.open();
  client.send(get);
  await client.waitFor(/GET \/$/);
  client.send(`GET / HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\n${host}Content-Length: 40\r\n\r\nabc`);
  await client.waitFor("HTTP/1.1 400");
  client.socket.end();
  await client.closed;
  expect([server.requests.length, server.problems.length]).toEqual([1, 1]);
});

test("bytes after CONNECT are discarded while an earlier answer is pending", async () => {
  const { server, answers } = await startWaiting();
  const client = await server.open();
  client.send(`${get}CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`);
  await eventually(() => answers.length === 1);
  client.send("x".repeat(4_000_000));
  const socket = server.requests[0]?.connection.tlsSocket;
  await eventually(() => (socket?.bytesRead ?? 0) > 4_000_000);
  expect(socket?.readableLength).toBeLessThan(100_000);
  answers[0]?.(plain("first"));
  await client.closed;
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([200]);
});

test("requests after one that arrived too slowly are discarded, and not parsed", async () => {
  const { server, answers } = await startWaiting({
    headersTimeoutMs: 50,
    requestTimeoutMs: 50,
    checkingIntervalMs: 10,
  });
  const client = await server.open();
  client.send(`${get}GET / HTTP/1.1\r\n`);
  const connection = () => server.requests[0]?.connection;
  await eventually(() => connection()?.isAccepting === false);
  client.send(`${host}\r\n${get.repeat(1_000)}`);
  await eventually(() => connection()?.rawSocket.bytesRead === client.socket.bytesWritten || answers.length === 1);
  answers[0]?.(plain("first"));
  await client.closed;
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([200]);
  expect(server.requests).toHaveLength(1);
});

test("an answer is not lost if the body of its request breaks after it", async () => {
  const server = await startServer({ fetch: () => plain("early") });
  for (let round = 0; round < 5; round++) {
    const client = await server.open();
    client.send(`POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`);
    await client.waitFor("early");
    client.send(`ZZ\r\n${"x".repeat(1_200_000)}`);
    await client.closed;
    expect([client.errorCode, parseResponses(client.received)[0]?.body]).toEqual([undefined, "early"]);
  }
});

test.each(["Connection", "connection", "CONNECTION"])(
  "an answer with %s: close is reported as the end of the connection",
  async (name) => {
    const kept: (boolean | undefined)[] = [];
    const server = await startServer({
      fetch(_request, env) {
        env.track({ closed: (_delivered, passage) => kept.push(passage?.keptOpen) });
        return plain("last", { headers: { [name]: "close" } });
      },
    });
    const client = await server.open();
    client.send(get);
    await client.closed;
    await eventually(() => kept.length === 1);
    expect(kept).toEqual([false]);
  },
);
