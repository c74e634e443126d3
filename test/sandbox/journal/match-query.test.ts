import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClientRegistry } from "../../../src/sandbox/clients.js";
import type { ConnectionFacts } from "../../../src/sandbox/connection/connection-facts.js";
import { noPeer } from "../../../src/sandbox/connection/peer.js";
import type { Cause } from "../../../src/sandbox/journal/causes.js";
import type { HandshakeRecord } from "../../../src/sandbox/journal/entry.js";
import { Exchange } from "../../../src/sandbox/journal/exchange.js";
import type { ExplanationContext } from "../../../src/sandbox/journal/explanation-context.js";
import { Journal } from "../../../src/sandbox/journal/journal.js";
import { countEntries, matcherOf } from "../../../src/sandbox/journal/match-query.js";
import { parseQuery } from "../../../src/sandbox/journal/query.js";
import { redactTarget } from "../../../src/sandbox/journal/redact.js";
import { Refusal } from "../../../src/sandbox/journal/refusal.js";
import { textOf } from "../../../src/sandbox/journal/searched-text.js";
import { withFacts } from "../../support/exchange-facts.js";

const now = Date.UTC(2026, 10, 22, 8);
const clients = new ClientRegistry({ now: () => now }, "seed");
clients.register({ id: "Demo", thumbprints: ["demo-print"], scopes: ["read"] });
const context: ExplanationContext = { clients, basePath: "", identity: () => undefined, explainAnswer: () => "" };

interface Facts {
  readonly status?: number;
  readonly code?: string;
  readonly cause?: Cause;
  readonly headers?: readonly string[];
  readonly method?: string;
  readonly at?: number;
  readonly connection?: number;
  readonly rest?: Partial<Exchange>;
}

function exchange(target: string, { status = 200, headers = [], method = "GET", ...facts }: Facts = {}): Exchange {
  const one = new Exchange(noPeer, method, target, headers, now);
  one.answered(status, {}, "{}");
  return withFacts(one, {
    receivedAt: facts.at ?? now,
    code: facts.code,
    ...(facts.cause && { refusal: new Refusal("UNAUTHORIZED", facts.cause) }),
    ...(facts.connection !== undefined && {
      connection: { id: facts.connection, httpVersion: "HTTP/1.1" } as ConnectionFacts,
    }),
    ...facts.rest,
  });
}

function handshake(cause: string, rest: Partial<HandshakeRecord> = {}): HandshakeRecord {
  const none = { code: undefined, alert: undefined, serverName: undefined, protocol: undefined };
  const record = { ...none, at: now, cause, reason: "", remoteAddress: "127.0.0.1", remotePort: 1 };
  return { ...record, serverDefect: undefined, certificate: undefined, ...rest };
}

const forged = `Bearer x.${Buffer.from('{"client_id":"claimed-by-token","jti":"j"}').toString("base64url")}.y`;

