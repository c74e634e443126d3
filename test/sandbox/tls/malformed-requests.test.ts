import { describe, expect, test } from "vitest";
import { parseResponses } from "../../support/raw-client.js";
import { plain, startServer } from "./fixture.js";

const host = "Host: localhost\r\n";
const chunked = "Transfer-Encoding: chunked\r\n";

/** Each is sent on its own connection, and answered with 400 and the error object. */
const bad: Readonly<Record<string, string>> = {
  "two Hosts in different case": `GET / HTTP/1.1\r\n${host}hOST: other\r\n\r\n`,
  "Host with user information": "GET / HTTP/1.1\r\nHost: user@localhost\r\n\r\n",
  "Host with an impossible port": "GET / HTTP/1.1\r\nHost: localhost:99999\r\n\r\n",
  "2.0 with HTTP/1.1 framing": `GET / HTTP/2.0\r\n${host}\r\n`,
  "absolute target with user information": `GET https://u:p@localhost/ HTTP/1.1\r\n${host}\r\n`,
  "absolute target without an authority": `GET https:///x HTTP/1.1\r\n${host}\r\n`,
  "bare LF after the request line": "GET / HTTP/1.1\nHost: localhost\n\n",
  "space before the colon": `POST / HTTP/1.1\r\n${host}Content-Length : 3\r\n\r\nabc`,
  "coding that looks like chunked": `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
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
});
