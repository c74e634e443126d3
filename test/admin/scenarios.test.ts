import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ApiClient, start, startShared, type TestSandbox } from "./fixture.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

const onceText = `description: The first ping fails.
rules:
  - name: once
    when: { operation: ping }
    limit: 1
    then: { error: SERVICE_UNAVAILABLE }
`;

async function statuses(client: ApiClient, count: number): Promise<number[]> {
  const token = await client.token();
  const all: number[] = [];
  for (let index = 0; index < count; index++) all.push((await client.ping(token)).status);
  return all;
}

describe("GET /scenarios", () => {
  it("lists the built-in ones with their descriptions", async () => {
    const { json } = await sandbox.admin.get("/scenarios");
    const flaky = json.items.find(({ name }: { name: string }) => name === "flaky");
    expect(flaky).toMatchObject({ origin: "built-in", rules: 5, problems: [] });
    expect(flaky.description).toContain("one request in four");
  });

  it("gives the text of one unchanged", async () => {
    const { text, headers } = await sandbox.admin.get("/scenarios/flaky");
    expect(headers["content-type"]).toBe("application/yaml");
    expect(text).toMatch(/^# yaml-language-server: .*\ndescription: >-\n/);
  });

  it("suggests similar names for an unknown one", async () => {
    const { status, json } = await sandbox.admin.get("/scenarios/flakey");
    expect([status, json.code]).toEqual([404, "UNKNOWN_SCENARIO"]);
    expect(json.message).toBe('There is no scenario "flakey"; similar names: flaky.');
  });
});

describe("PUT /scenarios/NAME", () => {
  it("keeps one in memory, and gives it back", async () => {
    const { status, json } = await sandbox.admin.putYaml("/scenarios/once", onceText);
    expect([status, json]).toEqual([
      200,
      { name: "once", description: "The first ping fails.", origin: "uploaded", rules: 1, problems: [] },
    ]);
    expect((await sandbox.admin.get("/scenarios/once")).text).toBe(onceText);
  });

  it.each([
    ["description: [", /^bad:1:\d+: /],
    ["description: x\nrules:\n  - name: a\n    then: { error: NO_SUCH }\n", /^bad:4:20: .*NO_SUCH|^bad:4:\d+: /],
    [
      "description: x\nrules:\n  - name: a\n    wehn: { page: 1 }\n    then: { error: EXAMPLE_ERROR }\n",
      /^bad:4:5: Unknown key "wehn".* Did you mean "when"\?/,
    ],
    [
      "description: x\nrules:\n  - { when: { list: paymants }, then: { error: NOT_FOUND } }\n",
      /^bad:3:21: There is no list "paymants"\. Did you mean "payments"\?$/,
    ],
  ])("refuses %j with line and column", async (text, message) => {
    const { status, json } = await sandbox.admin.putYaml("/scenarios/bad", text);
    expect([status, json.code]).toEqual([400, "INVALID_SCENARIO"]);
    expect(json.message).toMatch(message);
    expect((await sandbox.admin.get("/scenarios/bad")).status).toBe(404);
  });

  it("refuses a text whose aliases repeat too much, and answers other clients meanwhile", {
    tags: "slow",
  }, async () => {
    const text = (aliases: number) =>
      `description: x\nrules:\n  - then: { respond: { status: 200, body: [&a ${"x".repeat(60_000)}${", *a".repeat(aliases)}] } }\n`;
    expect((await sandbox.admin.putYaml("/scenarios/long", text(1))).status).toBe(200);
    const uploads = Array.from({ length: 12 }, (_none, index) =>
      sandbox.admin.putYaml(`/scenarios/long-${index}`, text(5000)),
    );
    expect(new Set(await statuses(await sandbox.mint(), 20))).toEqual(new Set([200]));
    for (const { status, json } of await Promise.all(uploads)) {
      expect([status, json.code]).toEqual([400, "INVALID_SCENARIO"]);
      expect(json.message).toMatch(
        /^long-\d+:3:60053: The document cannot be expanded: with its aliases \(\*name\) it has more than 131072 characters\.$/,
      );
    }
    expect((await sandbox.admin.delete("/scenarios/long")).status).toBe(204);
  });

  it("names every problem on a separate line", async () => {
    const { json } = await sandbox.admin.putYaml(
      "/scenarios/bad",
      "descripton: x\nrules:\n  - nmae: a\n    then: {}\n",
    );
    expect(json.message.split("\n").length).toBeGreaterThan(2);
  });

  it("after a broken text the valid one stays in force", async () => {
    await sandbox.admin.putYaml("/scenarios/kept", onceText);
    expect((await sandbox.admin.putYaml("/scenarios/kept", "rules: 5")).status).toBe(400);
    expect((await sandbox.admin.get("/scenarios/kept")).text).toBe(onceText);
  });

  it.each([
    ["text/plain", 415],
    ["text/yaml", 200],
    ["text/x-yaml; charset=utf-8", 200],
    ["application/json", 415],
    ["application/octet-stream", 415],
  ])("a body of the type %s is answered with %i", async (type, expected) => {
    const { status } = await sandbox.admin.send("PUT", "/scenarios/typed", {
      headers: { "Content-Type": type },
      body: onceText,
    });
    expect(status).toBe(expected);
  });

  it.each(["..%2f..%2fetc%2fpasswd", "%2e%2e", "a%2Fb", ".hidden", "a b", "ü"])(
    "accepts only names, not %s",
    async (name) => {
      const { status, json } = await sandbox.admin.putYaml(
        `/scenarios/${encodeURI(name).replaceAll("%25", "%")}`,
        onceText,
      );
      // `..` is resolved before the lookup of a route. The result is another path, which does not accept a scenario.
      expect([400, 404, 405]).toContain(status);
      expect(["INVALID_REQUEST", "NOT_FOUND", "METHOD_NOT_ALLOWED"]).toContain(json.code);
    },
  );
});

describe("activation", () => {
  it("for one client acts on this client only", async () => {
    await sandbox.admin.putYaml("/scenarios/once", onceText);
    const [chosen, spared] = await Promise.all([sandbox.mint(), sandbox.mint()]);
    const path = `/clients/${chosen.clientId}/scenario`;
    expect((await sandbox.admin.get(path)).json).toMatchObject({ name: null, source: "none" });
    expect((await sandbox.admin.put(path, { name: "once" })).json).toEqual({ name: "once", source: "client" });
    expect(await statuses(chosen, 2)).toEqual([503, 200]);
    expect(await statuses(spared, 2)).toEqual([200, 200]);
    expect((await sandbox.admin.get(`/clients/${chosen.clientId}`)).json.scenario).toBe("once");
  });

  it("counts from zero each time, and after a reset", async () => {
    await sandbox.admin.putYaml("/scenarios/once", onceText);
    const client = await sandbox.mint();
    const path = `/clients/${client.clientId}/scenario`;
    await sandbox.admin.put(path, { name: "once" });
    expect(await statuses(client, 2)).toEqual([503, 200]);
    await sandbox.admin.put(path, { name: "once" });
    expect(await statuses(client, 2)).toEqual([503, 200]);
    await sandbox.admin.post("/reset", { client: client.clientId });
    expect((await sandbox.admin.get(path)).json).toMatchObject({ name: null, source: "none" });
    expect(await statuses(client, 2)).toEqual([200, 200]);
    await sandbox.admin.put(path, { name: "once" });
    expect(await statuses(client, 1)).toEqual([503]);
  });

  it("says how often each rule matched and acted, for a client and for all", async () => {
    const own = await start();
    const rules = [
      "  - { name: late, when: { operation: ping }, skip: 1, then: { error: FORBIDDEN } }",
      "  - { name: together, share: all, when: { operation: ping }, limit: 1, then: { error: NOT_FOUND } }",
      "  - { name: never, when: { client: demmo }, then: { error: NOT_FOUND } }",
    ];
    await own.admin.putYaml("/scenarios/counted", `description: x\nrules:\n${rules.join("\n")}\n`);
    const [one, two] = await Promise.all([own.mint(), own.mint()]);
    await own.admin.put("/scenario", { name: "counted" });
    await own.admin.put(`/clients/${two.clientId}/scenario`, { name: "counted" });
    const counts = async (path: string) => {
      const { rules = [] } = (await own.admin.get(path)).json as {
        rules?: { name: string; matched: number; acted: number }[];
      };
      return rules.map(({ name, matched, acted }) => `${name} ${matched} ${acted}`);
    };
    expect(await counts("/scenario")).toEqual(["late 0 0", "together 0 0", "never 0 0"]);
    expect(await statuses(one, 3)).toEqual([404, 403, 403]);
    expect(await statuses(two, 1)).toEqual([200]);
    expect(await counts(`/clients/${one.clientId}/scenario`)).toEqual(["late 3 2", "together 2 1", "never 0 0"]);
    expect(await counts(`/clients/${two.clientId}/scenario`)).toEqual(["late 1 0", "together 2 1", "never 0 0"]);
    // A client that was removed has still sent its requests.
    await own.admin.delete(`/clients/${two.clientId}`);
    expect(await counts("/scenario")).toEqual(["late 4 2", "together 2 1", "never 0 0"]);
    await own.admin.put("/scenario", { name: "counted" });
    expect(await counts("/scenario")).toEqual(["late 0 0", "together 0 0", "never 0 0"]);
    await own.admin.delete("/scenario");
    expect(await counts("/scenario")).toEqual([]);
  });

  it("keeps its counters when the text is uploaded again", async () => {
    await sandbox.admin.putYaml("/scenarios/again", onceText);
    const client = await sandbox.mint();
    await sandbox.admin.put(`/clients/${client.clientId}/scenario`, { name: "again" });
    expect(await statuses(client, 2)).toEqual([503, 200]);
    await sandbox.admin.putYaml("/scenarios/again", onceText.replace("SERVICE_UNAVAILABLE", "INTERNAL_SERVER_ERROR"));
    expect(await statuses(client, 1)).toEqual([200]);
  });

  it("for all acts on clients without their own scenario; null excludes a client", async () => {
    const own = await start();
    await own.admin.putYaml("/scenarios/always", onceText.replace("    limit: 1\n", ""));
    const [plain, chosen, spared] = await Promise.all([own.mint(), own.mint(), own.mint()]);
    await own.admin.put(`/clients/${chosen.clientId}/scenario`, { name: "internal-error-once" });
    await own.admin.put(`/clients/${spared.clientId}/scenario`, { name: null });
    expect((await own.admin.put("/scenario", { name: "always" })).json).toEqual({ name: "always", source: "all" });
    expect(await statuses(plain, 2)).toEqual([503, 503]);
    expect(await statuses(spared, 1)).toEqual([200]);
    expect((await statuses(chosen, 2)).includes(503)).toBe(false);
    const choice = async ({ clientId }: ApiClient) => (await own.admin.get(`/clients/${clientId}/scenario`)).json;
    expect(await choice(plain)).toMatchObject({ name: "always", source: "all" });
    expect(await choice(spared)).toMatchObject({ name: null, source: "client" });
    expect((await own.admin.delete(`/clients/${spared.clientId}/scenario`)).json).toMatchObject({
      name: "always",
      source: "all",
    });
    expect((await own.admin.put("/scenario", { name: null })).json).toEqual({ name: null, source: "none" });
    expect(await statuses(plain, 1)).toEqual([200]);
    await own.admin.put("/scenario", { name: "always" });
    expect((await own.admin.delete("/scenario")).json).toEqual({ name: null, source: "none" });
  });

  it("of rules in the call itself, for one client and for all", async () => {
    const own = await start();
    const [one, other] = await Promise.all([own.mint(), own.mint()]);
    const path = `/clients/${one.clientId}/scenario`;
    const act = "then";
    const rules = [{ when: { operation: "ping" }, limit: 1, [act]: { error: "SERVICE_UNAVAILABLE" } }];
    const { json } = await own.admin.put(path, { rules });
    expect(json).toEqual({ name: expect.stringMatching(/^inline-[0-9a-f]{16}$/), source: "client" });
    expect([await statuses(one, 2), await statuses(other, 1)]).toEqual([[503, 200], [200]]);
    // The same rules are the same scenario, which begins again.
    expect((await own.admin.put(path, { rules })).json).toEqual(json);
    expect(await statuses(one, 2)).toEqual([503, 200]);
    expect((await own.admin.put("/scenario", { rules, description: "Mine." })).json.source).toBe("all");
    expect(await statuses(other, 2)).toEqual([503, 200]);
    const names = (await own.admin.get("/scenarios")).json.items.map((each: { name: string }) => each.name);
    expect(names.filter((name: string) => name.startsWith("inline-"))).toHaveLength(2);
  });

  it.each<[string, number, string, string]>([
    ['{ "rules": [{ "then": { "error": "NOPE" } }] }', 400, "INVALID_SCENARIO", "rules[0].then.error"],
    ['{ "rules": [] }', 400, "INVALID_SCENARIO", "give at least one rule"],
    ['{ "rules": [{ "when": { "delay": "1s" } }] }', 400, "INVALID_SCENARIO", "Write `then: { delay: 1s }`"],
    ['{ "rules": "none" }', 400, "INVALID_REQUEST", "give a list of rules"],
    ['{ "name": "flaky", "rules": [{ "then": { "delay": "1s" } }] }', 400, "INVALID_REQUEST", "either the name"],
    ['{ "name": "flaky", "description": "Mine." }', 400, "INVALID_REQUEST", "either the name"],
    ['{ "server": { "certificate": "expired" } }', 400, "INVALID_REQUEST", "(PUT /scenario)"],
  ])("refuses %s in place of a name, and keeps nothing", async (body, status, code, text) => {
    const before = (await sandbox.admin.get("/scenarios")).json.items.length;
    const answer = await sandbox.admin.put("/clients/demo/scenario", JSON.parse(body));
    expect([answer.status, answer.json.code, answer.json.message]).toEqual([
      status,
      code,
      expect.stringContaining(text),
    ]);
    expect((await sandbox.admin.get("/clients/demo/scenario")).json.name).toBeNull();
    expect((await sandbox.admin.get("/scenarios")).json.items).toHaveLength(before);
  });

  it("a reset of all returns to the scenario of the start, and keeps clients and uploads", async () => {
    const own = await start({ scenario: "maintenance" });
    const client = await own.mint();
    await own.admin.putYaml("/scenarios/once", onceText);
    await own.admin.put("/scenario", { name: "once" });
    await own.admin.put(`/clients/${client.clientId}/scenario`, { name: null });
    await own.admin.put(`/clients/${client.clientId}/clock`, { offset: "1h" });
    await own.admin.put("/clock", { offset: "1h" });
    await client.ping();
    expect((await own.admin.post("/reset", {})).status).toBe(204);
    expect((await own.admin.get("/scenario")).json).toMatchObject({ name: "maintenance", source: "all" });
    expect((await own.admin.get(`/clients/${client.clientId}`)).json).toMatchObject({
      scenario: null,
      clock: { mode: "real" },
    });
    expect((await own.admin.get("/clock")).json.mode).toBe("real");
    expect((await own.admin.get("/requests")).json.items).toEqual([]);
    expect((await own.admin.get("/scenarios/once")).status).toBe(200);
    const unknown = await own.admin.post("/reset", { client: "nobody" });
    expect([unknown.status, unknown.json.code]).toEqual([404, "UNKNOWN_CLIENT"]);
  });

  it("refuses an unknown scenario", async () => {
    for (const path of ["/scenario", "/clients/demo/scenario"]) {
      const { status, json } = await sandbox.admin.put(path, { name: "flakey" });
      expect([status, json.code]).toEqual([404, "UNKNOWN_SCENARIO"]);
    }
  });

  it.each([{}, { name: "../x" }, { name: 5 }, { name: "once", client: "demo" }])(
    "refuses %j, an invalid body",
    async (body) => {
      const { status, json } = await sandbox.admin.put("/scenario", body);
      expect([status, json.code]).toEqual([400, "INVALID_REQUEST"]);
    },
  );

  it("of a scenario about the server's certificate is possible for all only", async () => {
    const own = await start();
    const refused = await own.admin.put("/clients/demo/scenario", { name: "server-certificate-expired" });
    expect([refused.status, refused.json]).toEqual([
      400,
      {
        code: "INVALID_REQUEST",
        message:
          'The scenario "server-certificate-expired" acts on the handshake, before it is known which client connects: activate it for all (PUT /scenario).',
      },
    ]);
    expect((await own.admin.put("/scenario", { name: "server-certificate-expired" })).status).toBe(200);
    await expect(own.connect().send("/v1/ping")).rejects.toThrow(/expired/);
    await own.admin.delete("/scenario");
    expect((await own.connect().send("/v1/ping")).status).toBe(401);
  });
});

const then = "then";
const failNext = { onTop: true, rules: [{ name: "next", limit: 1, [then]: { error: "INTERNAL_SERVER_ERROR" } }] };
const undo = "/scenario/undo";

describe("an undo of a choice", () => {
  it("returns to the choice before, whose counters continue, and then to the one for all", async () => {
    await sandbox.admin.putYaml("/scenarios/once", onceText);
    const client = await sandbox.mint();
    const path = `/clients/${client.clientId}`;
    await sandbox.admin.put(`${path}/scenario`, { name: "once" });
    expect(await statuses(client, 2)).toEqual([503, 200]);
    await sandbox.admin.put(`${path}/scenario`, { name: "maintenance" });
    // Activated again: that is no other choice.
    await sandbox.admin.put(`${path}/scenario`, { name: "maintenance" });
    expect((await sandbox.admin.post(path + undo, undefined)).json).toEqual({ name: "once", source: "client" });
    expect(await statuses(client, 1)).toEqual([200]);
    for (let count = 0; count < 2; count++)
      expect((await sandbox.admin.post(path + undo, undefined)).json).toEqual({ name: null, source: "none" });
    await sandbox.admin.put(`${path}/scenario`, { name: null });
    await sandbox.admin.put(`${path}/scenario`, { name: "once" });
    expect((await sandbox.admin.post(path + undo, undefined)).json).toEqual({ name: null, source: "client" });
    await sandbox.admin.put(`${path}/scenario`, { name: "once" });
    await sandbox.admin.delete(`${path}/scenario`);
    expect((await sandbox.admin.post(path + undo, undefined)).json).toEqual({ name: null, source: "none" });
  });

  it("is made by deleting an uploaded scenario, too", async () => {
    const client = await sandbox.mint();
    const path = `/clients/${client.clientId}/scenario`;
    await sandbox.admin.put(path, { name: "maintenance" });
    await sandbox.admin.putYaml("/scenarios/tried", onceText);
    await sandbox.admin.put(path, { name: "tried" });
    await sandbox.admin.put(path, failNext);
    await sandbox.admin.delete("/scenarios/tried");
    expect((await sandbox.admin.get(path)).json).toMatchObject({ name: "maintenance", source: "client" });
    expect((await sandbox.admin.post(`/clients/${client.clientId}${undo}`, undefined)).json.source).toBe("none");
  });

  it("for all does the same, and does not return to a scenario that was deleted", async () => {
    const own = await start({ scenario: "maintenance" });
    const client = await own.mint();
    await own.admin.putYaml("/scenarios/once", onceText);
    await own.admin.put("/scenario", { name: "once" });
    expect(await statuses(client, 2)).toEqual([503, 200]);
    await own.admin.put("/scenario", { name: "example-error" });
    expect((await own.admin.post(undo, undefined)).json).toEqual({ name: "once", source: "all" });
    expect(await statuses(client, 1)).toEqual([200]);
    await own.admin.put("/scenario", { name: "example-error" });
    await own.admin.put(`/clients/${client.clientId}/scenario`, { name: "once" });
    await own.admin.put(`/clients/${client.clientId}/scenario`, { name: "flaky" });
    await own.admin.delete("/scenarios/once");
    expect((await own.admin.post(undo, undefined)).json).toEqual({ name: null, source: "none" });
    expect((await own.admin.post(`/clients/${client.clientId}${undo}`, undefined)).json.source).toBe("none");
  });
});

describe("a rule on top of what a client has", () => {
  it("fails the next request; the choice below and its counters stay, and an undo takes it back", async () => {
    const second = { rules: [{ skip: 2, limit: 1, [then]: { error: "SERVICE_UNAVAILABLE" } }] };
    const client = await sandbox.mint();
    const path = `/clients/${client.clientId}`;
    const token = await client.token();
    const pings = async (count: number) => {
      const all: number[] = [];
      for (let index = 0; index < count; index++) all.push((await client.ping(token)).status);
      return all;
    };
    const { name } = (await sandbox.admin.put(`${path}/scenario`, second)).json;
    expect(await pings(1)).toEqual([200]);
    const top = (await sandbox.admin.put(`${path}/scenario`, failNext)).json;
    expect(top).toEqual({ name: expect.stringMatching(/^inline-/), source: "client", below: name });
    // The request that fails is not one of those that the rules below count.
    expect(await pings(3)).toEqual([500, 200, 503]);
    const { json } = await sandbox.admin.get(`${path}/scenario`);
    expect(json).toMatchObject({ below: name, rules: [{ name: "next", matched: 3, acted: 1 }] });
    await sandbox.admin.put(`${path}/scenario`, failNext);
    expect((await sandbox.admin.post(path + undo, undefined)).json).toEqual({ name, source: "client" });
    expect(await pings(1)).toEqual([200]);
  });

  it("stays when the scenario for all changes, and ends with a choice or a reset", async () => {
    const own = await start();
    const [client, spared] = [await own.mint(), await own.mint()];
    const path = `/clients/${client.clientId}/scenario`;
    const token = await client.token();
    await own.admin.put(path, failNext);
    await own.admin.put("/scenario", { name: "maintenance" });
    expect((await own.admin.get(path)).json.below).toBe("maintenance");
    expect((await client.ping(token)).status).toBe(500);
    expect([(await client.ping(token)).status, (await spared.ping()).status]).toEqual([503, 503]);
    expect((await own.admin.get("/clients?own=true")).json.items).toMatchObject([{ clientId: client.clientId }]);
    expect((await own.admin.put(path, { name: null })).json).toEqual({ name: null, source: "client" });
    await own.admin.put(path, failNext);
    await own.admin.post("/reset", { client: client.clientId });
    expect((await own.admin.get("/clients?own=true")).json.items).toEqual([]);
  });

  it.each<[object, string]>([
    [{ onTop: true, name: null }, "onTop needs a scenario"],
    [{ onTop: true }, "either the name"],
    [{ onTop: "yes", name: "flaky" }, "onTop"],
    [{ onTop: true, name: "flaky" }, '"flaky" is active for this client'],
  ])("is refused as %j", async (body, text) => {
    const client = await sandbox.mint();
    const path = `/clients/${client.clientId}/scenario`;
    await sandbox.admin.put(path, { name: "flaky" });
    const { status, json } = await sandbox.admin.put(path, body);
    expect([status, json.code, json.message]).toEqual([400, "INVALID_REQUEST", expect.stringContaining(text)]);
    expect((await sandbox.admin.get(path)).json).toMatchObject({ name: "flaky", source: "client" });
    expect((await sandbox.admin.put("/scenario", { ...failNext, name: undefined })).json.code).toBe("INVALID_REQUEST");
  });
});

describe("DELETE /scenarios/NAME", () => {
  it("deactivates an uploaded one wherever it was active", async () => {
    const own = await start();
    const client = await own.mint();
    await own.admin.putYaml("/scenarios/mine", onceText.replace("    limit: 1\n", ""));
    await own.admin.put("/scenario", { name: "mine" });
    await own.admin.put(`/clients/${client.clientId}/scenario`, { name: "mine" });
    expect(await statuses(client, 1)).toEqual([503]);
    expect((await own.admin.delete("/scenarios/mine")).status).toBe(204);
    expect(await statuses(client, 1)).toEqual([200]);
    expect((await own.admin.get("/scenario")).json).toMatchObject({ name: null, source: "none" });
    expect((await own.admin.get(`/clients/${client.clientId}/scenario`)).json).toMatchObject({
      name: null,
      source: "none",
    });
    const again = await own.admin.delete("/scenarios/mine");
    expect([again.status, again.json.message]).toEqual([404, 'No scenario "mine" was uploaded.']);
  });

  it("makes a file of the same name effective again, and changes no file", async () => {
    const own = await start();
    const builtIn = (await own.admin.get("/scenarios/flaky")).text;
    await own.admin.putYaml("/scenarios/flaky", onceText);
    await own.admin.put("/scenario", { name: "flaky" });
    expect((await own.admin.get("/scenarios/flaky")).text).toBe(onceText);
    expect((await own.admin.delete("/scenarios/flaky")).status).toBe(204);
    expect((await own.admin.get("/scenarios/flaky")).text).toBe(builtIn);
    expect((await own.admin.get("/scenario")).json.name).toBe("flaky");
    expect((await own.admin.delete("/scenarios/flaky")).status).toBe(404);
  });
});

describe("the user's own folder", () => {
  it("lists a broken file with its problems, and the file cannot be activated", async () => {
    const folder = await mkdtemp(join(tmpdir(), "scenarios-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "broken.yaml"), "description: x\nrules:\n  - nmae: y\n");
    await writeFile(join(folder, "good.yaml"), onceText);
    const silent = { log: () => {}, warn: () => {} };
    const own = await start({ scenarios: folder }, { output: silent });
    const { json } = await own.admin.get("/scenarios");
    const found = json.items.filter(({ origin }: { origin: string }) => origin === "folder");
    expect(found.map(({ name, description }: { name: string; description: string }) => [name, description])).toEqual([
      ["broken", null],
      ["good", "The first ping fails."],
    ]);
    expect(found[0].problems[0]).toMatch(/broken\.yaml:3:5: /);
    const refused = await own.admin.put("/scenario", { name: "broken" });
    expect([refused.status, refused.json.code]).toEqual([404, "UNKNOWN_SCENARIO"]);
    expect(refused.json.message).toContain("its file is broken");
  });
});
