import { expect, it } from "vitest";
import { SharedCounters } from "../../src/replicas/counters.js";
import type { SharedRecords } from "../../src/replicas/records.js";
import type { CountingPlace } from "../../src/sandbox/scenarios/counting.js";
import type { RequestFacts } from "../../src/sandbox/scenarios/request-facts.js";
import type { Scenario } from "../../src/sandbox/scenarios/scenario.js";

it("with more simultaneous requests than remembered draws, each gets the draws that it needs in a second call", {
  tags: "slow",
}, async () => {
  let asked = 0;
  /** Each rule has counted to a hundred, which is beyond the draws that are sent first. */
  const run = async (_script: unknown, _keys: unknown, [, , text]: readonly unknown[]) => {
    asked += 1;
    const { rules } = JSON.parse(String(text)) as { readonly rules: readonly { readonly from: number }[] };
    const place = rules.findIndex(({ from }) => from !== 100) + 1;
    return place === 0 ? ["none"] : ["draw", place, 100];
  };
  const counters = new SharedCounters({ redis: { run }, deadline: () => 0, id: "a" } as unknown as SharedRecords);
  const rules = ["one", "two"].map((name) => ({ name, skip: 0, every: 1, probability: 0.5, when: [], bounds: {} }));
  const scenario = { name: "drawn", rules, index: { candidates: () => [0, 1] } } as unknown as Scenario;
  const state = { owner: "somebody", startOf: () => 0, generationOf: () => 0 };
  const requests = Array.from({ length: 600 }, (_, index) => {
    const place = { own: state, all: state, seed: `seed ${index}`, sharedSeed: "all", now: 0, start: 0 };
    return counters.decide(scenario, {} as RequestFacts, place as unknown as CountingPlace);
  });
  expect(await Promise.all(requests)).toEqual(Array(600).fill(undefined));
  expect(asked).toBe(3 * 600);
});
