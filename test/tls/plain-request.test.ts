import type { IncomingMessage } from "node:http";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { PlainResponse } from "../../src/response.js";
import type { OpenConnection } from "../../src/tls/connection.js";
import { plainUrlOf } from "../../src/tls/plain-request.js";
import { eventually, plain, startServer } from "./fixture.js";

const connection = () => ({ plainUrl: undefined }) as OpenConnection;

function urlOf(
  host: string,
  target: string,
  on = connection(),
  more: Partial<IncomingMessage> = {},
): string | undefined {
  return plainUrlOf({ method: "GET", headers: { host }, url: target, ...more } as IncomingMessage, on);
}

describe("a plain URL", () => {
  const targets = [
    "/",
    "/v1/ping",
    "/v1/payments?pageSize=10&cursor=AbC_-~.",
    "/a?from=2026-01-01T00:00:00Z",
    "/a?x=%2F..%2e",
    "//a",
    "/a;b=c",
  ];
  test.each(targets)("is made of %s", (target) => {
    for (const host of ["localhost", "localhost:8443", "127.0.0.1:8443", "[::1]:8443", "a.example"]) {
      expect(urlOf(host, target)).toBe(`https://${host}${target}`);
    }
  });

  test.each([
    "/a/../b",
    "/.",
    "/a/.%2e",
    "/%2e%2e/b",
    "/a\\b",
    "/a#b",
    "/a'?b",
    "/a?b='",
    "/a b",
    "/ä",
    '/a?"',
    "/a<",
    "/a?b=|",
    "*",
    "",
  ])("is not made of the target %j", (target) => {
    expect(urlOf("localhost", target) ?? "none").toBe(target === "/a'?b" ? `https://localhost${target}` : "none");
  });

  test.each([
    "LOCALHOST",
    "localhost:443",
    "localhost:99999",
    "1.2.3",
    "256.1.1.1",
    "a%62c",
    "",
    "[::01]",
    "localhost:",
  ])("is not made of the host %j", (host) => {
    expect(urlOf(host, "/")).toBeUndefined();
  });

  it("needs a GET with a host", () => {
    expect(urlOf("localhost", "/", connection(), { method: "HEAD" })).toBeUndefined();
    expect(urlOf("localhost", "/", connection(), { headers: {} })).toBeUndefined();
  });

  it("is what a URL parser makes of it, whatever was asked before on the connection", () => {
    const host = fc.constantFrom(
      "localhost",
      "LOCALHOST",
      "127.0.0.1",
      "127.1",
      "a.b:8443",
      "a.b:80",
      "a..b",
      "[::1]",
      "0x7f.1",
      "xn--a",
      "a_b",
      "~",
    );
    const piece = fc.oneof(
      fc.constantFrom("/", ".", "..", "%2e", "?", "&", "=", "'", "%", "#", "\\", "@", ":"),
      fc.string({ maxLength: 3 }),
    );
    const target = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join("")}`);
    const on = connection();
    fc.assert(
      fc.property(host, target, (host, target) => {
        const url = urlOf(host, target, on);
        if (url !== undefined) expect(url).toBe(new URL(`https://${host}${target}`).href);
      }),
      { numRuns: 5000 },
    );
    expect(on.plainUrl).toBeDefined();
  });
});

describe("a request that passed the adapter by", () => {
  it("is a Request in all that can be asked of it", async () => {
    const seen: Request[] = [];
    const server = await startServer({
      fetch(request) {
        seen.push(request);
        return plain("text");
      },
    });
    const client = await server.open();
    await client.sendAndClose(
      "GET /a?b=c HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\nx-a: 2\r\nConnection: close\r\n\r\n",
    );
    const request = seen[0] as Request;
    expect(request).toBeInstanceOf(Request);
    expect([request.method, request.url, request.headers.get("X-A")]).toEqual([
      "GET",
      "https://localhost/a?b=c",
      "1, 2",
    ]);
    expect([request.body, await request.text(), request.bodyUsed]).toEqual([null, "", false]);
    expect(request.clone().headers.get("host")).toBe("localhost");
    expect(new Request(request.clone()).url).toBe(request.url);
    expect(inspect(request)).toContain("https://localhost/a?b=c");
  });

  test.each(["localhost", "localhost:8443", "127.0.0.1:8443", "[::1]", "[::1]:8443", "a.example:80", "a_b"])(
    "of the host %s may be answered later, by whatever means",
    async (host) => {
      const urls: string[] = [];
      const server = await startServer({
        async fetch(request) {
          urls.push(request.url);
          await Promise.resolve();
          return request.url.endsWith("plain") ? plain("text") : new Response("stream");
        },
      });
      const client = await server.open();
      const received = await client.sendAndClose(
        ["/plain", "/other"].map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join("") +
          `GET /last HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill("HTTP/1.1 200"));
      expect(urls).toEqual(["/plain", "/other", "/last"].map((path) => `https://${host}${path}`));
      expect(server.problems).toEqual([]);
    },
  );

  it("tells that its client is gone", async () => {
    const signals: AbortSignal[] = [];
    const server = await startServer({
      fetch(request) {
        signals.push(request.signal);
        return request.url.endsWith("/wait") ? new Promise(() => {}) : plain("text");
      },
    });
    const client = await server.open();
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await eventually(() => signals.length === 2);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    client.socket.destroy();
    await eventually(() => signals[1]?.aborted === true);
    expect(signals[0]?.aborted).toBe(false);
  });
});

describe("a plain response", () => {
  const headers = { "Content-Type": "application/json", "X-A": "1" };
  it("is a Response in all that can be asked of it", async () => {
    const response = new PlainResponse('{"a":1}', 201, headers);
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.headers.get("x-a"), response.bodyUsed]).toEqual([
      201,
      true,
      "1",
      false,
    ]);
    expect(await response.clone().text()).toBe('{"a":1}');
    expect(await response.json()).toEqual({ a: 1 });
    expect(response.bodyUsed).toBe(true);
    expect(inspect(new PlainResponse("text", 400, headers))).toContain("400");
    expect(Object.prototype.toString.call(response)).toBe("[object Response]");
  });

  it("may have no body", async () => {
    const response = new PlainResponse(null, 204, {});
    expect([response.status, response.body, await response.text()]).toEqual([204, null, ""]);
  });

  it("leaves the platform's own alone", async () => {
    expect(await new Response("text", { status: 202 }).text()).toBe("text");
    expect(new Response("x")).not.toBeInstanceOf(PlainResponse);
  });
});
