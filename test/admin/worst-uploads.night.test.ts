import { describe, expect, it } from "vitest";
import { scenarioLimits } from "../../src/sandbox/scenarios/defaults.js";
import { worstTexts } from "../base/yaml/worst-texts.js";
import { start, startShared } from "./fixture.js";

const yaml = { "Content-Type": "application/yaml" };

describe("PUT /scenarios/NAME during other requests", () => {
  it("every text gets an answer of limited length, and pings are answered meanwhile", async () => {
    const sandbox = await start();
    const client = await sandbox.mint();
    const token = await client.token();
    let uploading = true;
    const pings = (async () => {
      const statuses = new Set<number>();
      while (uploading) statuses.add((await client.ping(token)).status);
      return statuses;
    })();
    const texts = Object.values(worstTexts).flatMap((make) => [
      make(scenarioLimits.characters),
      make(scenarioLimits.characters / 8),
    ]);
    const answers = await Promise.all(
      texts.map((body, index) => sandbox.admin.send("PUT", `/scenarios/worst-${index}`, { headers: yaml, body })),
    ).finally(() => {
      uploading = false;
    });
    expect([...(await pings)]).toEqual([200]);
    for (const { status, json, text } of answers) {
      expect([200, 400]).toContain(status);
      expect(text.length).toBeLessThan(20_000);
      if (status === 400) expect(json.code).toBe("INVALID_SCENARIO");
    }
    const { status } = await sandbox.admin.send("PUT", "/scenarios/large", {
      headers: yaml,
      body: "x".repeat(scenarioLimits.characters + 1),
    });
    expect(status).toBe(413);
    expect((await client.ping(token)).status).toBe(200);
  });
});

describe("errors about a body", () => {
  it("are limited in number and length", async () => {
    const sandbox = await startShared();
    const unknown = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`k${at}`, 1]));
    const many = await sandbox.admin.post("/clients", unknown);
    expect(many.status).toBe(400);
    expect(many.text.match(/Unknown key/g)).toHaveLength(20);
    expect(many.text.length).toBeLessThan(5000);
    const long = await sandbox.admin.post("/clients", { [`\u202e\u001b${"k".repeat(100_000)}`]: 1 });
    expect(long.json.message).toContain('Unknown key "\\u{202e}\\u{1b}kkk');
    expect(long.text.length).toBeLessThan(500);
    const scopes = await sandbox.admin.post("/clients", { scopes: Array(9000).fill("a b") });
    expect(scopes.text.length).toBeLessThan(5000);
  });

  it("are limited for a query as well", async () => {
    const sandbox = await startShared();
    const many = Array.from({ length: 2000 }, (_, at) => `k${at}`).join("&");
    expect((await sandbox.admin.get(`/requests?${many}`)).text.match(/Unknown key/g)).toHaveLength(20);
    const name = `%E2%80%AE${"k".repeat(6000)}`;
    const twice = await sandbox.admin.get(`/requests?${name}&${name}`);
    expect(twice.json.message).toMatch(/^In the query: the parameter "\\u\{202e\}k+…" was sent more than once\.$/);
    expect(twice.text.length).toBeLessThan(300);
  });
});
