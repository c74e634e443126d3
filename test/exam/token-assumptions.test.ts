import { describe, expect, it } from "vitest";
import { type StartOptions, startSandbox } from "../../src/index.js";
import { type AssumptionSettings, defaultAssumptions, type ValueAssumptionId } from "../../src/sandbox/assumptions.js";
import { CorrectClient } from "./correct-client.js";

type TokenAssumptionId = Extract<ValueAssumptionId, `token.${string}`>;

/** The other values of each assumption about tokens: all of them, or one if there are too many. */
const others: { readonly [Id in TokenAssumptionId]: readonly AssumptionSettings["values"][Id][] } = {
  "token.error-body": ["service", "oauth"],
  "token.format": [{ issuer: "https://issuer.test", audience: "everybody" }],
  "token.lifetime": [60],
  "token.client-secret": ["ignore"],
  "token.json-body": ["accept"],
  "token.expires-in": ["text"],
  "token.cache-headers": [false],
};

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
  const cases = Object.entries(others).flatMap(([id, values]) => values.map((value) => [id, value] as const));

  it.each(cases)("with %s: %j", async (id, value) => {
    expect(value).not.toEqual(defaultAssumptions().values[id as TokenAssumptionId]);
    expect(await verdictsUnder({ [id]: value })).toEqual(await usual);
  });

  it("and sees its tokens", async () => {
    expect(await usual).toMatchObject({ "token.reused": "pass", "token.refused": "pass" });
  });
});
