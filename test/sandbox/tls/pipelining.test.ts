import { expect, test } from "vitest";
import { parseResponses } from "../../support/raw-client.js";
import { eventually, plain, startServer } from "./fixture.js";
import { underFault } from "./under-fault.js";

const host = "Host: localhost\r\n";
const ping = `GET /second HTTP/1.1\r\n${host}\r\n`;

// RFC 9112 §9.6: after an answer with "Connection: close" nothing is processed.
const refusals = {
  "a Host that is not valid": "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
  "an unknown expectation": `GET / HTTP/1.1\r\n${host}Expect: coffee\r\n\r\n`,
  "two transfer codings": `POST / HTTP/1.1\r\n${host}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n`,
  CONNECT: `CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`,
  "no HTTP": "GARBAGE\r\n\r\n",
};

test.each(Object.entries(refusals))("nothing is processed after the refusal of %s", async (_name, first) => {
  const server = await startServer();
  const client = await server.open();
  client.send(first + ping + ping);
  await client.closed;
  const responses = parseResponses(client.received);
  expect(responses).toHaveLength(1);
  expect(responses[0]).toMatchObject({ headers: { connection: "close" } });
  expect(responses[0]?.status).toBeGreaterThanOrEqual(400);
  expect(server.requests).toHaveLength(0);
});

test("nothing is processed after an answer with which the application closes the connection", async () => {
  const server = await startServer({ fetch: () => plain("last", { headers: { Connection: "close" } }) });
  const client = await server.open();
  client.send(ping + ping);
  await client.closed;
  expect(parseResponses(client.received).map(({ body }) => body)).toEqual(["last"]);
  expect(server.requests).toHaveLength(1);
});

test("nothing is processed after a request on which the application fails", async () => {
  const server = await startServer({
    async fetch() {
      await Promise.resolve();
      throw new Error("secret");
    },
  });
  const client = await server.open();
  client.send(ping + ping);
  await client.closed;
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([500]);
  expect(server.requests).toHaveLength(1);
});

type Fetch = NonNullable<NonNullable<Parameters<typeof startServer>[0]>["fetch"]>;
const ends: Readonly<Record<string, Fetch>> = {
  "an answer": () => plain("answer"),
  "an answer that closes": () => plain("last", { headers: { Connection: "close" } }),
  "a failure": () => {
    throw new Error("no answer");
  },
  "a RST": (_request, env) => underFault(env, { connection: "reset" }),
  "a close": (_request, env) => underFault(env, { connection: "close" }),
  garbage: (_request, env) => underFault(env, { connection: "garbage" }),
  "no answer": (_request, env) => underFault(env, { connection: { kind: "hang", duration: "1ms" } }),
  "a part": (_request, env) =>
    underFault(env, { connection: "truncate" }, { status: 200, headers: {}, body: Buffer.from("a part") }),
  "no answer that is waited for": () => new Promise(() => {}),
};

test.each(Object.entries(ends))("nothing is owed any more after a request that ends in %s", async (_name, fetch) => {
  const server = await startServer({ fetch });
  const client = await server.open();
  client.send(ping + ping);
  await eventually(() => server.requests.length === 1);
  expect(server.requests).toHaveLength(1);
  client.socket.destroy();
  await eventually(() => !server.isBusy());
});

const faults: Readonly<Record<string, Fetch>> = {
  "a RST": ends["a RST"] as Fetch,
  "a close": ends["a close"] as Fetch,
  garbage: ends["garbage"] as Fetch,
  "no answer": (_request, env) => underFault(env, { connection: { kind: "hang", duration: "100ms" } }),
};

test.each(Object.entries(faults))("a body that breaks after %s changes nothing", async (_name, fetch) => {
  const server = await startServer({ fetch });
  const client = await server.open();
  client.send(`POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`);
  await eventually(() => server.requests.length === 1);
  client.send("not a length\r\n");
  await client.closed;
  expect(client.received).not.toContain("HTTP/1.1");
  expect([server.requests, server.problems]).toEqual([[expect.anything()], []]);
});

test("a hanging request is not answered because its body arrives too slowly", async () => {
  const server = await startServer({
    limits: { requestTimeoutMs: 30, checkingIntervalMs: 10 },
    fetch: (_request, env) => underFault(env, { connection: { kind: "hang", duration: "300ms" } }),
  });
  const client = await server.open();
  client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\n`);
  await client.closed;
  expect([client.received, server.problems]).toEqual(["", []]);
});

test.each([
  ["one request", 1],
  ["several requests", 3],
])("a client that ends its side after %s gets the complete first answer", async (_name, count) => {
  const server = await startServer({ fetch: () => plain("whole") });
  for (let attempt = 0; attempt < 10; attempt++) {
    const client = await server.open();
    client.socket.end(ping.repeat(count), "latin1");
    await client.closed;
    const [first, ...others] = parseResponses(client.received);
    expect(first?.body).toBe("whole");
    expect(others.length).toBeLessThan(count);
  }
  expect(server.problems).toEqual([]);
});

test("an answer is sent before the refusal of invalid bytes, although the client ends its side", async () => {
  const server = await startServer({ fetch: () => plain("whole") });
  for (let attempt = 0; attempt < 10; attempt++) {
    const client = await server.open();
    client.socket.end(`${ping}GARBAGE\r\n\r\n`, "latin1");
    await client.closed;
    expect(parseResponses(client.received)[0]?.body).toBe("whole");
  }
});

test("a client that disconnects after its request does no harm", async () => {
  const delivered: boolean[] = [];
  const server = await startServer({
    fetch(_request, env) {
      env.track({ closed: (isDelivered) => delivered.push(isDelivered) });
      return plain("whole");
    },
  });
  for (let attempt = 0; attempt < 10; attempt++) {
    const client = await server.open();
    client.socket.write(ping + ping, "latin1", () => client.socket.destroy());
    await client.closed;
  }
  expect((await server.client().send("/")).text).toBe("whole");
  await eventually(() => delivered.length === server.requests.length);
});