const journal = new Journal();
const entries: Readonly<Record<string, Exchange | HandshakeRecord>> = {
  ping: exchange("/v1/ping", {
    connection: 17,
    headers: ["traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
    rest: { operation: "ping", correlationId: "7f3a-x", token: { clientId: "Demo", id: "token-1" } as never },
  }),
  page: exchange("/v1/payments?cursor=abc", {
    at: now - 60_000,
    rest: { operation: "list", list: "payments", client: clients.get("Demo") },
  }),
  refused: exchange("/v1/payments?pageSize=0&access_token=geheim", {
    status: 400,
    code: "INVALID_PAGE_SIZE",
    cause: { kind: "parameter", name: "pageSize", reason: "it is below one" },
    rest: { operation: "list", list: "payments" },
  }),
  forged: exchange("/v1/ping", {
    status: 401,
    code: "UNAUTHORIZED",
    cause: { kind: "token-unusable", reason: "Its signature is wrong." },
    headers: ["AUTHORIZATION", forged],
    rest: { operation: "ping" },
  }),
  form: exchange("/oauth/v2/oauth-token", {
    status: 400,
    method: "POST",
    code: "INVALID_CLIENT",
    cause: { kind: "no-certificate" },
    rest: { operation: "token", form: new Map([["client_id", ["claimed by form", null]]]) },
  }),
  injected: exchange("/v1/ping", { status: 503, rest: { operation: "ping", injected: "flaky/rule#3" } }),
  broken: exchange("/v1/ping", { status: 0, rest: { injected: "cut/x#1" } }),
  unused: handshake("no-request", {
    connection: 18,
    certificate: { thumbprint: "demo-print", subject: "CN=d" } as never,
  }),
  failed: handshake("client-refused-our-certificate", { alert: "unknown_ca", code: "ERR_SSL_X" }),
};
for (const entry of Object.values(entries)) {
  if (entry instanceof Exchange) journal.requests.add(entry);
  else journal.handshakes.add(entry);
}

function found(query: string): string[] {
  const { terms, problems } = parseQuery(query);
  expect(problems).toEqual([]);
  const { matches } = matcherOf(terms, context);
  const chosen = [...journal.newestFirst()].filter(matches).map(({ item }) => item);
  return Object.keys(entries).filter((name) => chosen.includes(entries[name] as never));
}

const requests = ["ping", "page", "refused", "forged", "form", "injected", "broken"];
const all = [...requests, "unused", "failed"];

describe("which entries a query finds", () => {
  it.each<[string, readonly string[]]>([
    ["", all],
    ["status:2xx", ["ping", "page"]],
    ["status:4XX", ["refused", "forged", "form"]],
    ["status:40*", ["refused", "forged", "form"]],
    ["status:401", ["forged"]],
    ["status:0", ["broken"]],
    ["status:*", requests],
    ["-status:*", ["unused", "failed"]],
    ["code:INVALID_*", ["refused", "form"]],
    ['code:"INVALID_*"', []],
    ["code:err_ssl*", ["failed"]],
    ["op:ping", ["ping", "forged", "injected"]],
    ["-op:* kind:request", ["broken"]],
    ["list:payments -status:400", ["page"]],
    ["fault:*", ["injected", "broken"]],
    ["fault:flaky", ["injected"]],
    ["fault:*rule", ["injected"]],
    ["client:demo", ["ping", "page", "unused"]],
    ["client:claimed*", ["forged", "form"]],
    ['client:"claimed by form"', ["form"]],
    ["-client:* kind:request", ["refused", "injected", "broken"]],
    ["corr:7F3A*", ["ping"]],
    ["method:post", ["form"]],
    ["conn:17", ["ping"]],
    ["conn:18", ["unused"]],
    ["token:token-1", ["ping"]],
    ["trace:4bf92f3577b34da6a3ce929d0e0e4736", ["ping"]],
    ["trace:4BF92f*", ["ping"]],
    ["trace:00f067aa0ba902b7", []],
    ["kind:handshake", ["unused", "failed"]],
    ["outcome:refused", ["refused", "forged", "form"]],
    ["outcome:injected", ["injected", "broken"]],
    ["-outcome:success -outcome:handshake", ["refused", "forged", "form", "injected", "broken"]],
    ["cause:no-request", ["unused"]],
    ["to:2026-11-22T08:00:00Z", ["page"]],
    ["from:2026-11-22T09:00:00+01:00 kind:request -op:*", ["broken"]],
    ["PAYMENTS", ["page", "refused"]],
    ["payments -cursor", ["refused"]],
    ["pay*cursor", ["page"]],
    ['"signature is WRONG"', ["forged"]],
    ["below kind:request", ["refused"]],
    ["unknown_ca", ["failed"]],
    ["claimed-by-token", ["forged"]],
    ["503", ["injected"]],
    // A search does not find secrets.
    ["geheim", []],
    ["\u0000", []],
  ])("%s", (query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  it("counts the results of the other terms by outcome", () => {
    const count = (query: string) => countEntries(journal.newestFirst(), matcherOf(parseQuery(query).terms, context));
    const counts = { all: 4, success: 1, refused: 1, injected: 1, handshake: 0 };
    expect(count("op:ping")).toEqual({ kept: 9, total: 3, counts: { ...counts, all: 3 } });
    expect(count("op:ping -outcome:success").total).toBe(2);
    expect(count("op:ping -outcome:success").counts).toEqual({ ...counts, all: 3 });
    expect(count("").counts).toEqual({ all: 9, success: 2, refused: 3, injected: 2, handshake: 2 });
  });

  it("searches a text without secrets, in any notation", () => {
    const pieces = [
      "?",
      "&",
      "=",
      "%",
      "access_token",
      "Access%5Ftoken",
      "eyJhbGciOiJI.",
      "0123456789.",
      "password",
      "a",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const target = `/${parts.join("")}`;
        expect(textOf({ number: 1, order: 1, item: exchange(target) }).split("\n")[0]).toBe(
          redactTarget(target).toLowerCase(),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("is as fast for hostile entries and queries as for others, because each piece is compared once", () => {
    // A search with backtracking would need hours.
    const hostile = new Journal();
    hostile.requests.add(exchange(`/${"a".repeat(16_000)}`));
    const query = `${"a*".repeat(40)}b`;
    expect([...hostile.newestFirst()].filter(matcherOf(parseQuery(query).terms, context).matches)).toEqual([]);
    const token = `Bearer ${"eyJ".repeat(5000)}`;
    hostile.requests.add(
      exchange("/", { status: 401, cause: { kind: "other-scheme" }, headers: ["Authorization", token] }),
    );
    expect([...hostile.newestFirst()].filter(matcherOf(parseQuery("client:x").terms, context).matches)).toEqual([]);
  });
});
