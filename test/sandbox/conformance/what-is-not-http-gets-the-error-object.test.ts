import { describe, expect, it } from "vitest";
import { openTcp, parseResponses } from "../../support/raw-client.js";
import { type Caller, expectError, freshId, sharedSandbox } from "./sandbox.js";

// §2.2 and §7: all errors have message and code, also those for which Node's parser would send an empty body.
const sandbox = sharedSandbox();
const host = "Host: localhost\r\n";
const chunked = "Transfer-Encoding: chunked\r\n";
const form = "Content-Type: application/x-www-form-urlencoded\r\n";
const tokenLine = "POST /oauth/v2/oauth-token HTTP/1.1\r\n";

const badRequests: Readonly<Record<string, string>> = {
  "no Host": "GET /v1/ping HTTP/1.1\r\n\r\n",
  "two Hosts": `GET /v1/ping HTTP/1.1\r\n${host}${host}\r\n`,
  "an empty Host": "GET /v1/ping HTTP/1.1\r\nHost:\r\n\r\n",
  "a Host that is not valid": "GET /v1/ping HTTP/1.1\r\nHost: a b\r\n\r\n",
  "a Host with a path": "GET /v1/ping HTTP/1.1\r\nHost: localhost/v1\r\n\r\n",
  CONNECT: `CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`,
  "a method that is not a token": `BR(W /v1/ping HTTP/1.1\r\n${host}\r\n`,
  "HTTP/0.9": "GET /v1/ping\r\n\r\n",
  "HTTP/2's preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a target without a slash": `GET v1/ping HTTP/1.1\r\n${host}\r\n`,
  "the asterisk form": `GET * HTTP/1.1\r\n${host}\r\n`,
  "another scheme": `GET ftp://localhost/v1/ping HTTP/1.1\r\n${host}\r\n`,
  "a control byte in the target": `GET /v1/ping\x01 HTTP/1.1\r\n${host}\r\n`,
  "a byte beyond ASCII in the target": `GET /v1/ping?x=\xe9 HTTP/1.1\r\n${host}\r\n`,
  "a zero byte in a header": `GET /v1/ping HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`,
  "a bare CR in a header": `GET /v1/ping HTTP/1.1\r\n${host}X: a\rb\r\n\r\n`,
  "a bare LF after a header": `GET /v1/ping HTTP/1.1\r\n${host}X: a\nY: b\r\n\r\n`,
  "a folded header": `GET /v1/ping HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`,
  "a header without a colon": `GET /v1/ping HTTP/1.1\r\n${host}nonsense\r\n\r\n`,
  "a space before the colon": `GET /v1/ping HTTP/1.1\r\n${host}X : a\r\n\r\n`,
  "two lengths": `${tokenLine}${host}${form}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
  "a length and chunks": `${tokenLine}${host}${form}Content-Length: 3\r\n${chunked}\r\n0\r\n\r\n`,
  "a negative length": `${tokenLine}${host}${form}Content-Length: -1\r\n\r\n`,
  "a length that is not valid": `${tokenLine}${host}${form}Content-Length: 0x10\r\n\r\n`,
  "an endless length": `${tokenLine}${host}${form}Content-Length: 99999999999999999999\r\n\r\n`,
  "a chunk without a size": `${tokenLine}${host}${form}${chunked}\r\nzz\r\nabc\r\n0\r\n\r\n`,
  "a coding that is not chunked": `${tokenLine}${host}${form}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  "not HTTP at all": "\x16\x03\x01\x02\x00garbage\r\n\r\n",
  "an SMTP greeting": "EHLO localhost\r\n\r\n",
};

describe("400 BAD_REQUEST", () => {
  it.each(Object.entries(badRequests))("%s", async (_name, text) => {
    for (const as of ["demo", "nobody"] satisfies Caller[]) {
      const [answer, ...more] = await sandbox().raw(text, as);
      expect(more).toEqual([]);
      if (answer === undefined) throw new Error("No answer came.");
      // At the token endpoint, enough of the request may have been read to answer with one of its errors.
      const body = JSON.parse(answer.body);
      expectError({ ...answer, body: JSON.stringify({ message: body.message, code: body.code }) }, 400, "BAD_REQUEST");
      expect(answer.headers["x-correlation-id"]).toMatch(freshId);
      expect(answer.headers["connection"]).toBe("close");
    }
  });
});

it("a broken body is one exchange of the journal", async () => {
  const count = async () =>
    ((await (await fetch(`${sandbox().adminUrl}/requests/count`)).json()) as { count: number }).count;
  const before = await count();
  await sandbox().raw(badRequests["a chunk without a size"] as string);
  await sandbox().send("/v1/ping");
  expect(await count()).toBe(before + 2);
});

