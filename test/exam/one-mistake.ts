import { afterAll, beforeAll, expect, it } from "vitest";
import { type ClientReport, type StartedSandbox, startSandbox } from "../../src/index.js";
import type { Mutant } from "./mutant.js";

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

/** Tests that each client fails the check of its mistake, and no other. */
export function failOneCheck(mutants: readonly Mutant[]): void {
  it.concurrent.each(mutants.map((mutant) => ({ name: `${mutant.fails}: ${mutant.how}`, mutant })))(
    "$name",
    async ({ mutant }) => {
      const { Client, scenario, shortTokens, anonymous, finished, fails } = mutant;
      const own = anonymous ? await startSandbox({ lists }) : shortTokens ? shortLived : sandbox;
      const registered = await own.createClient(mutant.client);
      const client = new Client({ url: registered.url, clientId: registered.clientId, ...registered.tls });
      try {
        if (scenario !== undefined) await registered.useScenario(scenario);
        await client.run();
        const report = anonymous ? await own.report() : await registered.report({ finished });
        const failed = failedChecks(report);
        expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([expect.stringContaining(`${fails}: `)]);
        expect(report.failed).toHaveLength(1);
        const [{ exchanges, handshakes }] = failed as [(typeof failed)[number]];
        // The evidence is in the journal, and belongs to this client.
        for (const id of exchanges) expect((await own.request(id)).client).toBe(anonymous ? null : registered.clientId);
        expect(exchanges.length + handshakes.length).toBeGreaterThan(0);
        const secrets = JSON.stringify(report).match(/eyJ[\w-]{10,}|hush/g);
        expect(secrets).toBeNull();
      } finally {
        client.close();
        if (anonymous) await own.close();
      }
    },
  );
}
