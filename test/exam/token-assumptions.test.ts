import { describe, expect, it } from "vitest";
import { type StartOptions, startSandbox } from "../../src/index.js";
import { assumption, assumptionIds, type ValueAssumptionId } from "../../src/sandbox/assumptions.js";
import { valuesOf } from "../imitate/calibrate/counted-values.js";
import { CorrectClient } from "./correct-client.js";

/** The other values of each assumption about tokens: all of them, or one if they cannot be counted. */
const cases = assumptionIds.flatMap((id) => {
  const entry = assumption(id);
  if (!id.startsWith("token.") || !("another" in entry)) return [];
  const counted = valuesOf(id as ValueAssumptionId).filter((value) => value !== entry.value);
  return (counted.length > 0 ? counted : [entry.another.value]).map((value) => [id, value] as const);
});

/** The verdict of each check on a correct client whose first token is refused. */
async function verdictsUnder(assumptions: StartOptions["assumptions"]): Promise<object> {
  await using sandbox = await startSandbox({ lists: { payments: { count: 20 } }, assumptions });
  const registered = await sandbox.createClient({ seed: "exam" });
  await registered.useScenario("unauthorized-once");
  const client = new CorrectClient({ url: registered.url, clientId: registered.clientId, ...registered.tls });
  await client.run().finally(() => client.close());
  const { drills } = await registered.report();
  return Object.fromEntries(drills.flatMap(({ checks }) => checks.map(({ id, verdict }) => [id, verdict])));
}

describe.concurrent("the exam judges a correct client in the same way", () => {
  const usual = verdictsUnder({});

  it.each(cases)("with %s: %j", { tags: "slow" }, async (id, value) => {
    expect(await verdictsUnder({ [id]: value })).toEqual(await usual);
  });

  it("and sees its tokens", async () => {
    expect(await usual).toMatchObject({ "token.reused": "pass", "token.refused": "pass" });
  });
});
