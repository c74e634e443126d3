import { expect, it } from "vitest";
import { findingsOf } from "../../../src/imitate/calibrate/findings.js";
import { HarError, readHar } from "../../../src/imitate/calibrate/har.js";
import { Known } from "../../../src/imitate/calibrate/known.js";
import { readRecording } from "../../../src/imitate/calibrate/recorded.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";

type Entry = readonly [
  method: string,
  path: string,
  sent: Readonly<Record<string, string>>,
  body: string,
  status: number,
  answer: unknown,
  headers?: Readonly<Record<string, string>>,
];

const token = { Authorization: "Bearer tok-1", "x-request-id": "id-1" };
const echoed = { "X-Request-ID": "id-1" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const good = "grant_type=client_credentials&client_id=acme&scope=read";
const row = (number: number) => ({ id: `pay-0000${number}`, name: "Ada Lovelace", at: `2026-10-0${number}T00:00:00Z` });

const entries: readonly Entry[] = [
  ["POST", "/oauth/v2/oauth-token", form, good.replace("acme", "typo"), 401, { code: "NOBODY", message: "?" }],
  ["POST", "/oauth/v2/oauth-token", form, good, 200, { access_token: "tok-1", token_type: "bearer", expires_in: 90 }],
  ["GET", "/v1/ping", token, "", 200, { up: true }, echoed],
  ["GET", "/v1/ping", {}, "", 401, { code: "NO_TOKEN", message: "?" }, { "WWW-Authenticate": "Bearer" }],
  ["GET", "/v1/ping", { Authorization: "Bearer old" }, "", 403, { code: "BAD_TOKEN", message: "?" }],
  ["GET", "/v2/accounts/DE8937040044/rows?limit=2", token, "", 200, { data: [row(5), row(4)], next: "c-1" }],
  ["GET", "/v2/accounts/DE8937040044/rows?limit=2&after=c-1", token, "", 200, { data: [row(3), row(2)], next: "c-2" }],
  ["GET", "/v2/accounts/DE8937040044/rows?limit=2&after=c-2", token, "", 200, { data: [row(1)], next: null }],
  ["GET", "/v2/nothing", token, "", 404, ""],
];

function har(list: readonly Entry[]): string {
  const headers = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([name, value]) => ({ name, value }));
  return JSON.stringify({
    log: {
      version: "1.2",
      entries: [
        {
          request: { method: "GET", url: "https://elsewhere.test/", headers: [] },
          response: { status: 500, headers: [] },
        },
        ...list.map(([method, path, sent, body, status, answer, answered = {}]) => ({
          request: {
            method,
            url: `https://pay.test/base${path}`,
            headers: headers(sent),
            ...(body !== "" && { postData: { mimeType: sent["Content-Type"], text: body } }),
          },
          response: {
            status,
            headers: headers(answered),
            content: { text: answer === "" ? "" : btoa(JSON.stringify(answer)), encoding: "base64" },
          },
        })),
      ],
    },
  });
}

function read(text: string) {
  const recording = readHar(text, undefined);
  const run = readRecording(recording, [], {}, { clientId: undefined, newId: () => "id" });
  return { ...run, findings: findingsOf(new Known(run.options, run.seen), emptyFile, recording.base.pathname) };
}

it("recorded traffic is read as answers to probes", () => {
  const { findings, used } = read(har(entries));
  const settings = Object.fromEntries(findings.settings.map(({ place, reading }) => [place.join("."), reading.value]));
  expect(settings).toMatchObject({
    basePath: "/base",
    "assumptions.token.invalid-client": { status: 401, code: "NOBODY" },
    "assumptions.token.lifetime": 90,
    "assumptions.bearer.missing-token": { status: 401, code: "NO_TOKEN" },
    "assumptions.bearer.invalid-token": { status: 403, code: "BAD_TOKEN" },
    "assumptions.correlation.header": "X-Request-ID",
    "assumptions.ping.response": { status: 200, body: { up: true } },
    "assumptions.http.not-found": { status: 404, body: "none" },
    "lists.rows.path": "/v2/accounts/{accountId}/rows",
    "lists.rows.parameters": { pageSize: "limit", cursor: "after" },
    "lists.rows.envelope": { items: "data", nextCursor: "next", lastCursor: "null" },
    "lists.rows.order": "newest-first",
  });
  // The ping was sent with a correlation ID, and the token request without one.
  expect(settings["assumptions.correlation.required"]).toBe(false);
  expect(used).toBe(9);
  expect(JSON.stringify(findings.settings.map(({ reading }) => reading.value))).not.toMatch(/tok-1|Ada|DE89|pay-0000/);
});

