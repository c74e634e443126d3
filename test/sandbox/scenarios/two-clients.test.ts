import { describe, expect, it } from "vitest";
import type { OutsideClient } from "./sandbox.js";
import { sharedSandbox } from "./sandbox.js";

const sandbox = sharedSandbox({ seed: "two-clients" });

interface Walk {
  readonly ids: readonly string[];
  readonly faults: readonly string[];
}

/** Walks a list to its end, and accepts every answer. */
async function walk(client: OutsideClient, pageSize = 100): Promise<Walk> {
  const ids: string[] = [];
  const faults: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const answer = await client.get(`/v1/payments?pageSize=${pageSize}&status=PENDING${cursor && `&cursor=${cursor}`}`);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    const fault = answer.headers["sandbox-fault"];
    if (typeof fault === "string") faults.push(fault);
    ids.push(...answer.json.items.map(({ id }: { id: string }) => id));
    cursor = answer.json.nextCursor;
  }
  return { ids, faults };
}

describe("two clients", () => {
  it("walk the same list at the same time; only the one with the scenario gets faults", async () => {
    const rules = [
      "  - { name: twice, when: { operation: list }, every: 2, then: { page: { duplicate: 3 } } }",
      "  - { name: late, when: { operation: list }, probability: 0.5, then: { delay: 2ms } }",
    ].join("\n");
    await sandbox().upload("shaky", rules);
    const [calm, shaken] = [await sandbox().client(), await sandbox().clientUnder("shaky", "shaken")];
    const [undisturbed, disturbed, again] = await Promise.all([walk(calm), walk(shaken), walk(calm)]);
    expect(undisturbed.faults).toEqual([]);
    expect(undisturbed.ids).toHaveLength(800);
    expect(again).toEqual(undisturbed);
    expect(disturbed.faults.length).toBeGreaterThan(4);
    expect(disturbed.ids.length).toBeGreaterThan(undisturbed.ids.length);
    expect([...new Set(disturbed.ids)]).toEqual(undisturbed.ids);
  });

  it("with the same scenario have separate counters", async () => {
    await sandbox().upload(
      "third",
      "  - { name: third, when: { operation: ping }, skip: 2, limit: 1, then: { error: NOT_FOUND } }",
    );
    const [one, two] = [await sandbox().clientUnder("third"), await sandbox().clientUnder("third")];
    const pings = async (client: OutsideClient) => {
      const statuses: number[] = [];
      for (let request = 0; request < 4; request++) statuses.push((await client.get("/v1/ping")).status);
      return statuses;
    };
    expect(await Promise.all([pings(one), pings(two)])).toEqual([
      [200, 200, 404, 200],
      [200, 200, 404, 200],
    ]);
  });
});
