import { createPrivateKey, X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { thumbprintOf } from "../../../src/base/x509/certificate.js";
import { type AssumptionId, assumption, assumptionIds } from "../../../src/sandbox/assumptions.js";
import { documentOf } from "../openapi/documents.js";
import { DrivenClient } from "../openapi/driven-client.js";
import type { Document } from "../openapi/validate.js";
import { readToken, signToken } from "./forged-tokens.js";
import { goodForm, openSandbox, type RunningSandbox, sharedSandbox, tokenPath } from "./sandbox.js";

// Every answer that is based on a choice of the sandbox names it, so that nobody hard-codes a guess. Answers of the
// interface itself do not. The cause of an answer decides, not its code.

type Send = (sandbox: RunningSandbox) => Promise<{ readonly headers: Readonly<Record<string, unknown>> }>;

/** What is sent, how, and exactly the assumptions that the answer names. */
type Probe = readonly [what: string, send: Send, ...marks: readonly AssumptionId[]];

const correlated = (id: string) => ({ headers: { "X-Correlation-ID": id } });
const good = "0b9f2c7e-5d3a-4f61-9b0e-2f6a1c8d7e55";
const page = ["list.endpoints", "list.envelope"] as const;

const post =
  (form: string, call: Parameters<RunningSandbox["postToken"]>[1] = {}): Send =>
  (sandbox) =>
    sandbox.postToken(form, call);

const get =
  (path: string, call: Parameters<RunningSandbox["send"]>[1] = {}): Send =>
  async (sandbox) =>
    sandbox.send(path, { token: await sandbox.token(), ...call });

const without =
  (path: string, call: Parameters<RunningSandbox["send"]>[1] = {}): Send =>
  (sandbox) =>
    sandbox.send(path, call);

const raw =
  (text: string): Send =>
  async (sandbox) => {
    const [answer] = await sandbox.raw(text);
    if (!answer) throw new Error("No answer came.");
    return answer;
  };

/** A walk: the cursor of a first page, sent with other parameters. */
const walk =
  (first: string, then: string, path = "/v1/payments", as: "demo" | "other" = "demo"): Send =>
  async (sandbox) => {
    const { json } = await sandbox.send(`/v1/payments?${first}`, { token: await sandbox.token() });
    return sandbox.send(`${path}?${then}&cursor=${json.nextCursor}`, { as, token: await sandbox.token(as) });
  };

const injected = (code: string): Send => get("/v1/ping", { headers: { "Sandbox-Scenario": code.toLowerCase() } });

const instant = (text: string) => `fromCreatedAt=${encodeURIComponent(text)}`;

/** A good request of each operation, which is made from its description. The description says what its answer names. */
const goodRequests: readonly Probe[] = operationsOf(await documentOf()).map(({ operationId, responses }) => {
  const good = Object.entries<Document>(responses).find(([status]) => status.startsWith("2"))?.[1];
  return [`a good ${operationId}`, driven(operationId), ...[good["x-assumed"] ?? []].flat()];
});

function operationsOf(document: Document): Document[] {
  return Object.values<Document>(document.paths).flatMap((methods) => Object.values<Document>(methods));
}

function driven(operationId: string): Send {
  return async (sandbox) => {
    const document = await (await fetch(`${sandbox.adminUrl}/openapi.json`)).json();
    const client = new DrivenClient(document, { clientId: "demo", ca: sandbox.ca, ...sandbox.identity("demo") });
    const { answer } = await client.call(operationId);
    client.close();
    expect(answer.status).toBeLessThan(300);
    return answer;
  };
}

const probes: readonly Probe[] = [
  ...goodRequests,

  // Answers that the interface itself defines.
  ["a token with a correlation ID", post(goodForm(), correlated(good))],
  ["the example error", get("/v1/ping?produceError=true")],
  ["a page size beyond §8", get("/v1/payments?pageSize=0")],
  ["a negative page size", get("/v1/payments?pageSize=-1")],
  ["an altered cursor", get("/v1/payments?cursor=x")],
  ["a cursor with another filter", walk("pageSize=1", "pageSize=1&status=FAILED")],
  [
    "a cursor with another date",
    walk(`pageSize=1&${instant("2020-01-01T00:00:00Z")}`, instant("2020-01-02T00:00:00Z")),
  ],
  ["a range upside down", get(`/v1/payments?${instant("2026-01-02T00:00:00Z")}&toCreatedAt=2026-01-01T00:00:00Z`)],

  // The token endpoint.
  [
    "another client's certificate",
    post(goodForm(), { as: "other" }),
    "token.invalid-client",
    "checks.order",
    "token.error-body",
  ],
  ["an unknown client", post(goodForm("nobody")), "token.invalid-client", "checks.order", "token.error-body"],
  [
    "a parameter is missing",
    post("grant_type=client_credentials&scope=read"),
    "token.invalid-request",
    "checks.order",
    "token.error-body",
  ],
  [
    "a media type",
    without(tokenPath, { method: "POST", body: "" }),
    "token.media-type",
    "checks.order",
    "token.error-body",
  ],
  [
    "a grant",
    post(goodForm().replace("client_credentials", "x")),
    "token.unsupported-grant-type",
    "checks.order",
    "token.error-body",
  ],
  [
    "a client without a grant",
    post(goodForm("grantless"), { as: "unregistered" }),
    "token.unauthorized-client",
    "checks.order",
    "token.error-body",
  ],
  ["a scope", post(goodForm().replace("read", "write")), "token.invalid-scope", "checks.order", "token.error-body"],
  [
    "another scope is granted",
    post(goodForm("wide").replace("read", "read extra"), { as: "lookalike" }),
    "token.scopes",
  ],
  ["two mistakes at once", post(""), "token.invalid-request", "checks.order", "token.error-body"],
  ["a correlation ID", post(goodForm(), correlated("x")), "correlation.format", "checks.order", "token.error-body"],
  ["the token endpoint's method", without(tokenPath), "http.method-not-allowed", "checks.order", "token.error-body"],
  ["a large form", post("a".repeat(70_000)), "http.payload-too-large", "checks.order", "token.error-body"],

  // Certificates.
  [
    "no certificate",
    post(goodForm(), { as: "nobody" }),
    "token.invalid-client",
    "certificate.handshake",
    "checks.order",
    "token.error-body",
  ],
  [
    "another certificate of the same key",
    post(goodForm(), { as: "renewed" }),
    "token.invalid-client",
    "certificate.registration",
    "checks.order",
    "token.error-body",
  ],
  [
    "a certificate outside its dates",
    post(goodForm(), { as: "expired" }),
    "token.invalid-client",
    "certificate.validity",
    "checks.order",
    "token.error-body",
  ],
  [
    "a certificate for servers",
    post(goodForm(), { as: "wrong-usage" }),
    "token.invalid-client",
    "certificate.usage",
    "checks.order",
    "token.error-body",
  ],
  [
    "a token without its certificate",
    get("/v1/ping", { as: "nobody" }),
    "bearer.invalid-token",
    "certificate.handshake",
    "checks.order",
  ],
  ["a token over another certificate", get("/v1/ping", { as: "other" }), "bearer.invalid-token", "checks.order"],

  // Every request with a token.
  ["no token", without("/v1/ping"), "bearer.missing-token", "checks.order"],
  ["a forged token", get("/v1/ping", { token: "x" }), "bearer.invalid-token", "checks.order"],
  ["a token in the URL", get("/v1/ping?access_token=x"), "bearer.invalid-request", "checks.order"],
  [
    "a small scope",
    async (sandbox) => sandbox.send("/v1/ping", { token: otherScope(await sandbox.token(), sandbox) }),
    "bearer.insufficient-scope",
    "token.scopes",
    "checks.order",
  ],
  ["a correlation ID on ping", get("/v1/ping", correlated("x")), "correlation.format", "checks.order"],
  [
    "a correlation ID twice",
    async (sandbox) => {
      const token = await sandbox.token();
      return sandbox.get("/v1/ping", [
        `Authorization: Bearer ${token}`,
        `X-Correlation-ID: ${good}`,
        `X-Correlation-ID: ${good}`,
      ]);
    },
    "correlation.header",
    "checks.order",
  ],
  ["no token and a correlation ID", without("/v1/ping", correlated("x")), "bearer.missing-token", "checks.order"],
  [
    "a correlation ID and a page size",
    get("/v1/payments?pageSize=0", correlated("x")),
    "correlation.format",
    "checks.order",
  ],
  ["ping with a correlation ID", get("/v1/ping", correlated(good)), "ping.response"],
  ["produceError", get("/v1/ping?produceError=x"), "ping.produce-error", "checks.order"],

  // Lists.
  ["a page with a filter", get("/v1/payments?status=FAILED"), ...page],
  ["a page with a date", get(`/v1/payments?${instant("2026-01-02T00:00:00Z")}`), ...page, "list.dates"],
  ["a page of the same size", walk("pageSize=2", "pageSize=2"), ...page],
  ["a page of another size", walk("pageSize=2", "pageSize=3"), ...page, "list.page-size-change"],
  ["a date without a time", get("/v1/payments?fromCreatedAt=2026-11-20"), "list.dates", "checks.order"],
  ["an empty date", get("/v1/payments?toCreatedAt="), "list.dates", "checks.order"],
  [
    "a date twice",
    get("/v1/payments?toCreatedAt=2026-01-01T00:00:00Z&toCreatedAt=2026-01-01T00:00:00Z"),
    "list.dates",
    "checks.order",
  ],
  ["a page size with a zero before it", get("/v1/payments?pageSize=010"), "list.page-size-format", "checks.order"],
  ["a page size in letters", get("/v1/payments?pageSize=abc"), "list.page-size-format", "checks.order"],
  ["a page size twice", get("/v1/payments?pageSize=5&pageSize=5"), "list.page-size-format", "checks.order"],
  ["an empty filter", get("/v1/payments?status="), "list.endpoints", "checks.order"],
  ["an empty cursor", get("/v1/payments?cursor="), "list.cursor", "checks.order"],
  ["a cursor of another list", walk("pageSize=1", "pageSize=1", "/v1/payouts"), "list.cursor", "checks.order"],
  [
    "a cursor of another client",
    walk("pageSize=1", "pageSize=1", "/v1/payments", "other"),
    "list.cursor",
    "checks.order",
  ],
  [
    "the same instant in other words",
    walk(`pageSize=1&${instant("2020-01-01T00:00:00Z")}`, instant("2020-01-01T00:00:00.0Z")),
    "list.filter-comparison",
    "checks.order",
  ],
  ["a parent that no item has", get("/v1/a/c/rows"), "list.unknown-parent", "checks.order"],
  ["a parent that an item has", get("/v1/a/b/rows"), ...page],
  ["a parent that no item has, and a page size", get("/v1/a/c/rows?pageSize=0"), "list.unknown-parent", "checks.order"],
  ["two parameters that §7 refuses", get("/v1/payments?pageSize=0&cursor=x")],

  ["a page with an unknown parameter", get("/v1/payments?x=1"), ...page, "request.unknown-parameters"],
  ["ping with one", get("/v1/ping?x=1"), "ping.response", "request.unknown-parameters"],
  [
    "a token with one",
    (sandbox) => sandbox.postToken(goodForm(), {}, `${tokenPath}?x=1`),
    "request.unknown-parameters",
  ],
  ["the example error with one", get("/v1/ping?produceError=true&x=1"), "request.unknown-parameters"],
  [
    "a grant with one",
    (sandbox) => sandbox.postToken(goodForm().replace("client_credentials", "x"), {}, `${tokenPath}?x=1`),
    "token.unsupported-grant-type",
    "checks.order",
    "request.unknown-parameters",
    "token.error-body",
  ],
  ["one, after a refused parameter", get("/v1/ping?produceError=y&x=1"), "ping.produce-error", "checks.order"],
  ["a name that is not UTF-8", get("/v1/ping?%ff=1"), "request.unknown-parameters", "checks.order"],

  // Answers that HTTP defines.
  ["a path", without("/x"), "http.not-found", "checks.order"],
  ["a method", without("/v1/ping", { method: "POST" }), "http.method-not-allowed", "checks.order"],
  ["a path and a correlation ID", without("/x", correlated("x")), "http.not-found", "checks.order"],
  ["a path and a good correlation ID", without("/x", correlated(good)), "http.not-found", "checks.order"],
  [
    "a method and a correlation ID",
    without("/v1/ping", { method: "DELETE", ...correlated("x") }),
    "http.method-not-allowed",
    "checks.order",
  ],
  ["an expectation", raw("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n"), "http.expectation-failed"],
  [
    "large headers",
    raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(17_000)}\r\n\r\n`),
    "http.headers-too-large",
  ],
  ["no HTTP", raw("GET / HTTP/1.1\r\n\r\n"), "http.bad-request"],
  ["a slow request, by a scenario", injected("REQUEST_TIMEOUT"), "http.request-timeout"],
  ["a rate limit, by a scenario", injected("TOO_MANY_REQUESTS"), "http.rate-limit"],
  ["a failure, by a scenario", injected("INTERNAL_SERVER_ERROR"), "http.internal-error"],
  ["maintenance, by a scenario", injected("SERVICE_UNAVAILABLE"), "http.unavailable"],
];

/** Choices that have an effect only if they are configured differently. */
const configuredProbes: readonly Probe[] = [
  [
    "another scheme",
    without("/v1/ping", { headers: { "X-Correlation-ID": good, Authorization: "Basic eDp5" } }),
    "bearer.invalid-token",
    "bearer.other-scheme",
    "checks.order",
  ],
  [
    "a token of another lifetime and form, without cache headers",
    post(goodForm(), correlated(good)),
    "token.format",
    "token.lifetime",
    "token.cache-headers",
  ],
  [
    "an error without cache headers, in the shape of §2.2",
    post(goodForm(), { as: "other", ...correlated(good) }),
    "token.invalid-client",
    "checks.order",
    "token.cache-headers",
  ],
  ["no correlation ID", post(goodForm()), "correlation.required", "checks.order", "token.cache-headers"],
  [
    "a page size beyond a limit that is narrower than §8",
    (sandbox) => authorized(sandbox, "/v1/payments?pageSize=60"),
    "list.page-size-format",
    "checks.order",
  ],
  ["a page size beyond both limits", (sandbox) => authorized(sandbox, "/v1/payments?pageSize=600")],
];

const scenarios = ["REQUEST_TIMEOUT", "TOO_MANY_REQUESTS", "INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE"];

function otherScope(token: string, sandbox: RunningSandbox): string {
  const { header, claims } = readToken(token);
  return signToken(header, { ...claims, scope: "other" }, createPrivateKey(sandbox.file("token-signing.key.pem")));
}

async function authorized(sandbox: RunningSandbox, path: string) {
  const token = (await sandbox.postToken(goodForm(), correlated(good))).json.access_token;
  return sandbox.send(path, { token, ...correlated(good) });
}

/** Choices for services that differ from §2.1 and §4.1. */
const departures: readonly Probe[] = [
  ["a token whose expires_in is text", post(goodForm()), "token.expires-in"],
  [
    "a token whose request had a secret",
    post(`${goodForm()}&client_secret=x`),
    "token.expires-in",
    "token.client-secret",
  ],
  [
    "a token that was requested with JSON",
    without(tokenPath, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(Object.fromEntries(new URLSearchParams(goodForm()))),
    }),
    "token.expires-in",
    "token.json-body",
  ],
  [
    "a token of another certificate",
    async (sandbox) => sandbox.send("/v1/ping", { as: "other", token: await sandbox.token() }),
    "bearer.other-certificate",
    "checks.order",
  ],
  [
    "a certificate that has expired, whose refusal is configured",
    post(goodForm(), { as: "expired" }),
    "certificate.ended",
    "certificate.validity",
    "checks.order",
    "token.error-body",
  ],
  [
    "a certificate that was revoked",
    async (sandbox) => {
      const thumbprint = thumbprintOf(new X509Certificate(sandbox.file("misfits/wrong-usage/cert.pem")).raw);
      await fetch(`${sandbox.adminUrl}/clients/demo/certificates/${thumbprint}/end`, { method: "POST" });
      return sandbox.postToken(goodForm(), { as: "wrong-usage" });
    },
    "certificate.ended",
    "certificate.end",
    "checks.order",
    "token.error-body",
  ],
  ["HEAD", get("/v1/ping", { method: "HEAD" }), "ping.response"],
];

const named = (all: readonly Probe[]) => all.map(([what, send, ...marks]) => ({ what, send, marks }));
const marksOf = async (send: Send, sandbox: RunningSandbox) =>
  String((await send(sandbox)).headers["sandbox-assumed"] ?? "").split(", ");
const expected = (marks: readonly AssumptionId[]) => (marks.length === 0 ? [""] : marks);

describe("an answer names exactly the assumptions that shaped it", () => {
  let sandbox: RunningSandbox;
  let close: () => Promise<void>;
  beforeAll(async () => {
    // A client without a grant, with a certificate that already exists.
    const first = await openSandbox();
    sandbox = await openSandbox({
      certs: first.certs,
      files: {
        "wide.pem": first.file("misfits/lookalike/cert.pem"),
        "grantless.pem": first.file("misfits/unregistered/cert.pem"),
        ...Object.fromEntries(
          scenarios.map((code) => [
            `scenarios/${code.toLowerCase()}.yaml`,
            `description: One error.\nrules:\n  - then: { error: ${code} }\n`,
          ]),
        ),
      },
      yaml: `
lists: { rows: { path: "/v1/a/{a}/rows", dateField: null, items: [{ a: b }] } }
clients:
  - { clientId: grantless, certificates: [grantless.pem], grantTypes: [] }
  - { clientId: wide, certificates: [wide.pem], scopes: [read, extra] }
`,
    });
    close = async () => {
      await sandbox.close();
      await first.close();
    };
  });
  afterAll(() => close?.());

  it.each(named(probes))("$what", async ({ send, marks }) => {
    expect(await marksOf(send, sandbox)).toEqual(expected(marks));
  });
});

describe("an answer names configured choices as well", () => {
  const sandbox = sharedSandbox({
    yaml: `
assumptions:
  token.lifetime: 60
  token.format: { issuer: https://issuer.test }
  token.cache-headers: false
  token.error-body: service
  bearer.other-scheme: invalid-token
  correlation.required: true
lists:
  payments: { pageSize: { maximum: 50 } }
`,
  });

  it.each(named(configuredProbes))("$what", async ({ send, marks }) => {
    expect(await marksOf(send, sandbox())).toEqual(expected(marks));
  });
});

describe("an answer names what departs from the interface", () => {
  const sandbox = sharedSandbox({
    yaml: `
assumptions:
  token.expires-in: text
  token.client-secret: ignore
  token.json-body: accept
  bearer.other-certificate: { status: 403, code: FORBIDDEN }
  certificate.ended: { status: 403, code: FORBIDDEN }
  http.head: answer
`,
  });

  it.each(named(departures))("$what", async ({ send, marks }) => {
    expect(await marksOf(send, sandbox())).toEqual(expected(marks));
  });
});

// test/sandbox/assumptions.test.ts has a request for each assumption that is a refusal or has a value.
describe("every other assumption that shapes answers", () => {
  const all = [...probes, ...configuredProbes, ...departures].map(([, , ...marks]) => marks);
  const others = assumptionIds.filter((id) => {
    const entry = assumption(id);
    return "key" in entry && !entry.named?.startsWith("no answer");
  });

  it.each(others)("%s is named by an answer that it shapes, and not by others", (id) => {
    expect(all.some((marks) => marks.includes(id))).toBe(true);
    expect(all.some((marks) => !marks.includes(id))).toBe(true);
  });
});
