import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, holds, type Progress } from "../../../src/sandbox/scenarios/match.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";
import type { RequestFacts } from "../../../src/sandbox/scenarios/request-facts.js";
import { RuleCounters } from "../../../src/sandbox/scenarios/rule-counters.js";
import type { Scenario } from "../../../src/sandbox/scenarios/scenario.js";

interface GivenFacts {
  readonly operation?: RequestFacts["operation"];
  readonly list?: string;
  readonly client?: string;
  readonly page?: number;
  readonly place?: ReturnType<RequestFacts["place"]>;
  readonly token?: RequestFacts["token"];
  readonly cursor?: boolean;
  readonly query?: Readonly<Record<string, readonly (string | null)[]>>;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly form?: Readonly<Record<string, readonly (string | null)[]>>;
  readonly method?: string;
  readonly certificate?: string;
}

function facts({ operation = "list", query = {}, headers = {}, form = {}, ...rest }: GivenFacts = {}): RequestFacts {
  return {
    operation,
    list: "list" in rest ? rest.list : operation === "list" ? "payments" : undefined,
    client: "client" in rest ? rest.client : "demo",
    page: () => ("page" in rest ? rest.page : 1),
    place: () => rest.place,
    token: rest.token,
    cursor: () => ("cursor" in rest ? rest.cursor : false),
    method: rest.method ?? "GET",
    http: 1,
    isReused: false,
    presents: (certificate) => certificate === rest.certificate,
    form: (name) => form[name] ?? [],
    query: (name) => query[name] ?? [],
    header: (name) => headers[name] ?? [],
    sendsAny: (names) => Object.keys(headers).some((name) => names.has(name)),
  };
}

async function scenario(rules: string, name = "test") {
  return parseScenario(`description: For a test.\nrules:\n${rules}`, name, name);
}

async function condition(when: string) {
  const { rules } = await scenario(`  - when: ${when}\n    then: { error: VALIDATION_ERROR }`);
  return rules[0]?.when ?? [];
}

function freshCounters(count: number): RuleCounters[] {
  return Array.from({ length: count }, () => new RuleCounters());
}

function actsOn(
  compiled: Scenario,
  given: RequestFacts,
  own: readonly RuleCounters[],
  progress: Partial<Progress> & { readonly seed: string },
) {
  const totals = freshCounters(compiled.rules.length);
  return decide(compiled, given, { own, shared: () => totals, sharedSeed: "all", elapsed: 0, attempt: 1, ...progress });
}

/** The handles of the rules that act on this many equal requests, or "-" if none acts. */
async function acting(rules: string, requests: number, seed = "seed"): Promise<string[]> {
  const compiled = await scenario(rules);
  const counters = freshCounters(compiled.rules.length);
  return Array.from({ length: requests }, () => {
    const decision = actsOn(compiled, facts(), counters, { seed });
    return decision ? `${decision.key.rule}#${decision.key.count}` : "-";
  });
}