it.each(["//", "//[::"])("a path that looks like a host is a path: %s", (path) => {
  const url = `https://h.test${path}/oauth/v2/oauth-token`;
  const request = { method: "POST", url, headers: [], queryString: [] };
  const text = JSON.stringify({ log: { entries: [{ request, response: { status: 401, headers: [], content: {} } }] } });
  expect(readHar(text, undefined).base.href).toBe(`https://h.test${path}`);
});

it("the sizes that were recorded are no limit of the page size", () => {
  const { findings } = read(har(entries));
  const found = findings.settings.find(({ place }) => place.join(".") === "lists.rows.pageSize");
  expect(found?.reading.value ?? {}).not.toHaveProperty("maximum");
});

it("secrets are not taken over if a recorder wrote the header names in lower case", () => {
  const sent = { authorization: "Bearer s3cr3t-opaque-token", cookie: "session=s3cr3t-cookie-value; a=b" };
  const challenge =
    'Bearer error="invalid_token", error_description="token s3cr3t-opaque-token of s3cr3t-cookie-value"';
  const { findings } = read(
    har([
      ...entries.slice(0, 1),
      ["GET", "/v1/ping", sent, "", 401, { code: "OLD_TOKEN", message: "?" }, { "www-authenticate": challenge }],
    ]),
  );
  expect(findings.settings.length).toBeGreaterThan(0);
  expect(JSON.stringify(findings.settings.map(({ reading }) => reading.value))).not.toContain("s3cr3t");
});

it("something that the file says is refused, and that is now accepted, differs", () => {
  const configured = {
    ...emptyFile.assumptions,
    errors: { "http.not-found": { status: 404 }, "token.invalid-scope": {} },
  };
  const scopeless: Entry = [
    "POST",
    "/oauth/v2/oauth-token",
    form,
    "grant_type=client_credentials&client_id=acme",
    200,
    { access_token: "tok-2", token_type: "bearer", expires_in: 90 },
  ];
  const recording = readHar(har([...entries, scopeless]), undefined);
  const { options, seen } = readRecording(recording, [], {}, { clientId: undefined, newId: () => "id" });
  const answer = seen.get("session.token");
  if (answer === undefined) throw new Error("No token was recorded.");
  const step = { id: "token.no-scope", says: "a token request without scope" };
  const known = new Known(options, new Map([...seen, [step.id, { ...answer, step }]]));
  const written = { assumptions: configured.errors };
  const { settings } = findingsOf(known, { ...emptyFile, assumptions: configured }, "", written);
  const found = settings.filter(({ id }) => id === "token.invalid-scope");
  expect(found.map(({ same, reading }) => [same, reading.value])).toEqual([[false, undefined]]);
});

it.each([
  ["no JSON", "{", /is not JSON/],
  ["no archive", "{}", /not an HTTP Archive/],
  ["nothing of a service", har([]), /--url is needed/],
])("%s is reported", (_, text, message) => {
  expect(() => readHar(text, undefined)).toThrow(HarError);
  expect(() => readHar(text, undefined)).toThrow(message);
});

/** Entries as recorders write them, with members that do not matter. */
const shapes: Readonly<Record<string, (request: object, response: object) => object>> = {
  Chrome: (request, response) => ({
    _initiator: { type: "script", stack: { callFrames: [] } },
    _priority: "High",
    _resourceType: "fetch",
    cache: {},
    connection: "443",
    serverIPAddress: "127.0.0.1",
    startedDateTime: "2026-11-01T12:00:00.000Z",
    time: 12.5,
    timings: { blocked: -1, dns: -1, connect: -1, send: 0.1, wait: 11, receive: 1, ssl: -1, _queued: 1 },
    request: { httpVersion: "http/2.0", cookies: [], queryString: [], headersSize: -1, bodySize: 0, ...request },
    response: {
      httpVersion: "http/2.0",
      cookies: [],
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
      _error: null,
      ...response,
    },
  }),
  mitmproxy: (request, response) => ({
    startedDateTime: "2026-11-01T12:00:00.000000+00:00",
    time: 12,
    cache: {},
    timings: { connect: 1, ssl: 2, send: 3, receive: 4, wait: 5 },
    serverIPAddress: "127.0.0.1",
    request: { httpVersion: "HTTP/1.1", cookies: [], queryString: [], headersSize: 310, bodySize: 60, ...request },
    response: { httpVersion: "HTTP/1.1", cookies: [], redirectURL: "", headersSize: 210, bodySize: 60, ...response },
  }),
};