it("417 for an expectation that is unknown", async () => {
  const [answer] = await sandbox().raw(`GET /v1/ping HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`);
  if (answer === undefined) throw new Error("No answer came.");
  expectError(answer, 417, "EXPECTATION_FAILED");
});

it("the correlation ID of a readable request is echoed", async () => {
  const mine = "0b9dba6c-7a4b-4a0e-8b0f-2a8f1d1c7e11";
  for (const text of [
    `GET /v1/ping HTTP/1.1\r\n${host}Expect: tea\r\n`,
    "GET /v1/ping HTTP/1.1\r\nHost: a b\r\n",
    `GET /v1/ping HTTP/1.1\r\n${host}${"X-Y: z\r\n".repeat(150)}`,
    `CONNECT localhost:443 HTTP/1.1\r\n${host}`,
  ]) {
    const head = text.indexOf("\r\n") + 2;
    const sent = `${text.slice(0, head)}X-Correlation-ID: ${mine}\r\n${text.slice(head)}\r\n`;
    const [answer] = await sandbox().raw(sent);
    expect([answer?.status !== 200, answer?.headers["x-correlation-id"]]).toEqual([true, mine]);
  }
});

it("a refusal of HEAD has no body", async () => {
  for (const text of [
    `HEAD /v1/ping HTTP/1.1\r\n${host}A B: c\r\n\r\n`,
    "HEAD /v1/ping HTTP/1.1\r\nHost: a b\r\n\r\n",
  ]) {
    const [answer] = await sandbox().raw(text);
    expect([answer?.status, answer?.body]).toEqual([400, ""]);
  }
});

it("431 for headers or a target over 16 KiB", async () => {
  for (const text of [
    `GET /v1/ping HTTP/1.1\r\n${host}X: ${"a".repeat(17_000)}\r\n\r\n`,
    `GET /v1/ping?${"a".repeat(17_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET /v1/ping HTTP/1.1\r\n${host}${"X-Y: z\r\n".repeat(5_000)}\r\n`,
  ]) {
    const [answer] = await sandbox().raw(text);
    if (answer === undefined) throw new Error("No answer came.");
    expectError(answer, 431, "REQUEST_HEADER_FIELDS_TOO_LARGE");
  }
});

// RFC 6749 §5.1. A head that the parser does not read completely has no path.
describe("at the path of the token endpoint, the answer is not to be stored", () => {
  const post = "POST /oauth/v2/oauth-token";
  it.each([
    ["without a Host", 400, `${post} HTTP/1.1\r\n\r\n`],
    ["with two Hosts", 400, `${post} HTTP/1.1\r\n${host}${host}\r\n`],
    ["with an expectation that is unknown", 417, `${post} HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`],
  ])("%s", async (_name, status, text) => {
    const [answer] = await sandbox().raw(text);
    expect(answer?.status).toBe(status);
    expect([answer?.headers["cache-control"], answer?.headers["pragma"]]).toEqual(["no-store", "no-cache"]);
    const [elsewhere] = await sandbox().raw(text.replace(post, "GET /v1/ping"));
    expect([elsewhere?.status, elsewhere?.headers["cache-control"]]).toEqual([status, undefined]);
  });
});

it("an upgrade is ignored: the request is answered as HTTP/1.1", async () => {
  for (const [name, value] of [
    ["websocket", "Upgrade"],
    ["h2c", "Upgrade, HTTP2-Settings"],
  ] as const) {
    const [answer] = await sandbox().raw(
      `GET /v1/ping HTTP/1.1\r\n${host}Connection: ${value}\r\nUpgrade: ${name}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    if (answer === undefined) throw new Error("No answer came.");
    expectError(answer, 401, "UNAUTHORIZED");
  }
});

it("requests after a broken one are not read", async () => {
  const answers = await sandbox().raw(`GET /v1/ping HTTP/1.1\r\n\r\nGET /nothing HTTP/1.1\r\n${host}\r\n`);
  expect(answers.map(({ status }) => status)).toEqual([400]);
});

describe("plain HTTP on the TLS port", () => {
  it.each([
    "GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST / HTTP/1.1\r\n\r\n",
    "CONNECT a:1 HTTP/1.1\r\n\r\n",
  ])("%j gets the advice to use https", async (text) => {
    const client = await openTcp(sandbox().port);
    const [answer] = parseResponses(await client.sendAndClose(text));
    if (answer === undefined) throw new Error("No answer came.");
    expectError(answer, 400, "BAD_REQUEST");
    expect(answer.body).toContain("https");
  });
});
