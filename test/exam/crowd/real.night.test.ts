import { describe, expect, it } from "vitest";
import { chooseDrills } from "../../../src/cli/exam/drills.js";
import { startSandbox } from "../../../src/index.js";
import { readScenarios } from "../../../src/library/read-scenarios.js";
import { draw } from "./crowd.js";
import { runReal } from "./real-client.js";

/** Each with other traits. */
const seeds = Array.from({ length: 12 }, (_, number) => 1 + number);
const lists = { payments: { count: 25 } };
const drills = chooseDrills(await readScenarios(undefined), []);

describe.concurrent("correct clients over sockets", () => {
  it.each(drills.map(({ name, scenario }) => ({ name, scenario })))("fail no must with $name", async ({ scenario }) => {
    const sandbox = await startSandbox({ lists, seed: "crowd", ...(scenario !== undefined && { scenario }) });
    try {
      const failed = await Promise.all(
        seeds.map(async (seed) => {
          const registered = await sandbox.createClient();
          const { url, clientId, tls } = registered;
          let present = { cert: registered.certificate, key: registered.key };
          const files = {
            present: () => present,
            read: async () => {
              const { certificate: cert, key } = await sandbox.client(clientId);
              present = { cert, key };
            },
          };
          const finished = await runReal(draw(seed), files, { url, clientId, ...tls });
          if (scenario === undefined) expect(finished).toBe(true);
          const { drills: reports } = await registered.report({ finished });
          return reports
            .flatMap(({ checks }) => checks)
            .filter(({ level, verdict }) => level === "must" && verdict === "fail")
            .map(({ id, message, exchanges }) => `seed ${seed}: ${id}: ${message} (${exchanges.join(", ")})`);
        }),
      );
      expect(failed.flat()).toEqual([]);
    } finally {
      await sandbox.close();
    }
  });
});
