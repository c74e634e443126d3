import { beforeAll, describe, expect, it } from "vitest";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import { redactHeaders } from "../../../src/sandbox/journal/redact.js";
import { eventually, startShared, type TestSandbox } from "../../admin/fixture.js";
import { afterTest } from "../../support/cleanups.js";
import { Http2Client } from "../../support/http2-client.js";
import { headers as headersFrame, requestFields } from "../../support/http2-frames.js";
import { openTls, type RawTlsOptions } from "../../support/raw-client.js";

// The headers of an answer in the journal and in the archive are those that the client received: the same names in the
// same order. `every-fault.test.ts` compares them for each fault.

let own: TestSandbox;
let options: RawTlsOptions;
let clientId: string;
let token: string;

const rule = (name: string, action: object) =>
  `- { name: ${name}, when: { headers: { X-Rule: ${name} } }, then: ${JSON.stringify(action)} }`;
const rules = [
  rule("no-content", { respond: { status: 204, headers: { "X-Own": "ä" } } }),
  rule("reset-content", { respond: { status: 205 } }),
  rule("not-modified", { respond: { status: 304, headers: { ETag: '"a"' } } }),
  rule("closing", { respond: { status: 200, headers: { Connection: "close" }, body: "x" } }),
  rule("dated", { respond: { status: 200, headers: { date: "Thu, 01 Jan 1970 00:00:00 GMT" }, body: { a: 1 } } }),
  rule("repeated", { respond: { status: 200, headers: { "X-Note": ["a", "b", "a"], "Set-Cookie": ["s=1", "t=2"] } } }),
  rule("repeated-real", { alter: { headers: { "WWW-Authenticate": ["Basic", 'Bearer realm="x"'] } } }),
  rule("chunked", { alter: { chunked: true } }),
  rule("error", { error: "FORBIDDEN" }),
  rule("slow-headers", { connection: { kind: "slowHeaders", duration: "10ms" } }),
];

beforeAll(async () => {
  const { assumptions } = emptyFile;
  own = await startShared({
    assumptions: { ...assumptions, values: { ...assumptions.values, "http.head": "answer" } },
  });
  const client = await own.mint();
  const { minted } = client;
  clientId = client.clientId;
  token = await client.token();
  options = {
    port: Number(new URL(minted.url).port),
    ca: minted.ca,
    cert: minted.certificate,
    key: minted.key,
  };
  const scenario = ["description: Headers.", "rules:", ...rules].join("\n");
  expect((await own.admin.putYaml("/scenarios/headers", scenario)).status).toBe(200);
  expect((await own.admin.put(`/clients/${clientId}/scenario`, { name: "headers" })).status).toBe(200);
});

/** The newest entry, once it is over, and its headers in the archive. */
async function newest() {
  const found = await eventually(async () => {
    const { items } = (await own.admin.get(`/requests?q=client:${clientId}&pageSize=1`)).json;
    return items[0]?.delivered === true && items[0];
  });
  const entry = (await own.admin.get(`/requests/${found.id}`)).json;
  const archive = (await own.admin.get(`/journal/export?format=har&q=client:${clientId}`)).json.log.entries.at(-1);
  expect(archive._sandbox.id).toBe(entry.id);
  const archived = archive.response.headers.map(({ name, value }: { name: string; value: string }) => [name, value]);
  return { entry, archived };
}

/** Forgets the entries of earlier tests. */
const forget = async () => void (await own.admin.delete("/requests"));

const host = "Host: localhost\r\n";
const form = `${host}Content-Type: application/x-www-form-urlencoded\r\n`;
const authorised = () => `${host}Authorization: Bearer ${token}\r\n`;
const ruled = (name: string) => `GET /v1/ping HTTP/1.1\r\n${authorised()}X-Rule: ${name}\r\n\r\n`;

/** How many headers of the answer repeat another one. */
const repeatedBy = (request: string) =>
  /X-Rule: repeated-real/.test(request) ? 1 : /X-Rule: repeated/.test(request) ? 3 : 0;

