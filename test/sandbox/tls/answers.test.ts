import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Passage } from "../../../src/sandbox/connection/passage.js";
import { wireAnswer } from "../../../src/sandbox/connection/wire-answer.js";
import { patience } from "../../support/patience.js";
import { parseResponses } from "../../support/raw-client.js";
import { eventually, plain, startServer } from "./fixture.js";
import { underFault } from "./under-fault.js";

const host = "Host: localhost\r\n";
const json = { "Content-Type": "application/json" };

/** An application that answers each request with the given answer for its path. */
function answering(answers: Readonly<Record<string, () => Response>>) {
  return startServer({
    fetch: (_request, { incoming }) => answers[incoming.url ?? ""]?.() ?? plain("none"),
  });
}

describe("an answer arrives unchanged", () => {
  const long = "0123456789".repeat(20_000);
  const shapes: readonly (readonly [name: string, make: () => Response, body: string])[] = [
    ["text", () => plain('{"a":1}', { headers: json }), '{"a":1}'],
    ["text beyond ASCII", () => plain('{"a":"é€😀"}', { headers: json }), '{"a":"é€😀"}'],
    ["text with its length", () => plain("four", { headers: { ...json, "Content-Length": "4" } }), "four"],
    ["long text", () => plain(long), long],
    ["empty text", () => plain(""), ""],
    ["no body", () => plain(null, { headers: json }), ""],
    ["bytes", () => new Response(new TextEncoder().encode("bytes")), "bytes"],
    ["a stream", () => new Response(new Blob(["stream"]).stream()), "stream"],
    ["an ordinary Response", () => new Response("ordinary", { headers: json }), "ordinary"],
  ];

  test.each(shapes)("%s, and the connection stays open", async (_name, make, body) => {
    const server = await answering({ "/": make });
    const client = server.client();
    for (const options of [{}, { method: "POST", body: "ab" }, {}]) {
      expect((await client.send("/", options)).text).toBe(body);
    }
    expect((await client.send("/next")).text).toBe("none");
    expect(server.requests.at(-1)?.connection.requestCount).toBe(4);
    expect(server.problems).toEqual([]);
  });

  test.each([200, 204, 304])("status %i to HEAD has no body, and the connection stays open", async (status) => {
    const server = await answering({ "/": () => plain(status === 200 ? "text" : null, { status }) });
    const client = await server.open();
    client.send(`HEAD / HTTP/1.1\r\n${host}\r\n`);
    await client.waitFor(/\r\n\r\n$/);
    const received = await client.sendAndClose(`GET /end HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`, "HTTP/1.1 200"]);
    expect(received.match(/\r\n\r\n(?!$)[^H]*$/)?.[0]).toBe("\r\n\r\nnone");
  });

  test("chunked, if the application says so", async () => {
    const server = await answering({
      "/": () => new Response("in chunks", { headers: { "Transfer-Encoding": "chunked" } }),
    });
    const client = await server.open();
    const received = await client.sendAndClose(`GET / HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(received).toMatch(/\r\n\r\n9\r\nin chunks\r\n0\r\n\r\n$/);
  });
});

test("an application that answers twice loses only the connection", async () => {
  const server = await startServer({
    fetch(_request, { incoming, outgoing }) {
      if (incoming.url === "/twice") outgoing.end("once");
      return plain("again");
    },
  });
  const client = await server.open();
  client.send(`GET /twice HTTP/1.1\r\n${host}\r\n`);
  await client.closed;
  expect((await server.client().send("/")).text).toBe("again");
});

test("an application that writes after its answer loses the connection, and the answer is unchanged", async () => {
  const server = await startServer({
    fetch(_request, { incoming, outgoing }) {
      const answer = outgoing as unknown as ServerResponse;
      if (incoming.url !== "/behind") return plain("again");
      answer.writeHead(200, { "Content-Length": "4" }).end("once");
      answer.write("more");
      return new Promise(() => {});
    },
  });
  const client = await server.open();
  expect(await client.sendAndClose(`GET /behind HTTP/1.1\r\n${host}\r\n`)).toMatch(/\r\n\r\nonce$/);
  expect((await server.client().send("/")).text).toBe("again");
});

describe("the listener for delivery", () => {
  test("is called once when an answer was sent", async () => {
    const reported: boolean[] = [];
    const server = await startServer({
      fetch(_request, env) {
        env.track({ closed: (delivered) => reported.push(delivered) });
        return plain("text");
      },
    });
    const client = server.client();
    await client.send("/");
    await eventually(() => reported.length > 0);
    await client.send("/");
    await eventually(() => reported.length > 1);
    expect(reported).toEqual([true, true]);
  });
});

test("a request and its answer are timed", async () => {
  const passages: Passage[] = [];
  const server = await startServer({
    fetch(_request, env) {
      env.track({ closed: (_delivered, passage) => passage && passages.push(passage) });
      return plain("text");
    },
  });
  await server.client().send("/");
  await eventually(() => passages.length > 0);
  const [passage] = passages as [Passage];
  expect(passage.arrivedAt).toBeGreaterThan(0);
  expect(passage.releasedAt).toBeGreaterThanOrEqual(passage.arrivedAt);
});

test("an intentionally broken connection is reported at once, although the client keeps its side open", async () => {
  const reported: boolean[] = [];
  const server = await startServer({
    limits: { drainTimeoutMs: 4 * patience },
    fetch(_request, env) {
      env.track({ closed: (delivered) => reported.push(delivered) });
      return underFault(env, { connection: "close" });
    },
  });
  const client = await server.open();
  client.send(`GET / HTTP/1.1\r\n${host}\r\n`);
  await eventually(() => reported.length > 0);
  client.socket.destroy();
  await server.close();
  expect(reported).toEqual([false]);
});

test("a head that is sent slowly is dated by the server's clock", async () => {
  const server = await startServer({
    clock: { now: () => 0 },
    fetch: (_request, env) => underFault(env, { connection: { kind: "slowHeaders", duration: "1ms" } }),
  });
  const client = await server.open();
  const [answer] = parseResponses(await client.sendAndClose(`GET / HTTP/1.1\r\n${host}\r\n`));
  expect(answer?.headers["date"]).toBe("Thu, 01 Jan 1970 00:00:00 GMT");
});

test("what is written after the end of an answer is dropped, and nobody waits for it", async () => {
  let isOver = false;
  const server = await startServer({
    async fetch(_request, env) {
      const wire = env.wire();
      const answer = wireAnswer("GET", { status: 200, headers: {}, body: Buffer.from("once") });
      for (const _ of ["once", "again"]) {
        wire.writeHead(answer);
        await wire.write(answer.body);
        wire.end();
      }
      isOver = true;
      return wire.alreadySent;
    },
  });
  const client = await server.open();
  expect(parseResponses(await client.sendAndClose(`GET / HTTP/1.1\r\n${host}\r\n`))).toMatchObject([{ body: "once" }]);
  await eventually(() => isOver);
});

describe("the body of a request", () => {
  test.each(["Content-Length: 4\r\n\r\nbody", "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"])(
    "of a GET is read and discarded: %j",
    async (rest) => {
      const server = await startServer();
      const client = await server.open();
      const received = await client.sendAndClose(
        `GET /1 HTTP/1.1\r\n${host}${rest}GET /2 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      );
      expect(parseResponses(received).map(({ body }) => body)).toEqual(["GET /1", "GET /2"]);
    },
  );
});
