import { describe, expect, test } from "vitest";
import { parseResponses } from "../../support/raw-client.js";
import { plain, startServer } from "./fixture.js";

const host = "Host: localhost\r\n";
const chunked = "Transfer-Encoding: chunked\r\n";

/** Each is sent on its own connection, and answered with 400 and the error object. */
const bad: Readonly<Record<string, string>> = {
  "no Host": "GET / HTTP/1.1\r\n\r\n",
  "two Hosts": `GET / HTTP/1.1\r\n${host}Host: localhost\r\n\r\n`,
  "two Hosts in different case": `GET / HTTP/1.1\r\n${host}hOST: other\r\n\r\n`,
  "empty Host": "GET / HTTP/1.1\r\nHost: \r\n\r\n",
  "Host with a path": "GET / HTTP/1.1\r\nHost: localhost/x\r\n\r\n",
  "Host with user information": "GET / HTTP/1.1\r\nHost: user@localhost\r\n\r\n",
  "Host with a space": "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
  "Host with an impossible port": "GET / HTTP/1.1\r\nHost: localhost:99999\r\n\r\n",
  CONNECT: `CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`,
  "a method that is not a token": `BR(W / HTTP/1.1\r\n${host}\r\n`,
  "half a request line": `BREW / HTTP/1.1`,
  "HTTP/0.9": "GET /\r\n\r\n",
  "2.0 with HTTP/1.1 framing": `GET / HTTP/2.0\r\n${host}\r\n`,
  "HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "HTTP/3.0": `GET / HTTP/3.0\r\n${host}\r\n`,
  "not HTTP at all": "\x16\x03\x01\x02\x00garbage\r\n\r\n",
  "relative target": `GET v1/ping HTTP/1.1\r\n${host}\r\n`,
  "asterisk with GET": `GET * HTTP/1.1\r\n${host}\r\n`,
  "target of another scheme": `GET ftp://localhost/ HTTP/1.1\r\n${host}\r\n`,
  "absolute target with user information": `GET https://u:p@localhost/ HTTP/1.1\r\n${host}\r\n`,
  "absolute target without an authority": `GET https:///x HTTP/1.1\r\n${host}\r\n`,
  "backslash in the path": `GET /a\\b HTTP/1.1\r\n${host}\r\n`,
  "space in the target": `GET /a b HTTP/1.1\r\n${host}\r\n`,
  "control byte in the target": `GET /a\x01 HTTP/1.1\r\n${host}\r\n`,
  "zero byte in a header": `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`,
  "control byte in a header": `GET / HTTP/1.1\r\n${host}X: a\x01b\r\n\r\n`,
  "bare CR in a header": `GET / HTTP/1.1\r\n${host}X: a\rb\r\n\r\n`,
  "bare LF after the request line": "GET / HTTP/1.1\nHost: localhost\n\n",
  "bare LF after a header": "GET / HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n",
  "header without a colon": `GET / HTTP/1.1\r\n${host}nonsense\r\n\r\n`,
  "header without a name": `GET / HTTP/1.1\r\n${host}: x\r\n\r\n`,
  "space in a header's name": `GET / HTTP/1.1\r\n${host}a b: x\r\n\r\n`,
  "space before the colon": `POST / HTTP/1.1\r\n${host}Content-Length : 3\r\n\r\nabc`,
  "folded header": `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`,
  "folded Host": "GET / HTTP/1.1\r\nHost: localhost\r\n other\r\n\r\n",
  "space before the first header": `GET / HTTP/1.1\r\n ${host}\r\n`,
  "Content-Length with Transfer-Encoding": `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\n${chunked}\r\n0\r\n\r\n`,
  "Transfer-Encoding with Content-Length": `POST / HTTP/1.1\r\n${host}${chunked}Content-Length: 3\r\n\r\n0\r\n\r\n`,
  "two Content-Lengths": `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
  "the same Content-Length twice": `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
  "list of Content-Lengths": `POST / HTTP/1.1\r\n${host}Content-Length: 3, 3\r\n\r\nabc`,
  "negative Content-Length": `POST / HTTP/1.1\r\n${host}Content-Length: -3\r\n\r\nabc`,
  "Content-Length with a sign": `POST / HTTP/1.1\r\n${host}Content-Length: +3\r\n\r\nabc`,
  "Content-Length beyond counting": `POST / HTTP/1.1\r\n${host}Content-Length: 99999999999999999999\r\n\r\n`,
  "coding that is not chunked": `POST / HTTP/1.1\r\n${host}Transfer-Encoding: identity\r\n\r\nabc`,
  "coding that looks like chunked": `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  "coding together with chunked": `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  "chunked not last": `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
  "chunked twice": `POST / HTTP/1.1\r\n${host}${chunked}${chunked}\r\n0\r\n\r\n`,
  "Transfer-Encoding in HTTP/1.0": `POST / HTTP/1.0\r\n${host}${chunked}\r\n0\r\n\r\n`,
};

describe("requests that HTTP forbids are answered with the error object:", () => {
  test.each(Object.entries(bad))("%s", async (_name, text) => {
    const server = await startServer();
    const client = await server.open();
    const responses = parseResponses(await client.sendAndClose(text));
    expect(responses).toHaveLength(1);
    expect(responses[0]).toMatchObject({
      status: 400,
      headers: { connection: "close", "content-type": "application/json", "x-correlation-id": "made-for-the-test" },
    });
    expect(responses[0]?.headers["date"]).toBeDefined();
    expect(JSON.parse(responses[0]?.body ?? "")).toMatchObject({ code: "BAD_REQUEST", message: expect.any(String) });
    expect(server.problems).toHaveLength(1);
    expect(server.problems[0]?.connection?.peer).toEqual({ kind: "none" });
    expect(server.problems[0]?.connection?.facts.remoteAddress).toBe("127.0.0.1");
    expect(server.requests).toHaveLength(0);
    expect(client.errorCode).toBeUndefined();
  });
});

test("the reason names the position", async () => {
  const server = await startServer();
  const client = await server.open();
  await client.sendAndClose(bad["Transfer-Encoding with Content-Length"] ?? "");
  expect(server.problems[0]?.reason).toContain("Content-Length can't be present with Transfer-Encoding");
});

test("an unknown expectation is 417", async () => {
  const server = await startServer();
  const client = await server.open();
  const [response] = parseResponses(await client.sendAndClose(`GET / HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`));
  expect(response).toMatchObject({ status: 417, headers: { connection: "close" } });
  expect(JSON.parse(response?.body ?? "")).toMatchObject({ code: "EXPECTATION_FAILED" });
});

test.each([
  ["headers", `GET / HTTP/1.1\r\n${host}X: ${"a".repeat(17_000)}\r\n\r\n`],
  ["target", `GET /${"a".repeat(17_000)} HTTP/1.1\r\n${host}\r\n`],
  ["headers that arrive slowly", `GET / HTTP/1.1\r\n${host}${`X: ${"a".repeat(1_000)}\r\n`.repeat(40)}`],
])("too large %s: 431", async (_name, text) => {
  const server = await startServer();
  const client = await server.open();
  const [response] = parseResponses(await client.sendAndClose(text));
  expect(response?.status).toBe(431);
  expect(JSON.parse(response?.body ?? "")).toMatchObject({ code: "REQUEST_HEADER_FIELDS_TOO_LARGE" });
  expect(client.errorCode).toBeUndefined();
});

test("the limit for headers can be set", async () => {
  const server = await startServer({ limits: { maxHeaderBytes: 1_000 } });
  const client = await server.open();
  const [response] = parseResponses(
    await client.sendAndClose(`GET / HTTP/1.1\r\n${host}X: ${"a".repeat(1_500)}\r\n\r\n`),
  );
  expect(response?.status).toBe(431);
});

test.each([
  [100, 200],
  [101, 431],
  [3_000, 431],
])("%i headers: %i", async (number, status) => {
  const server = await startServer();
  const client = await server.open();
  const others = "a:b\r\n".repeat(number - 2);
  const [response] = parseResponses(
    await client.sendAndClose(`GET / HTTP/1.1\r\n${others}${host}Connection: close\r\n\r\n`),
  );
  expect(response?.status).toBe(status);
  const reasons = ["The request has more headers than the server accepts."];
  // The parser of newer Node versions has its own limit of 2,000 headers.
  if (number > 2_000 && Number(process.versions.node.split(".")[0]) > 20)
    reasons.push("The request target and headers are larger than the server accepts.");
  const reported = server.problems.map(({ reason }) => reason);
  if (status === 431) expect([reported.length, reasons]).toEqual([1, expect.arrayContaining(reported)]);
  else expect(reported).toEqual([]);
});

test("too large chunk extensions: 413", async () => {
  const server = await startServer({ fetch: async (request) => new Response(await request.text()) });
  const client = await server.open();
  const text = `POST / HTTP/1.1\r\n${host}${chunked}\r\n3;${"a".repeat(20_000)}\r\nabc\r\n0\r\n\r\n`;
  const [response] = parseResponses(await client.sendAndClose(text));
  expect(response?.status).toBe(413);
  expect(JSON.parse(response?.body ?? "")).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
});

test.each([
  ["a size that is not a number", "zz\r\n"],
  ["bare LFs", "3\nabc\n0\n\n"],
  ["a size beyond counting", "ffffffffffffffffff\r\n"],
])("a chunked body with %s is answered instead of the application", async (_name, body) => {
  const server = await startServer({ fetch: async (request) => new Response(await request.text()) });
  const client = await server.open();
  const responses = parseResponses(await client.sendAndClose(`POST / HTTP/1.1\r\n${host}${chunked}\r\n${body}`));
  expect(responses).toHaveLength(1);
  expect(responses[0]).toMatchObject({ status: 400, headers: { connection: "close" } });
  expect(server.problems.map(({ code }) => code)).toEqual(["BAD_REQUEST"]);
});

test("a request that the client interrupts with a close is answered", async () => {
  const server = await startServer();
  const client = await server.open();
  client.socket.end("GET / HTT");
  await client.closed;
  expect(server.problems[0]?.reason).toContain("closed in the middle");
});

describe("requests that HTTP permits are served:", () => {
  test.each([
    ["origin form", `GET /a?b=c HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, "GET /a?b=c"],
    [
      "absolute form",
      `GET https://localhost:8443/a/../b?c HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      "GET /a/../b?c",
    ],
    ["absolute form without a path", `GET HTTPS://localhost?q HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, "GET /?q"],
    ["asterisk form", `OPTIONS * HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, "OPTIONS /*"],
    ["Host of an IPv6 address", "GET /a HTTP/1.1\r\nHost: [::1]:8443\r\nConnection: close\r\n\r\n", "GET /a"],
    ["Host in capitals", "GET /a HTTP/1.1\r\nHOST: LOCALHOST\r\nConnection: close\r\n\r\n", "GET /a"],
    ["HTTP/1.0 without a Host", "GET /a HTTP/1.0\r\n\r\n", "GET /a"],
    ["empty lines before the request", `\r\n\r\nGET /a HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, "GET /a"],
    ["bytes beyond ASCII in a header", `GET /a HTTP/1.1\r\n${host}X: \xff\r\nConnection: close\r\n\r\n`, "GET /a"],
  ])("%s", async (_name, text, expected) => {
    const server = await startServer();
    const client = await server.open();
    const [response] = parseResponses(await client.sendAndClose(text));
    expect(response).toMatchObject({ status: 200, body: expected });
  });

  test("the host of an absolute target is used, not the header (RFC 9112 §3.2.2)", async () => {
    const server = await startServer({ fetch: (request) => plain(request.url) });
    const client = await server.open();
    const text = "GET https://localhost:8443/a HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n";
    expect(parseResponses(await client.sendAndClose(text))[0]?.body).toMatch(/^https?:\/\/localhost:8443\/a$/);
  });

  test("an upgrade is ignored, and ends the connection", async () => {
    const server = await startServer();
    const client = await server.open();
    const upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
    const responses = parseResponses(await client.sendAndClose(`GET /a HTTP/1.1\r\n${host}${upgrade}\r\n`));
    expect(responses).toMatchObject([{ status: 200, body: "GET /a", headers: { connection: "close" } }]);
  });
});
