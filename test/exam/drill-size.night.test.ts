import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { chooseDrills, plainName } from "../../src/cli/exam/drills.js";
import { startSandbox } from "../../src/library/composition/sandbox.js";
import { readScenarios } from "../../src/library/read-scenarios.js";
import type { Exchange } from "../../src/sandbox/journal/exchange.js";
import { configuration } from "../admin/fixture.js";
import { CorrectClient } from "./correct-client.js";

// A drill changes only what it is about: not the rows that a client gets, nor the dates that it reads.

/** What some drills ask of a client besides, as a part of the requests of `plain`. */
const besides: Readonly<Record<string, number>> = {
  // A client that gets a new token some seconds before the announced end gets one for each request.
  "announced-lifetime-differs": 1,
};

/** One more page, or one more token, without a failure. */
const oneMore = 1;

class SinceYesterday extends CorrectClient {
  override async run(): Promise<void> {
    await this.ping();
    await this.ping();
    await this.walk("/v1/payments", { pageSize: "7", fromCreatedAt: new Date(Date.now() - 86_400_000).toISOString() });
  }
}

const drills = chooseDrills(await readScenarios(undefined), []);

/** The requests of the client in a drill, in their order. */
async function requestsIn(scenario: string | undefined): Promise<readonly Exchange[]> {
  const certs = mkdtempSync(join(tmpdir(), "drill-size-"));
  const read = (file: string) => readFileSync(join(certs, file), "utf8");
  const identity = () => ({ cert: read("clients/demo/identity.pem"), key: read("clients/demo/identity.pem") });
  const settings = { ...(await configuration()), certs, hostCerts: certs, keyType: "ec", scenario, seed: "1" } as const;
  const sandbox = await startSandbox(settings, { output: { log: () => {}, warn: () => {} } });
  try {
    const ca = read("ca.pem");
    const client = new SinceYesterday({
      url: sandbox.url,
      clientId: "demo",
      ca,
      ...identity(),
      identity,
      giveUpAfter: 4000,
    });
    await client.run().catch(() => {});
    client.close();
    // It waits for what is still open.
    await sandbox.exam?.report(undefined);
    return [...sandbox.journal.requests.newestFirst()].map(({ item }) => item).reverse();
  } finally {
    await sandbox.close(0);
    rmSync(certs, { recursive: true, force: true });
  }
}

const failed = ({ status, delivered }: Exchange) => status !== 200 || delivered !== true;
const refusedCursor = ({ code }: Exchange) => code === "INVALID_CURSOR" || code === "CURSOR_FILTERS_CHANGED";

const seen = new Map<string, readonly Exchange[]>();

beforeAll(async () => {
  const waiting = drills.values();
  // Most of the time they wait.
  const work = async () => {
    for (const { name, scenario } of waiting) seen.set(name, await requestsIn(scenario));
  };
  await Promise.all(Array.from({ length: 8 }, work));
});

describe("a client that asks for the rows since yesterday", () => {
  const requestsOf = (name: string) => seen.get(name) ?? [];

  it("walks several pages in plain, without a failure", () => {
    expect(requestsOf(plainName).filter(failed)).toEqual([]);
    const pages = requestsOf(plainName).filter(({ operation }) => operation === "list").length;
    expect(pages).toBeGreaterThan(3);
  });

  it.each(drills.filter(({ name }) => name !== plainName))(
    "needs no more requests in $name, but for its repetitions",
    async ({ name }) => {
      const requests = requestsOf(name);
      const plain = requestsOf(plainName).length;
      // A request that failed is repeated, with a new token perhaps; a walk whose cursor was refused begins again.
      const repetitions = 2 * requests.filter(failed).length + plain * requests.filter(refusedCursor).length;
      expect(requests.length).toBeLessThanOrEqual(plain + repetitions + plain * (besides[name] ?? 0) + oneMore);
    },
  );
});
