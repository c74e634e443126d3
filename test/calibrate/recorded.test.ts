import { expect, it } from "vitest";
import { findingsOf } from "../../src/calibrate/findings.js";
import { HarError, readHar } from "../../src/calibrate/har.js";
import { Known } from "../../src/calibrate/known.js";
import { readRecording } from "../../src/calibrate/recorded.js";
import { emptyFile } from "../../src/config/file.js";

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

it("what a file says is refused, and is accepted by now, differs", () => {
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
  ["no archive", "{}", /no HTTP Archive/],
  ["nothing of a service", har([]), /--url is needed/],
])("%s is told", (_, text, message) => {
  expect(() => readHar(text, undefined)).toThrow(HarError);
  expect(() => readHar(text, undefined)).toThrow(message);
});