describe("when", () => {
  const cases: [when: string, fits: GivenFacts, fails: GivenFacts][] = [
    ["{ operation: ping }", { operation: "ping" }, { operation: "list" }],
    ["{ operation: token }", { operation: "token" }, { operation: "ping" }],
    ["{ list: payouts }", { list: "payouts" }, { list: "payments" }],
    ["{ client: other }", { client: "other" }, { client: "demo" }],
    ["{ page: 3 }", { page: 3 }, { page: 2 }],
    ["{ page: last }", { page: 3, place: "last" }, { page: 1, place: "only" }],
    ["{ page: first }", { place: "first" }, { page: 1 }],
    ["{ token: renewal }", { operation: "token", token: "renewal" }, { operation: "token", token: "first" }],
    ["{ token: first }", { operation: "token", token: "first" }, { operation: "token" }],
    ["{ cursor: true }", { cursor: true }, { cursor: false }],
    ["{ cursor: false }", { cursor: false }, { cursor: true }],
    ["{ query: { status: PENDING } }", { query: { status: ["PENDING"] } }, { query: { status: ["FAILED"] } }],
    ["{ query: { status: PENDING } }", { query: { status: ["FAILED", "PENDING"] } }, {}],
    ["{ query: { status: true } }", { query: { status: [""] } }, {}],
    ["{ query: { status: true } }", { query: { status: [null] } }, {}],
    ["{ query: { status: false } }", {}, { query: { status: ["PENDING"] } }],
    ["{ headers: { X-Try: one } }", { headers: { "x-try": ["one"] } }, { headers: { "x-try": ["One"] } }],
    ["{ headers: { x-try: true } }", { headers: { "x-try": [""] } }, {}],
    ["{ headers: { X-TRY: false } }", {}, { headers: { "x-try": ["one"] } }],
    ["{ operation: [ping, list] }", { operation: "list" }, { operation: "token" }],
    ["{ method: GET }", { method: "GET" }, { method: "POST" }],
    ["{ certificate: expired }", { certificate: "expired" }, { certificate: "registered" }],
    ["{ query: { status: [PENDING, PAID] } }", { query: { status: ["PAID"] } }, { query: { status: ["FAILED"] } }],
    ["{ query: { status: [PENDING, { like: P* }] } }", { query: { status: ["PAID"] } }, { query: { status: [null] } }],
    ["{ query: { status: { like: P*G } } }", { query: { status: ["PENDING"] } }, { query: { status: ["PAID"] } }],
    // Files that are older than patterns: a `*` means only a `*`.
    ['{ headers: { Accept: "*/*" } }', { headers: { accept: ["*/*"] } }, { headers: { accept: ["text/html"] } }],
    ["{ form: { scope: write } }", { form: { scope: ["write"] } }, { form: { scope: ["read"] } }],
    ["{ form: { client_secret: false } }", {}, { form: { client_secret: ["x"] } }],
  ];
  it.each(cases)("%s", async (when, fits, fails) => {
    const compiled = await condition(when);
    expect(holds(compiled, facts(fits))).toBe(true);
    expect(holds(compiled, facts(fails))).toBe(false);
  });

  it("requires everything that is given", async () => {
    const compiled = await condition(
      "{ operation: list, list: payments, page: 2, query: { a: b }, headers: { c: d } }",
    );
    const all: GivenFacts = { page: 2, query: { a: ["b"] }, headers: { c: ["d"] } };
    expect(holds(compiled, facts(all))).toBe(true);
    for (const changed of [{ operation: "ping" }, { list: "x" }, { page: 1 }, { query: {} }, { headers: {} }] as const)
      expect(holds(compiled, facts({ ...all, ...changed }))).toBe(false);
  });

  it("matches every request if nothing is given", () => {
    expect(holds([], facts({ operation: "token", client: "anybody" }))).toBe(true);
  });

  it("does not match a page if the request has none", async () => {
    const compiled = await condition("{ page: 1 }");
    expect(holds(compiled, { ...facts(), page: () => undefined })).toBe(false);
  });

  it("has no client for an unregistered peer", async () => {
    expect(holds(await condition("{ client: demo }"), { ...facts(), client: undefined })).toBe(false);
  });

  it("does not open a cursor if no rule needs it", async () => {
    const open = () => {
      throw new Error("opened");
    };
    const compiled = await condition("{ list: payouts, page: 1 }");
    expect(holds(compiled, { ...facts(), page: open, cursor: open })).toBe(false);
  });

  it("says which operation a token or page fault is for", async () => {
    const operationsOf = async (rule: string) => (await scenario(`  - ${rule}`)).rules[0]?.operations;
    expect(await operationsOf("then: { token: { tokenType: mac } }")).toEqual(["token"]);
    expect(await operationsOf("then: { page: { empty: true } }")).toEqual(["list"]);
    expect(await operationsOf("{ when: { page: 2 }, then: { error: NOT_FOUND } }")).toEqual(["list"]);
    expect(await operationsOf("{ when: { method: POST }, then: { error: NOT_FOUND } }")).toEqual(["token"]);
  });
});