it.each(Object.entries(shapes))("a file of %s is read", (recorder, entry) => {
  const isChrome = recorder === "Chrome";
  const pseudo = isChrome
    ? [
        { name: ":authority", value: "pay.test" },
        { name: ":method", value: "POST" },
      ]
    : [];
  const list = (all: Readonly<Record<string, string>>) => Object.entries(all).map(([name, value]) => ({ name, value }));
  const content = (value: object) =>
    isChrome
      ? { size: 9, mimeType: "application/json", text: JSON.stringify(value) }
      : {
          size: 9,
          compression: 0,
          mimeType: "application/json",
          text: btoa(JSON.stringify(value)),
          encoding: "base64",
        };
  const fields = [...new URLSearchParams(good)].map(([name, value]) => ({ name, value }));
  const text = JSON.stringify({
    log: {
      version: "1.2",
      creator: { name: recorder, version: "1" },
      pages: [],
      entries: [
        entry(
          {
            method: "POST",
            url: "https://pay.test/base/oauth/v2/oauth-token",
            headers: [...pseudo, ...list({ "content-type": "application/x-www-form-urlencoded" })],
            postData: { mimeType: "application/x-www-form-urlencoded", params: fields, text: isChrome ? good : "" },
          },
          { status: 200, statusText: "", headers: [], content: content({ access_token: "tok-1", expires_in: 77 }) },
        ),
        // Aborted: Chrome writes 0, and no content.
        entry(
          { method: "GET", url: "https://pay.test/base/v1/ping", headers: [] },
          { status: 0, headers: [], content: {} },
        ),
        entry(
          {
            method: "GET",
            url: "https://pay.test/base/v1/ping",
            headers: [...pseudo, ...list({ authorization: "Bearer tok-1" })],
          },
          { status: 200, headers: list({ "x-request-id": "1" }), content: content({ up: true }) },
        ),
      ],
    },
  });
  const { findings, used } = read(text);
  expect(used).toBe(2);
  const settings = Object.fromEntries(findings.settings.map(({ place, reading }) => [place.join("."), reading.value]));
  expect(settings).toMatchObject({
    "assumptions.token.lifetime": 77,
    "assumptions.ping.response": { status: 200, body: { up: true } },
  });
});

it("a hostile file is read to its end, within limits", () => {
  const deep = `{"data":[{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}]}`;
  const wide = {
    data: [Object.fromEntries(Array.from({ length: 5000 }, (_, place) => [`m${place % 1000}x${place}`, place]))],
  };
  const odd = ["/%zz123/rows", "/a/__proto__/rows", "/{x}/rows", `/${"long".repeat(5000)}/rows`];
  const many = Array.from(
    { length: 3000 },
    (_, place) => `/v1/list${"abcdefghij"[place % 10]}/of/${"klmnopqrst"[((place / 10) % 10) | 0]}`,
  );
  const page = { data: [row(5), row(4)], next: "c-1" };
  const list: Entry[] = [
    ...entries.slice(0, 3),
    ...[...odd, ...many].map((path): Entry => ["GET", path, token, "", 200, page]),
    ["GET", "/v1/wide", token, "", 200, wide],
    ["GET", "/v1/ping", token, "", 200, JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')],
  ];
  const file = JSON.parse(har(list));
  file.log.entries.push({
    request: { method: "GET", url: "https://pay.test/base/v1/deep", headers: [null, {}, { name: 1, value: {} }] },
    response: { status: 200, headers: "none", content: { text: deep } },
  });
  const { findings } = read(JSON.stringify(file));
  const lists = new Set(
    findings.settings
      .map(({ place }) => place)
      .filter(([part]) => part === "lists")
      .map(([, name]) => name),
  );
  expect(lists.size).toBeLessThanOrEqual(20);
  expect(JSON.stringify(findings.settings).length).toBeLessThan(1_000_000);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  const endless = JSON.stringify({ log: { entries: Array(20_001).fill({}) } });
  expect(() => readHar(endless, undefined)).toThrow(/more than 20,000 entries/);
});
