import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";
import type { AdminAnswer } from "../../admin/admin-client.js";
import { type ApiClient, start, type TestSandbox } from "../../admin/fixture.js";

/** A sandbox with a layer that has one rule. */
async function startUnder(rule: string): Promise<TestSandbox> {
  const layer = await parseScenario(`description: Of a test.\nrules: [${rule}]`, "explore:ping", "layer");
  return start({ seed: "1" }, { layer });
}

const refusing = "description: Of a test.\nrules:\n  - { name: it, then: { error: FORBIDDEN } }\n";

/** What a ping got: its status, and the fault without its seed. */
async function ping(client: ApiClient, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const answer = await client.get("/v1/ping", await client.token(), headers);
  return [answer.status, answer.headers["sandbox-fault"]?.toString().split(";")[0]].filter(Boolean).join(" ");
}

describe("a layer", () => {
  const once = "{ name: error, when: { operation: ping }, share: all, skip: 2, limit: 1, then: { error: NOT_FOUND } }";
  const always = "{ name: error, when: { operation: ping }, share: all, then: { error: NOT_FOUND } }";

  it("counts on through everything that the admin API does, and acts exactly once", async () => {
    const sandbox = await startUnder(once);
    const { admin } = sandbox;
    const demo = await sandbox.standing("demo");
    expect(await ping(demo)).toBe("200");

    const refusingPings = refusing.replace("{ name: it,", "{ name: it, when: { operation: ping },");
    const changes: (readonly [() => Promise<AdminAnswer>, string])[] = [
      [() => admin.putYaml("/scenarios/refusing", refusingPings), "200"],
      [() => admin.put("/scenario", { name: "refusing" }), "404 explore:ping/error#3"],
      [() => admin.put("/clients/demo/scenario", { name: "refusing" }), "403 refusing/it#1"],
      [() => admin.post("/reset", {}), "200"],
      [() => admin.post("/reset", { client: "demo" }), "200"],
      [() => admin.post("/clock", { advance: "2h" }), "200"],
      [() => admin.post("/clients/demo/clock", { advance: "2h" }), "200"],
      [() => admin.put("/scenario", { name: "refusing" }), "403 refusing/it#1"],
      [() => admin.put("/scenario", { name: null }), "200"],
      [() => admin.delete("/requests"), "200"],
      [() => admin.delete("/scenarios/refusing"), "200"],
      [() => admin.post("/clients", {}), "200"],
    ];
    for (const [change, expected] of changes) {
      expect((await change()).status).toBeLessThan(300);
      expect(await ping(demo)).toBe(expected);
    }
    expect(await ping(await sandbox.mint())).toBe("200");
  });

  it("does not begin again with a reset or another scenario before it acts", async () => {
    const sandbox = await startUnder(once);
    for (const expected of ["200", "200", "404 explore:ping/error#3", "200"]) {
      expect(await ping(await sandbox.mint())).toBe(expected);
      await sandbox.admin.post("/reset", {});
      await sandbox.admin.put("/scenario", { name: "flaky" });
      await sandbox.admin.put("/scenario", { name: null });
    }
  });

  it("is above the header, the client's scenario and the one for all; they act where it does not", async () => {
    const sandbox = await startUnder(always);
    const { admin } = sandbox;
    const client = await sandbox.mint();
    const token = await client.token();
    await admin.putYaml("/scenarios/refusing", refusing);
    const pingWith = async (headers = {}) => (await client.get("/v1/ping", token, headers)).headers["sandbox-fault"];
    const listWith = async (headers = {}) =>
      (await client.get("/v1/payments", token, headers)).headers["sandbox-fault"];
    const chosen = { "Sandbox-Scenario": "refusing" };

    expect(await pingWith(chosen)).toMatch(/^explore:ping\/error#1;/);
    expect(await listWith(chosen)).toMatch(/^refusing\/it#1;/);
    await admin.put("/scenario", { name: "refusing" });
    expect([await pingWith(), await listWith()]).toEqual([
      expect.stringMatching(/^explore:ping\/error#2;/),
      expect.stringMatching(/^refusing\//),
    ]);
    await admin.put(`/clients/${client.clientId}/scenario`, { name: "refusing" });
    expect([await pingWith(), await listWith()]).toEqual([
      expect.stringMatching(/^explore:ping\/error#3;/),
      expect.stringMatching(/^refusing\//),
    ]);
    await admin.put(`/clients/${client.clientId}/scenario`, { name: null });
    expect([await pingWith(), await listWith()]).toEqual([expect.stringMatching(/^explore:/), undefined]);
    // A name that does not exist is refused where the layer does not act.
    expect((await client.get("/v1/payments", token, { "Sandbox-Scenario": "nonsense" })).json.code).toBe(
      "UNKNOWN_SCENARIO",
    );
  });

  it("is shown by no call about scenarios", async () => {
    const sandbox = await startUnder(always);
    const { admin } = sandbox;
    await admin.put("/scenario", { name: "flaky" });
    const calls = ["/scenario", "/scenarios", "/clients/demo/scenario", "/clients/demo", "/clients"];
    const answers = await Promise.all(calls.map((call) => admin.get(call)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(({ text }) => text.includes("explore:"))).toEqual([]);
    expect(answers[0]?.json).toMatchObject({ name: "flaky" });
  });

  it("counts for each client if its rule does not share", async () => {
    const sandbox = await startUnder(
      "{ name: error, when: { operation: ping }, limit: 1, then: { error: NOT_FOUND } }",
    );
    const [one, other] = [await sandbox.mint(), await sandbox.mint()];
    expect([await ping(one), await ping(other), await ping(one), await ping(other)]).toEqual([
      "404 explore:ping/error#1",
      "404 explore:ping/error#1",
      "200",
      "200",
    ]);
  });

  it("knows the attempt, reads a form ahead, and goes by a clock that nobody moves", async () => {
    const sandbox = await startUnder(
      "{ name: again, when: { operation: token, attempt: 2, form: { scope: read }, for: 1h }, then: { error: NOT_FOUND } }",
    );
    const client = await sandbox.mint();
    await sandbox.admin.post("/clock", { advance: "2h" });
    await sandbox.admin.post(`/clients/${client.clientId}/clock`, { advance: "2h" });
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent++) statuses.push((await client.requestToken()).status);
    expect(statuses).toEqual([200, 404, 200]);
  });

  it("acts in the handshake", async () => {
    const sandbox = await startUnder(
      "{ name: broken, share: all, limit: 1, then: { connection: { kind: reset, when: handshake } } }",
    );
    const client = await sandbox.mint();
    await sandbox.admin.post("/reset", {});
    await expect(client.requestToken()).rejects.toThrow();
    await sandbox.admin.post("/reset", {});
    expect((await client.requestToken()).status).toBe(200);
  });
});