describe("over HTTP/1.1", () => {
  it.each<[string, status: number, request: () => string]>([
    ["a ping", 200, () => `GET /v1/ping HTTP/1.1\r\n${authorised()}\r\n`],
    ["a ping over HTTP/1.0", 200, () => `GET /v1/ping HTTP/1.0\r\n${authorised()}\r\n`],
    ["HEAD", 200, () => `HEAD /v1/payments HTTP/1.1\r\n${authorised()}\r\n`],
    ["HEAD of nothing", 404, () => `HEAD /v1/none HTTP/1.1\r\n${authorised()}\r\n`],
    ["a validation error", 400, () => `GET /v1/payments?pageSize=0 HTTP/1.1\r\n${authorised()}\r\n`],
    [
      "a token request without a form",
      400,
      () => `POST /oauth/v2/oauth-token HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`,
    ],
    ["no host", 400, () => "GET /v1/ping HTTP/1.1\r\n\r\n"],
    ["a HEAD that is not HTTP", 400, () => `HEAD /v1/ping HTTP/1.1\r\n${host}colon\r\n\r\n`],
    ["headers that are too large", 431, () => `GET /v1/ping HTTP/1.1\r\n${host}X: ${"x".repeat(70_000)}\r\n\r\n`],
    [
      "a body that is too large",
      413,
      () => `POST /oauth/v2/oauth-token HTTP/1.1\r\n${form}Content-Length: 99999999\r\n\r\n`,
    ],
    ["an expectation", 417, () => `GET /v1/ping HTTP/1.1\r\n${host}Expect: more\r\n\r\n`],
    ["CONNECT", 400, () => `CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`],
    ["204", 204, () => ruled("no-content")],
    ["304", 304, () => ruled("not-modified")],
    ["an answer of a rule that closes", 200, () => ruled("closing")],
    ["an answer of a rule with a date", 200, () => ruled("dated")],
    ["an answer of a rule with headers that repeat", 200, () => ruled("repeated")],
    ["the real answer with a header that repeats", 200, () => ruled("repeated-real")],
    ["chunks", 200, () => ruled("chunked")],
    ["chunks over HTTP/1.0", 200, () => ruled("chunked").replace("HTTP/1.1", "HTTP/1.0")],
    ["an injected error", 403, () => ruled("error")],
    ["slow headers", 200, () => ruled("slow-headers")],
    ["slow headers over HTTP/1.0", 200, () => ruled("slow-headers").replace("HTTP/1.1", "HTTP/1.0")],
  ])("%s", async (_name, status, request) => {
    await forget();
    const client = await openTls(options);
    afterTest(() => void client.socket.destroy());
    client.send(request());
    const received = await client.waitFor("\r\n\r\n");
    const [statusLine = "", ...lines] = received.slice(0, received.indexOf("\r\n\r\n")).split("\r\n");
    const sent = lines.flatMap((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]);
    const { entry, archived } = await newest();
    expect([statusLine.split(" ")[1], entry.status], entry.explanation).toEqual([String(status), status]);
    expect(entry.answer.headers).toEqual(redactHeaders(sent));
    expect(archived).toEqual(redactHeaders(sent));
    const names = lines.map((line) => line.slice(0, line.indexOf(":")).toLowerCase());
    expect(names).toEqual(expect.arrayContaining(["date", "connection"]));
    expect(names.length - new Set(names).size).toBe(repeatedBy(request()));
  });
});

describe("over HTTP/2", () => {
  const bearer = () => ["authorization", `Bearer ${token}`] as const;
  it.each<[string, status: number, fields: () => Parameters<typeof headersFrame>[1]]>([
    ["a ping", 200, () => requestFields("GET", "/v1/ping", [bearer()])],
    ["a list", 200, () => requestFields("GET", "/v1/payments", [bearer()])],
    ["HEAD", 200, () => requestFields("HEAD", "/v1/payments", [bearer()])],
    ["HEAD of nothing", 404, () => requestFields("HEAD", "/v1/none", [bearer()])],
    ["a request without a token", 401, () => requestFields("GET", "/v1/ping")],
    ["two hosts", 400, () => requestFields("GET", "/v1/ping", [["host", "other.test"]])],
    ...[
      "no-content",
      "reset-content",
      "not-modified",
      "closing",
      "dated",
      "chunked",
      "error",
      "repeated",
      "repeated-real",
    ].map((name, at): [string, number, () => Parameters<typeof headersFrame>[1]] => [
      `the rule ${name}`,
      [204, 205, 304, 200, 200, 200, 403, 200, 200][at] ?? 0,
      () => requestFields("GET", "/v1/ping", [bearer(), ["x-rule", name]]),
    ]),
  ])("%s", async (_name, status, fields) => {
    await forget();
    const client = await Http2Client.open(options);
    afterTest(() => client.destroy());
    client.send(headersFrame(1, fields()));
    const received = await client.over(1);
    const { entry, archived } = await newest();
    expect([received.status, entry.status]).toEqual([status, status]);
    expect(entry.answer.headers).toEqual(redactHeaders(received.fields.flat()));
    expect(archived).toEqual(redactHeaders(received.fields.flat()));
    expect(received.headers["date"]).toBeDefined();
  });
});
