import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { openTcp, parseResponses } from "../../support/raw-client.js";
import { certificates, eventually, plain, startServer } from "./fixture.js";

const host = "Host: localhost\r\n";
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("several requests on one connection", () => {
  test("are answered one after the other, and counted", async () => {
    const server = await startServer();
    const client = server.client(certificates.client);
    expect((await client.send("/1")).text).toBe("GET /1");
    expect((await client.send("/2", { method: "POST", body: "x" })).text).toBe("POST /2");
    const [first, second] = server.requests;
    expect(second?.connection).toBe(first?.connection);
    expect(second?.connection.requestCount).toBe(2);
    expect(second?.peer).toBe(first?.peer);
  });
});

test("an answer is not delivered if the client disconnects in the middle", async () => {
  const delivered: boolean[] = [];
  const server = await startServer({
    fetch(_request, env) {
      env.track({ closed: (isDelivered) => void delivered.push(isDelivered) });
      return plain("x".repeat(20_000_000));
    },
  });
  const client = await server.open();
  client.send(`GET / HTTP/1.1\r\n${host}\r\n`);
  await client.waitFor("xxx");
  client.socket.destroy();
  await eventually(() => delivered.length > 0);
  expect(delivered).toEqual([false]);
});

describe("a failure of the application:", () => {
  const failing = {
    "an exception": () => {
      throw new Error("secret");
    },
    "a rejected promise": () => Promise.reject(new Error("secret")),
    "a late rejection": () => pause(10).then(() => Promise.reject("secret")),
    "no response": () => undefined as unknown as Response,
    "a promise of no response": () => Promise.resolve(undefined as unknown as Response),
    "a header that HTTP forbids": () => plain("secret", { headers: { "X-Secret": "a\nsecret" } }),
    "a promise of a header that HTTP forbids": () =>
      Promise.resolve(plain("secret", { headers: { "X-Secret": "a\u0001secret" } })),
    "a status that HTTP forbids": () => plain("secret", { status: 99 }),
  };

  test.each(Object.entries(failing))("%s is a 500 without details", async (_name, fetch) => {
    const server = await startServer({ fetch });
    const client = server.client();
    for (const method of ["GET", "POST"]) {
      const response = await client.send("/", { method });
      expect(response.status).toBe(500);
      expect(response.json.code).toBe("INTERNAL_SERVER_ERROR");
      expect(JSON.stringify([response.headers, response.text])).not.toContain("secret");
    }
    expect(server.problems).toHaveLength(2);
    expect(server.problems[0]?.cause).toBeDefined();
  });

  test("headers that were set before it are not sent", async () => {
    const server = await startServer({
      fetch(_request, { outgoing }) {
        (outgoing as unknown as ServerResponse).setHeader("X-Secret", "secret");
        throw new Error("secret");
      },
    });
    const client = await server.open();
    await client.sendAndClose(`GET / HTTP/1.1\r\n${host}\r\n`);
    expect(parseResponses(client.received)).toMatchObject([{ status: 500 }]);
    expect(client.received).not.toContain("secret");
  });

  test("a failure of the error answer itself still results in an error object", async () => {
    const server = await startServer();
    const client = await server.open();
    // The fixture's answer is broken for this one request.
    server.problems.push = () => {
      throw new Error("secret");
    };
    const [response] = parseResponses(await client.sendAndClose("GET / HTTP/1.1\r\n\r\n"));
    expect(response?.status).toBe(400);
    expect(JSON.parse(response?.body ?? "")).toMatchObject({ code: "BAD_REQUEST" });
    expect(client.received).not.toContain("secret");
  });

  test("the server does not wait for a client that disconnects in the middle of its body", async () => {
    let outcome: unknown;
    const server = await startServer({
      fetch(request) {
        return request.text().then(
          (text) => plain(text),
          (error) => {
            outcome = error;
            throw error;
          },
        );
      },
    });
    const client = await server.open();
    client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nabc`);
    await eventually(() => server.requests.length === 1);
    client.socket.destroy();
    await eventually(() => outcome !== undefined && server.problems.length > 0);
    expect(server.problems).toMatchObject([{ code: "BAD_REQUEST", incoming: server.requests[0]?.incoming }]);
    expect((await server.client().send("/", { method: "POST", body: "still there" })).text).toBe("still there");
  });

  test("an answer to a disconnected client does no harm", async () => {
    let answer = (_response: Response): void => {};
    const server = await startServer({
      fetch: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const client = await server.open();
    client.send(`GET / HTTP/1.1\r\n${host}\r\n`);
    await eventually(() => server.requests.length === 1);
    const closed = new Promise((resolve) => server.requests[0]?.connection.rawSocket.once("close", resolve));
    client.socket.destroy();
    await closed;
    answer(plain("late"));
    await pause(10);
    expect(server.problems).toHaveLength(0);
  });
});

describe("Expect: 100-continue", () => {
  const head = `POST / HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`;

  test("is answered with 100 when the application reads the body", async () => {
    const server = await startServer({ fetch: async (request) => plain(await request.text()) });
    const client = await server.open();
    client.send(head);
    await client.waitFor(/100 Continue\r\n\r\n/);
    client.send("abc");
    await client.waitFor(/abc$/);
    expect(parseResponses(client.received)).toMatchObject([{ status: 100 }, { status: 200, body: "abc" }]);
  });

  test("is answered with 100 when the application reads the body as a stream", async () => {
    const server = await startServer({
      async fetch(request) {
        const { value } = (await request.body?.getReader().read()) ?? {};
        return new Response(value);
      },
    });
    const client = await server.open();
    client.send(head);
    await client.waitFor(/100 Continue\r\n\r\n/);
    client.send("abc");
    await client.waitFor(/abc$/);
  });

  test("gets the final answer at once if the body is not needed", async () => {
    const server = await startServer({ fetch: () => plain("no", { status: 413 }) });
    const client = await server.open();
    client.send(head);
    await client.waitFor(/no$/);
    client.socket.end();
    await client.closed;
    expect(parseResponses(client.received)).toMatchObject([
      { status: 413, body: "no", headers: { connection: "close" } },
    ]);
  });
});

test("the application sees the connection's facts", async () => {
  const server = await startServer();
  await server.client(certificates.client).send("/");
  const { connection, peer, incoming, outgoing } = server.requests[0] ?? {};
  expect(connection?.facts).toMatchObject({
    remoteAddress: "127.0.0.1",
    serverName: "localhost",
    protocol: "TLSv1.3",
    cipher: "TLS_AES_256_GCM_SHA384",
  });
  expect(connection?.facts.remotePort).toBeGreaterThan(0);
  expect(connection?.peer).toBe(peer);
  expect(connection?.rawSocket).not.toBe(connection?.tlsSocket);
  expect(incoming?.socket).toBe(connection?.tlsSocket);
  expect((outgoing as unknown as ServerResponse).req).toBe(incoming);
});

test("a client's reset ends only its connection", async () => {
  const server = await startServer();
  for (const text of ["", "GET / HT", `POST / HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\nabc`]) {
    const tcp = await openTcp(server.port);
    const client = await server.open({ socket: tcp.socket });
    client.send(text);
    await pause(10);
    tcp.socket.resetAndDestroy();
    await client.closed;
  }
  expect((await server.client().send("/")).status).toBe(200);
});

test("a damaged TLS record ends only its connection", async () => {
  const server = await startServer({ fetch: () => new Promise(() => {}) });
  const tcp = await openTcp(server.port);
  const client = await server.open({ socket: tcp.socket });
  client.send(`GET / HTTP/1.1\r\n${host}\r\n`);
  await eventually(() => server.requests.length === 1);
  tcp.send("\x17\x03\x03\x00\x20this is not what the keys agree on");
  await eventually(() => server.requests[0]?.connection.rawSocket.destroyed === true);
  expect((await server.open()).socket.authorized).toBe(true);
});
