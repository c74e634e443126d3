import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIds } from "../../src/exam/checks.js";
import { type ClientReport, type StartedSandbox, startSandbox } from "../../src/index.js";
import { mutants } from "./mutants.js";

const lists = { payments: { count: 40 } };
let sandbox: StartedSandbox;
let shortLived: StartedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ lists, seed: "exam" });
  shortLived = await startSandbox({ lists, assumptions: { "token.lifetime": 1 } });
});

afterAll(async () => {
  await sandbox.close();
  await shortLived.close();
});

function failedChecks({ drills }: ClientReport) {
  return drills.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === "fail"));
}

describe("a client with one mistake fails one check", () => {
  it.concurrent.each(mutants.map((mutant) => ({ name: `${mutant.fails}: ${mutant.how}`, mutant })))(
    "$name",
    async ({ mutant }) => {
      const { Client, scenario, shortTokens, stranger, fails } = mutant;
      const own = stranger ? await startSandbox({ lists }) : shortTokens ? shortLived : sandbox;
      const registered = await own.createClient();
      if (scenario !== undefined) await registered.useScenario(scenario);
      const client = new Client({ url: registered.url, clientId: registered.clientId, ...registered.tls });
      try {
        await client.run();
        const report = stranger ? await own.report() : await registered.report();
        const failed = failedChecks(report);
        expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([expect.stringContaining(`${fails}: `)]);
        expect(report.failed).toHaveLength(1);
        const [{ exchanges, handshakes }] = failed as [(typeof failed)[number]];
        // The evidence is in the journal, and is this client's.
        for (const id of exchanges) expect((await own.request(id)).client).toBe(registered.clientId);
        expect(exchanges.length + handshakes.length).toBeGreaterThan(0);
        const secrets = JSON.stringify(report).match(/eyJ[\w-]{10,}|hush/g);
        expect(secrets).toBeNull();
      } finally {
        client.close();
        if (stranger) await own.close();
      }
    },
  );

  it("and each check has such a client", () => {
    expect(checkIds.filter((id) => !mutants.some(({ fails }) => fails === id))).toEqual([]);
  });
});
