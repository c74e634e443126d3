import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CheckId, checks } from "../../src/exam/checks.js";
import { type StartedSandbox, startSandbox } from "../../src/index.js";
import { type AssumptionId, decidesRefusal, refusalAssumptionIds } from "../../src/sandbox/assumptions.js";
import { CorrectClient, type Token } from "./correct-client.js";

// A request that only an assumption refuses fails no `must`: a client that sends it may be right at the real service.

let sandbox: StartedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ lists: { payments: { count: 30 } } });
});

afterAll(() => sandbox.close());

type Act = (client: CorrectClient, token: Token) => Promise<unknown>;

const get =
  (path: string, headers: Record<string, string> = {}, method = "GET"): Act =>
  (client, { value }) =>
    client.send({ path, method, headers: { Authorization: `Bearer ${value}`, ...headers } });
const post =
  (body: (client: CorrectClient) => string | Buffer, headers: Record<string, string>): Act =>
  (client) =>
    client.post(body(client) as string, { headers });
const form = (client: CorrectClient) => client.form().toString();

/** The second page of a list, with other parameters than the first. */
const second =
  (first: string, then: (cursor: string) => string): Act =>
  async (client, token) => {
    const { text } = await client.authorised(`/v1/payments?pageSize=10${first}`, token);
    const { nextCursor } = JSON.parse(text) as { nextCursor: string };
    await client.authorised(`/v1/${then(encodeURIComponent(nextCursor))}`, token);
  };

const at = (instant: string) => `&toCreatedAt=${encodeURIComponent(instant)}`;

/** What only an assumption refuses: the check that warns, the assumption that it names, and a request. */
const assumed: readonly (readonly [CheckId, AssumptionId, string, Act])[] = [
  [
    "request.correlation-id",
    "correlation.format",
    "an ID that is no UUID",
    get("/v1/ping", { "X-Correlation-ID": "7" }),
  ],
  ["request.path", "http.not-found", "another path", get("/v1/pings")],
  ["request.path", "http.not-found", "a slash too many", get("/v1/ping/")],
  ["request.path", "http.head", "HEAD", get("/v1/ping", {}, "HEAD")],
  ["request.path", "http.method-not-allowed", "OPTIONS", get("/v1/ping", {}, "OPTIONS")],
  ["request.path", "list.endpoints", "a method of a list", get("/v1/payments", {}, "DELETE")],
  ["request.values", "list.dates", "a date without a time", get("/v1/payments?fromCreatedAt=2026-01-01")],
  ["request.values", "list.endpoints", "a filter that is sent twice", get("/v1/payments?status=PAID&status=PENDING")],
  ["request.values", "ping.produce-error", "another form of a boolean", get("/v1/ping?produceError=1")],
  ["list.page-size", "list.page-size-format", "a number with a sign", get("/v1/payments?pageSize=%2B5")],
  ["list.cursor", "list.cursor", "a cursor of another list", second("", (cursor) => `payouts?cursor=${cursor}`)],
  [
    "list.filters",
    "list.filter-comparison",
    "the same instant in another form",
    second(at("2300-01-01T00:00:00Z"), (cursor) => `payments?cursor=${cursor}${at("2300-01-01T00:00:00.0Z")}`),
  ],
  ["token.granted", "token.invalid-scope", "another scope", post((client) => form(client).replace("read", "pay"), {})],
  [
    "token.form",
    "token.media-type",
    "a compressed form",
    post((client) => gzipSync(form(client)), { "Content-Encoding": "gzip" }),
  ],
  [
    "token.form",
    "token.media-type",
    "a form in another charset",
    post(form, { "Content-Type": "application/x-www-form-urlencoded; charset=iso-8859-1" }),
  ],
];

/** What the interface itself calls wrong. */
const wrong: readonly (readonly [CheckId, string, Act])[] = [
  ["request.path", "a method that §4 does not name", get("/v1/ping", {}, "POST")],
  [
    "request.values",
    "a period that ends before it begins (§7)",
    get(`/v1/payments?fromCreatedAt=${encodeURIComponent("2300-01-01T00:00:00Z")}${at("2200-01-01T00:00:00Z")}`),
  ],
  ["list.page-size", "a page size of 101 (§8)", get("/v1/payments?pageSize=101")],
  ["list.cursor", "a cursor that was modified (§7)", second("", (cursor) => `payments?cursor=x${cursor}`)],
  ["list.filters", "another filter (§7 rule 1)", second("", (cursor) => `payments?cursor=${cursor}&status=PAID`)],
  [
    "token.granted",
    "another client_id (§4.1 rule 1)",
    post((client) => form(client).replace(/client_id=[^&]+/, "client_id=other"), {}),
  ],
  ["token.form", "JSON (§4.1)", post(() => "{}", { "Content-Type": "application/json" })],
];

/** The failed checks after a request, each with its level and its message. */
async function failedBy(act: Act) {
  const registered = await sandbox.createClient();
  const client = new CorrectClient({ url: registered.url, clientId: registered.clientId, ...registered.tls });
  await act(client, await client.token()).finally(() => client.close());
  const { drills } = await registered.report();
  return drills.flatMap((drill) => drill.checks.filter(({ verdict }) => verdict === "fail"));
}

describe("what only an assumption refuses is a warning of", () => {
  it.each(assumed)("%s, which names %s: %s", async (id, assumption, _what, act) => {
    const failed = await failedBy(act);
    expect(failed.filter(({ level }) => level === "must")).toEqual([]);
    const message = expect.stringMatching(new RegExp(`, by the assumption ${assumption.replace(".", "\\.")}\\.$`));
    expect(failed).toContainEqual(expect.objectContaining({ id, level: "should", message }));
    expect(checks.find((check) => check.id === id)?.assumptions).toContain(assumption);
  });
});

describe("what the interface calls wrong fails", () => {
  it.each(wrong)("%s: %s", async (id, _what, act) => {
    expect(await failedBy(act)).toContainEqual(expect.objectContaining({ id, level: "must" }));
  });
});

/** Assumptions that decide a refusal, and of which no check judges it. */
const unjudged: readonly AssumptionId[] = [
  // `grantTypes` of the configuration, and scopes that open nothing.
  "token.unauthorized-client",
  "bearer.insufficient-scope",
  // Certificates have checks of their own.
  "certificate.ended",
  // `request.parameters`, which is a warning in any case, names what is unknown.
  "request.unknown-parameters",
  // A list may have no parent with the id.
  "list.unknown-parent",
  // Sizes, and what is not HTTP.
  "http.request-timeout",
  "http.payload-too-large",
  "http.expectation-failed",
  "http.rate-limit",
  "http.headers-too-large",
  "http.bad-request",
  // These are no refusals of a request: a scenario, or the sandbox itself, fails.
  "http.internal-error",
  "http.unavailable",
];

it("each assumption that decides a refusal is named by a check, or no check judges it", () => {
  const declared = new Set(checks.flatMap(({ assumptions = [] }) => assumptions));
  const deciding = refusalAssumptionIds.filter(decidesRefusal);
  expect(deciding.filter((id) => !declared.has(id))).toEqual(unjudged.filter((id) => deciding.includes(id as never)));
  for (const id of declared)
    expect(decidesRefusal(id) || id === "http.head" || id === "http.method-not-allowed").toBe(true);
  const tried = new Set(assumed.map(([, id]) => id));
  // The others of the header are configured, or refused like it.
  expect([...declared].filter((id) => !tried.has(id))).toEqual(["correlation.header", "correlation.required"]);
});