describe("counting", () => {
  it("acts on every matching request without conditions", async () => {
    expect(await acting("  - then: { error: FORBIDDEN }", 3)).toEqual(["rule-1#1", "rule-1#2", "rule-1#3"]);
  });

  it("skip lets the first ones pass", async () => {
    expect(await acting("  - { skip: 2, then: { error: FORBIDDEN } }", 4)).toEqual(["-", "-", "rule-1#3", "rule-1#4"]);
  });

  it("every means each n-th", async () => {
    expect(await acting("  - { every: 3, then: { error: FORBIDDEN } }", 7)).toEqual([
      "-",
      "-",
      "rule-1#3",
      "-",
      "-",
      "rule-1#6",
      "-",
    ]);
  });

  it("limit applies to the faults, not to the requests", async () => {
    const rule = "  - { every: 2, limit: 2, then: { error: FORBIDDEN } }";
    expect(await acting(rule, 8)).toEqual(["-", "rule-1#2", "-", "rule-1#4", "-", "-", "-", "-"]);
  });

  it("skip is applied before every, every before limit", async () => {
    const rule = "  - { skip: 1, every: 2, limit: 2, then: { error: FORBIDDEN } }";
    expect(await acting(rule, 9)).toEqual(["-", "-", "rule-1#3", "-", "rule-1#5", "-", "-", "-", "-"]);
  });

  it("probability is applied last: a failed draw does not count against the limit", async () => {
    const rule = "  - { probability: 0.3, limit: 2, then: { error: FORBIDDEN } }";
    const made = (await acting(rule, 100)).filter((handle) => handle !== "-");
    expect(made).toHaveLength(2);
    expect(await acting(rule, 100)).toEqual(await acting(rule, 100));
  });

  it("probability 0 never acts, 1 always", async () => {
    expect(new Set(await acting("  - { probability: 0, then: { error: FORBIDDEN } }", 50))).toEqual(new Set(["-"]));
    expect(await acting("  - { probability: 1, then: { error: FORBIDDEN } }", 50)).not.toContain("-");
  });

  it("the frequency matches the probability", async () => {
    const rule = "  - { probability: 0.25, then: { error: FORBIDDEN } }";
    const made = (await acting(rule, 4000)).filter((handle) => handle !== "-").length;
    expect(made).toBeGreaterThan(900);
    expect(made).toBeLessThan(1100);
  });

  it("another seed has different draws", async () => {
    const rule = "  - { probability: 0.5, then: { error: FORBIDDEN } }";
    expect(await acting(rule, 64, "one")).not.toEqual(await acting(rule, 64, "two"));
  });

  it("the first rule that acts wins, and the ones after it do not count", async () => {
    const rules = [
      "  - { name: first, every: 2, then: { error: FORBIDDEN } }",
      "  - { name: second, limit: 2, then: { error: NOT_FOUND } }",
      "  - { name: third, then: { error: VALIDATION_ERROR } }",
    ].join("\n");
    expect(await acting(rules, 6)).toEqual(["second#1", "first#2", "second#2", "first#4", "third#1", "first#6"]);
  });

  it("counts only requests that match the condition", async () => {
    const compiled = await scenario("  - { when: { operation: ping }, skip: 1, then: { error: FORBIDDEN } }");
    const counters = freshCounters(1);
    const at = (operation: "ping" | "list") =>
      actsOn(compiled, facts({ operation }), counters, { seed: "seed" })?.key.count;
    expect([at("list"), at("ping"), at("list"), at("ping")]).toEqual([undefined, undefined, undefined, 2]);
  });
});

it("a request outside the window is not counted", async () => {
  const compiled = await scenario("  - { when: { after: 1s }, skip: 1, then: { error: NOT_FOUND } }");
  const counters = freshCounters(1);
  const counts = [0, 500, 1000, 1500].map(
    (elapsed) => actsOn(compiled, facts(), counters, { seed: "x", elapsed })?.key.count,
  );
  expect(counts).toEqual([undefined, undefined, undefined, 2]);
});

describe("share: all", () => {
  it("counts the requests of all clients together, and draws with the sandbox's seed", async () => {
    const compiled = await scenario(
      "  - { name: own, every: 2, then: { error: FORBIDDEN } }\n  - { name: common, share: all, limit: 3, then: { error: NOT_FOUND } }",
    );
    const shared = freshCounters(2);
    const own = { a: freshCounters(2), b: freshCounters(2) };
    const handles = (["a", "b", "a", "b", "a", "b"] as const).map((client) => {
      const decision = actsOn(compiled, facts({ client }), own[client], { seed: client, shared: () => shared });
      return decision ? `${decision.key.rule}#${decision.key.count}=${decision.key.seed}` : "-";
    });
    expect(handles).toEqual(["common#1=all", "common#2=all", "own#2=a", "own#2=b", "common#3=all", "-"]);
  });
});

describe("other clients", () => {
  it("never change the faults of a client", async () => {
    const compiled = await scenario(
      [
        "  - { name: rare, probability: 0.3, then: { error: FORBIDDEN } }",
        "  - { name: third, every: 3, limit: 4, then: { error: NOT_FOUND } }",
        "  - { name: late, skip: 5, probability: 0.5, then: { delay: { min: 1ms, max: 9ms } } }",
      ].join("\n"),
    );
    const walk = (requests: readonly string[]) => {
      const counters = new Map<string, RuleCounters[]>();
      return requests.flatMap((client) => {
        const own = counters.get(client) ?? freshCounters(compiled.rules.length);
        counters.set(client, own);
        const decision = actsOn(compiled, facts({ client }), own, { seed: `seed-of-${client}` });
        return client === "a" ? [decision ? `${decision.key.rule}#${decision.key.count}` : "-"] : [];
      });
    };
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c")), (requests) => {
        expect(walk(requests)).toEqual(walk(requests.filter((client) => client === "a")));
      }),
    );
  });
});
