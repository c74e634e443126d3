import { describe, expect, it } from "vitest";
import { defaultAssumptions } from "../../../src/sandbox/assumptions.js";
import { roleOf } from "../../../src/sandbox/journal/role.js";
import { defaultLists } from "../../../src/sandbox/lists/settings.js";
import type { HarnessOptions } from "../api/harness.js";
import { activate, choose, createScenarioHarness, faultOf, type ScenarioHarness } from "./through-the-api.js";

const form = (client: string) => `grant_type=client_credentials&client_id=${client}&scope=read`;

/** A rule for each place; the name of the one that acts is the place. */
const places = ["only", "first", "middle", "last"]
  .map((place) => `  - { name: ${place}, when: { page: ${place} }, then: { delay: 0s } }`)
  .join("\n");

const underPlaces = (options: HarnessOptions = {}) => createScenarioHarness({ it: places }, options);

/** For each page of a walk: the rule that acted on it, and the role that the journal knows. */
async function walk(harness: ScenarioHarness, target: string) {
  const pages: (readonly [string | undefined, string | undefined])[] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? "" : `&cursor=${cursor}`;
    const answer = await harness.get(target + next, { headers: choose("it") });
    expect(answer.status).toBe(200);
    if (!answer.exchange) throw new Error("no exchange");
    pages.push([/\/(.+)#/.exec(faultOf(answer) ?? "")?.[1], roleOf(answer.exchange)?.role]);
    cursor = answer.json.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe("the place of a page in its walk", () => {
  it.each([
    // Payouts have 25 rows.
    ["/v1/payouts?pageSize=25", ["only"]],
    ["/v1/payouts?pageSize=13", ["first", "last"]],
    ["/v1/payouts?pageSize=6", ["first", "middle", "middle", "middle", "last"]],
    ["/v1/payouts?fromCreatedAt=2100-01-01T00:00:00Z&pageSize=1", ["only"]],
  ])("%s", async (target, expected) => {
    expect(await walk(await underPlaces(), target)).toEqual(expected.map((place) => [place, place]));
  });

  it("follows a filter, and another page size on the way", async () => {
    const harness = await underPlaces();
    const first = await harness.get("/v1/payouts?pageSize=6", { headers: choose("it") });
    const rest = await harness.get(`/v1/payouts?pageSize=100&cursor=${first.json.nextCursor}`, {
      headers: choose("it"),
    });
    expect([first, rest].map((answer) => faultOf(answer)?.split("#")[0])).toEqual(["it/first", "it/last"]);
  });

  it.each([
    ["a cursor that is not genuine", "cursor=AAAA"],
    ["a page size that is refused", "pageSize=0"],
    ["an unknown parameter that is refused", "colour=red"],
  ])("is not known of %s", async (_, query) => {
    const { values } = defaultAssumptions();
    const harness = await underPlaces({
      assumptions: { values: { ...values, "request.unknown-parameters": "refuse" } },
    });
    const answer = await harness.get(`/v1/payouts?${query}`, { headers: choose("it") });
    expect([answer.status, faultOf(answer)]).toEqual([400, null]);
    expect(answer.exchange && roleOf(answer.exchange)).toEqual({ operation: "list", list: "payouts" });
  });

  it("is not known of another client's cursor, of changed filters, and of rows of nobody", async () => {
    const owned = { path: "/v1/accounts/{account}/rows", items: [{ id: "1", account: "a" }], dateField: null };
    const harness = await underPlaces({ lists: { ...defaultLists, owned } });
    const headers = choose("it");
    const { nextCursor } = (await harness.get("/v1/payouts?status=PAID&pageSize=1", { headers })).json;
    const faultAt = async (target: string, as: "demo" | "other" = "demo") => {
      const answer = await harness.get(target, { headers, as });
      return [answer.status, faultOf(answer)];
    };
    expect(await faultAt(`/v1/payouts?status=PAID&cursor=${nextCursor}`, "other")).toEqual([400, null]);
    expect(await faultAt(`/v1/payouts?cursor=${nextCursor}`)).toEqual([400, null]);
    expect(await faultAt("/v1/accounts/b/rows")).toEqual([404, null]);
    expect(await faultAt("/v1/accounts/a/rows")).toEqual([200, expect.stringMatching(/^it\/only#1;/)]);
  });

  it("counts for a request whose token turns out to be bad, like a number", async () => {
    const harness = await createScenarioHarness({
      it: "  - { name: at, when: { page: last }, limit: 1, then: { error: FORBIDDEN } }",
    });
    const target = "/v1/payouts?pageSize=13";
    const { nextCursor } = (await harness.get(target, { headers: choose("it") })).json;
    const last = `${target}&cursor=${nextCursor}`;
    expect((await harness.get(last, { headers: choose("it"), token: "bad" })).status).toBe(401);
    // An error acts only if the token is good, so the limit is not used up.
    expect((await harness.get(last, { headers: choose("it") })).status).toBe(403);
    expect((await harness.get(last, { headers: choose("it") })).status).toBe(200);
  });
});

describe("the token requests of a client", () => {
  const rules = [
    "  - { name: first, when: { token: first }, then: { delay: 0s } }",
    "  - { name: renewal, when: { token: renewal }, then: { delay: 0s } }",
  ].join("\n");

  async function freshClient() {
    const harness = await createScenarioHarness({ it: rules });
    harness.clients.remove("demo");
    harness.clients.register({ id: "demo", thumbprints: ["demo-thumbprint"], scopes: ["read"] });
    const ask = async (headers = choose("it")) => {
      const answer = await harness.postToken(form("demo"), { headers });
      return [faultOf(answer)?.split("#")[0], answer.exchange && roleOf(answer.exchange)?.role];
    };
    return { harness, ask };
  }

  it("are the first one, and renewals from then on", async () => {
    const { ask } = await freshClient();
    expect([await ask(), await ask(), await ask()]).toEqual([
      ["it/first", "first"],
      ["it/renewal", "renewal"],
      ["it/renewal", "renewal"],
    ]);
  });

  it("a refused one issues none", async () => {
    const { harness, ask } = await freshClient();
    expect((await harness.postToken(form("demo").replace("read", "other"))).status).toBe(400);
    expect(await ask()).toEqual(["it/first", "first"]);
  });

  it("a scenario that is chosen later knows of the token, and a reset does not forget it", async () => {
    const { harness, ask } = await freshClient();
    await harness.tokenFor("demo");
    activate(harness, "demo", "it");
    expect(await ask([])).toEqual(["it/renewal", "renewal"]);
    harness.clients.get("demo")?.scenario.reset();
    expect(await ask()).toEqual(["it/renewal", "renewal"]);
  });

  it("nobody knows whose request without a registered certificate is", async () => {
    const { harness } = await freshClient();
    harness.service.scenarios.forAll.choose("it");
    const answer = await harness.postToken(form("demo"), { peer: harness.peers.none });
    expect([answer.status, faultOf(answer)]).toEqual([400, null]);
    expect(answer.exchange && roleOf(answer.exchange)).toEqual({ operation: "token" });
  });
});

it("a ping has no role, and what is at no path is nothing", async () => {
  const harness = await createScenarioHarness({});
  const rolesOf = async (target: string) => {
    const { exchange } = await harness.get(target);
    return exchange && roleOf(exchange);
  };
  expect([await rolesOf("/v1/ping"), await rolesOf("/v1/pings")]).toEqual([{ operation: "ping" }, undefined]);
});

describe("from", () => {
  const rule = "  - { name: down, when: { list: payouts }, from: { page: middle }, then: { error: FORBIDDEN } }";

  it("the rule begins with a request, and then holds for every one of its own", async () => {
    const harness = await createScenarioHarness({ it: rule });
    const statusOf = async (target: string, as: "demo" | "other" = "demo") =>
      (await harness.get(target, { headers: choose("it"), as })).status;
    const { nextCursor } = (await harness.get("/v1/payouts?pageSize=6", { headers: choose("it") })).json;
    const middle = `/v1/payouts?pageSize=6&cursor=${nextCursor}`;
    expect(await statusOf("/v1/payouts?pageSize=6")).toBe(200);
    expect(await statusOf(middle)).toBe(403);
    expect(await statusOf("/v1/payouts?pageSize=6")).toBe(403);
    expect(await statusOf("/v1/payouts")).toBe(403);
    expect([await statusOf("/v1/payments"), await statusOf("/v1/ping")]).toEqual([200, 200]);
    // Each client has its own beginning.
    expect(await statusOf("/v1/payouts", "other")).toBe(200);
  });

  it("requests before the beginning do not count, and share: all begins for all clients", async () => {
    const harness = await createScenarioHarness({
      it: "  - { name: second, share: all, when: { operation: [ping, list] }, from: { list: payouts }, skip: 1, limit: 1, then: { error: FORBIDDEN } }",
    });
    const statuses: number[] = [];
    for (const [target, as] of [
      ["/v1/ping", "demo"],
      ["/v1/payments", "demo"],
      ["/v1/payouts", "demo"],
      ["/v1/ping", "other"],
      ["/v1/ping", "other"],
    ] as const)
      statuses.push((await harness.get(target, { headers: choose("it"), as })).status);
    expect(statuses).toEqual([200, 200, 200, 403, 200]);
  });

  it("a saved file keeps the beginning, and an activation forgets it", async () => {
    const harness = await createScenarioHarness({
      it: "  - { name: down, from: { operation: list }, then: { error: FORBIDDEN } }",
    });
    activate(harness, "demo", "it");
    const ping = async () => (await harness.get("/v1/ping")).status;
    expect([await ping(), (await harness.get("/v1/payouts")).status, await ping()]).toEqual([200, 403, 403]);
    activate(harness, "demo", "it");
    expect(await ping()).toBe(200);
  });
});
