import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { wireAnswer } from "../../../src/sandbox/connection/wire-answer.js";
import type { UnprocessedRequest } from "../../../src/sandbox/tls/unanswered-request.js";
import { parseResponses, type RawClient } from "../../support/raw-client.js";
import { certificates, eventually, plain, startServer } from "./fixture.js";
import { underFault } from "./under-fault.js";

const host = "Host: localhost\r\n";
const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\n${host}${more}\r\n`;
const post = (path: string, body: string, more = "") =>
  `POST ${path} HTTP/1.1\r\n${host}Content-Length: ${body.length}\r\n${more}\r\n${body}`;

type Fetch = NonNullable<NonNullable<Parameters<typeof startServer>[0]>["fetch"]>;

async function start(fetch: Fetch = (_request, { incoming }) => plain(incoming.url ?? "")) {
  const unprocessed: UnprocessedRequest[] = [];
  const server = await startServer({ fetch, onUnprocessed: (request) => unprocessed.push(request) });
  const dropped = () => unprocessed.map(({ incoming, reason }) => `${incoming.method} ${incoming.url} ${reason}`);
  const served = () => server.requests.map(({ incoming }) => incoming.url);
  return { server, dropped, served };
}

/** Answers its requests only when the test says so. */
async function startWaiting() {
  const answers: ((response: Response) => void)[] = [];
  const started = await start(() => new Promise((resolve) => answers.push(resolve)));
  return { ...started, answers };
}

function answersTo(client: RawClient) {
  return parseResponses(client.received).map(({ status, body, headers }) => [status, body, headers["connection"]]);
}

const application: Readonly<Record<string, Fetch>> = {
  "at once": (_request, { incoming }) => plain(incoming.url ?? ""),
  "in a later tick": async (_request, { incoming }) => plain(incoming.url ?? ""),
  "after the read": async (_request, { incoming }) => {
    await new Promise(setImmediate);
    return plain(incoming.url ?? "");
  },
};

// RFC 9112 §9.3.2: the client sends again what was not answered.
describe.each(Object.entries(application))("what comes behind a request that is answered %s", (_name, fetch) => {
  test.each<readonly [name: string, behind: string, dropped: readonly string[]]>([
    ["a request", get("/2"), ["GET /2"]],
    [
      "many requests",
      Array.from({ length: 50 }, (_none, at) => get(`/${at}`)).join(""),
      Array.from({ length: 50 }, (_none, at) => `GET /${at}`),
    ],
    ["a request with a body", post("/2", "abc") + get("/3"), ["POST /2", "GET /3"]],
    ["a request that is not valid", "GET /2 HTTP/1.1\r\n\r\n", ["GET /2"]],
    ["a request that expects 100", post("/2", "", "Expect: 100-continue\r\n"), ["POST /2"]],
    ["a request with another expectation", get("/2", "Expect: coffee\r\n"), ["GET /2"]],
    ["CONNECT", `CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`, ["CONNECT localhost:443"]],
    ["a request and CONNECT", `${get("/2")}CONNECT a:1 HTTP/1.1\r\n${host}\r\n`, ["GET /2", "CONNECT a:1"]],
    ["what is no HTTP", "GARBAGE\r\n\r\nmore\r\n\r\n", []],
    ["a request and what is no HTTP", `${get("/2")}GARBAGE\r\n\r\n`, ["GET /2"]],
  ])("is not processed, and the answer says that the connection ends: %s", async (_what, behind, expected) => {
    const { server, served, dropped } = await start(fetch);
    const client = await server.open();
    client.send(get("/1") + behind);
    await client.closed;
    expect(answersTo(client)).toEqual([[200, "/1", "close"]]);
    expect(client.errorCode).toBeUndefined();
    expect([served(), server.problems]).toEqual([["/1"], []]);
    expect(dropped()).toEqual(expected.map((line) => `${line} connection-ended`));
  });
});

test("a request behind a body that is read is not processed either", async () => {
  const { server, served, dropped } = await start(async (request) => plain(await request.text()));
  const client = await server.open();
  client.send(post("/1", "abc") + get("/2"));
  await client.closed;
  expect(answersTo(client)).toEqual([[200, "abc", "close"]]);
  expect([served(), dropped()]).toEqual([["/1"], ["GET /2 connection-ended"]]);
});

test("a request behind one with Connection: close is ignored", async () => {
  const { server, served } = await start();
  const client = await server.open();
  client.send(get("/1", "Connection: close\r\n") + get("/2"));
  await client.closed;
  expect(answersTo(client)).toEqual([[200, "/1", "close"]]);
  expect([served(), server.problems]).toEqual([["/1"], []]);
});

test.each([
  ["a request", get("/2"), ["GET /2 connection-ended"]],
  ["requests without end", get("/2").repeat(60_000), ["GET /2 connection-ended"]],
  ["what is no HTTP", "GARBAGE\r\n\r\n".repeat(100_000), []],
])("%s in a later write, before the answer, does not destroy the answer", async (_name, behind, expected) => {
  const { server, served, dropped, answers } = await startWaiting();
  const client = await server.open();
  client.send(get("/1"));
  await eventually(() => answers.length === 1);
  client.send(behind);
  const connection = server.requests[0]?.connection;
  await eventually(() => connection?.isAccepting === false);
  await eventually(() => (connection?.tlsSocket.bytesRead ?? 0) >= behind.length);
  answers[0]?.(plain("x".repeat(100_000)));
  await client.closed;
  expect(answersTo(client)).toEqual([[200, "x".repeat(100_000), "close"]]);
  expect([client.errorCode, served(), server.problems]).toEqual([undefined, ["/1"], []]);
  // What comes after the read in which the first of them came is not parsed.
  expect(dropped().slice(0, 1)).toEqual(expected);
  expect(dropped().length).toBeLessThan(30_000);
});

describe("half of a request", () => {
  const [half, rest] = [get("/2").slice(0, 20), get("/2").slice(20)];

  test("is the next request, if the rest comes after the answer", async () => {
    const { server, served, dropped } = await start();
    const client = await server.open();
    client.send(get("/1") + half);
    await client.waitFor(/\/1$/);
    client.send(rest);
    await client.waitFor(/\/2$/);
    expect(answersTo(client)).toEqual([
      [200, "/1", "keep-alive"],
      [200, "/2", "keep-alive"],
    ]);
    expect([served(), dropped()]).toEqual([["/1", "/2"], []]);
  });

  test("is not processed, if the rest comes before the answer", async () => {
    const { server, served, dropped, answers } = await startWaiting();
    const client = await server.open();
    client.send(get("/1") + half);
    await eventually(() => answers.length === 1);
    client.send(rest);
    await eventually(() => server.requests[0]?.connection.isAccepting === false);
    answers[0]?.(plain("/1"));
    await client.closed;
    expect(answersTo(client)).toEqual([[200, "/1", "close"]]);
    expect([served(), dropped()]).toEqual([["/1"], ["GET /2 connection-ended"]]);
  });
});

// A client that has read the whole answer may send its next request before the server knows that the answer has left.
describe("after the head of an answer, which says that the connection goes on,", () => {
  /** Has sent the whole body of the first answer, which ends when the test says so. */
  async function startHeld() {
    let end = () => {};
    const started = await start(async (_request, env) => {
      if (env.incoming.url !== "/1") return plain(env.incoming.url ?? "");
      const wire = env.wire();
      const answer = wireAnswer("GET", { status: 200, headers: {}, body: Buffer.from("whole") });
      wire.writeHead(answer);
      await wire.write(answer.body);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      wire.end();
      return wire.alreadySent;
    });
    const client = await started.server.open();
    client.send(get("/1"));
    await client.waitFor(/whole$/);
    const bytesRead = () => started.server.requests[0]?.connection.tlsSocket.bytesRead ?? 0;
    const send = async (text: string) => {
      const before = bytesRead();
      client.send(text);
      await eventually(() => bytesRead() === before + text.length);
    };
    return { ...started, client, send, end: () => end() };
  }

  test("the next request is answered", async () => {
    const { client, send, end, served, dropped } = await startHeld();
    await send(get("/2"));
    end();
    await client.waitFor(/\/2$/);
    expect(answersTo(client)).toEqual([
      [200, "whole", "keep-alive"],
      [200, "/2", "keep-alive"],
    ]);
    expect([served(), dropped()]).toEqual([["/1", "/2"], []]);
  });

  test("of several requests the first is answered, and its answer says that the connection ends", async () => {
    const { client, send, end, served, dropped } = await startHeld();
    await send(get("/2") + get("/3"));
    await send(get("/4"));
    end();
    await client.closed;
    expect(answersTo(client)).toEqual([
      [200, "whole", "keep-alive"],
      [200, "/2", "close"],
    ]);
    expect([served(), dropped()[0]]).toEqual([["/1", "/2"], "GET /3 connection-ended"]);
  });

  test.each([
    ["what is no HTTP", "GARBAGE\r\n\r\n", 400],
    ["CONNECT", `CONNECT a:1 HTTP/1.1\r\n${host}\r\n`, 400],
    ["a request that is not valid", "GET / HTTP/1.1\r\n\r\n", 400],
    ["a request with a broken body", `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nno length\r\n`, 400],
  ])("%s is refused", async (_name, text, status) => {
    const { server, client, send, end } = await startHeld();
    await send(text);
    end();
    await client.closed;
    expect(answersTo(client)).toEqual([
      [200, "whole", "keep-alive"],
      [status, expect.any(String), "close"],
    ]);
    expect(server.problems).toHaveLength(1);
  });

  test("what the client sends is named, if the connection breaks before the answer ends", async () => {
    const { server, client, send, dropped } = await startHeld();
    await send(get("/2"));
    client.socket.destroy();
    await eventually(() => dropped().length === 1);
    expect(dropped()).toEqual(["GET /2 connection-ended"]);
    await eventually(() => !server.isBusy());
  });
});

test("a client with one connection that sends its next request as soon as it has an answer gets every answer", async () => {
  const { server, dropped } = await start(application["in a later tick"]);
  const client = await server.open();
  let answered = 0;
  client.socket.on("data", () => {
    if (client.received.endsWith(`/${answered}`)) client.send(get(`/${++answered}`));
  });
  client.send(get("/0"));
  await client.waitFor(/\/300$/);
  expect(new Set(answersTo(client).map(([, , connection]) => connection))).toEqual(new Set(["keep-alive"]));
  expect(dropped()).toEqual([]);
});

describe("behind a fault of the connection, a request is not processed:", () => {
  const answer = { status: 200, headers: {}, body: Buffer.from("0123456789") };
  const broken = {
    reset: "reset",
    close: "close",
    truncate: "truncate",
    garbage: "garbage",
    hang: { kind: "hang", duration: "1ms" },
  };
  test.each(Object.entries(broken))("%s", async (_name, connection) => {
    const { server, served, dropped } = await start((_request, env) => underFault(env, { connection }, answer));
    const client = await server.open();
    client.send(get("/1") + get("/2") + get("/3"));
    await client.closed;
    await eventually(() => !server.isBusy());
    expect([served(), dropped()]).toEqual([["/1"], ["GET /2 connection-ended", "GET /3 connection-ended"]]);
  });

  test("drip, whose answer is whole", async () => {
    const drip = { connection: { kind: "drip", duration: "10ms" } };
    const { server, served, dropped } = await start((_request, env) => underFault(env, drip, answer));
    const client = await server.open();
    client.send(get("/1") + get("/2"));
    await client.closed;
    expect(answersTo(client)).toEqual([[200, "0123456789", "close"]]);
    expect([served(), dropped()]).toEqual([["/1"], ["GET /2 connection-ended"]]);
  });
});

interface Undici {
  readonly Client: new (
    url: string,
    options: object,
  ) => {
    request(options: object): Promise<{ statusCode: number; body: { text(): Promise<string> } }>;
    close(): Promise<void>;
  };
}

/** The packages of the tests have it. */
const undici = (() => {
  try {
    return createRequire(import.meta.url)("undici") as Undici;
  } catch {
    return undefined;
  }
})();

test.skipIf(undici === undefined).each(Object.entries(application))(
  "undici with pipelining gets every answer that is given %s",
  async (_name, fetch) => {
    const { server, served } = await start(fetch);
    const client = new (undici as Undici).Client(server.url, {
      pipelining: 10,
      connect: { ca: certificates.ca.cert, ALPNProtocols: ["http/1.1"] },
    });
    const paths = Array.from({ length: 20 }, (_none, at) => `/${at}`);
    const answers = await Promise.all(
      paths.map(async (path) => (await client.request({ path, method: "GET" })).body.text()),
    );
    await client.close();
    expect([answers, served().toSorted()]).toEqual([paths, paths.toSorted()]);
  },
);
