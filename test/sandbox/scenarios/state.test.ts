import { expect, it } from "vitest";
import { ScenarioState } from "../../../src/sandbox/scenarios/state.js";

it("a client has progress for a limited number of scenarios, because there may be very many clients", () => {
  const state = new ScenarioState("demo");
  for (let number = 1; number <= 150; number++) state.restart(`scenario-${number}`, number);
  expect(state.memory().started.length).toBe(100);
  expect([state.startOf("scenario-50"), state.startOf("scenario-51")]).toEqual([undefined, 51]);
});
