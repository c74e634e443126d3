import { expect, it } from "vitest";
import { systemClock } from "../../../src/sandbox/clock.js";
import { ChoiceForAll } from "../../../src/sandbox/scenarios/choice-for-all.js";
import { ScenarioState } from "../../../src/sandbox/scenarios/state.js";

it("a client has progress for a limited number of scenarios, because there may be very many clients", () => {
  const state = new ScenarioState("demo");
  for (let number = 1; number <= 150; number++) state.restart(`scenario-${number}`, number);
  expect(state.memory().started.length).toBe(100);
  expect([state.startOf("scenario-50"), state.startOf("scenario-51")]).toEqual([undefined, 51]);
});

it("a moved cursor leads on until a reset, also for another sandbox", () => {
  const [state, other] = [new ScenarioState("demo"), new ScenarioState("demo")];
  expect([state.positionOf("c"), state.remembers]).toEqual([undefined, false]);
  state.moveCursor("c", { position: 10, page: 3 });
  other.restore(JSON.parse(JSON.stringify(state.memory())));
  for (const each of [state, other]) {
    expect([each.positionOf("c"), each.positionOf("d")]).toEqual([{ position: 10, page: 3 }, undefined]);
    expect(each.remembers).toBe(true);
    each.reset();
    expect([each.positionOf("c"), each.remembers]).toEqual([undefined, false]);
  }
});

it("a choice for all is taken back after its memory was restored, as before", () => {
  const [one, other] = [new ChoiceForAll(systemClock), new ChoiceForAll(systemClock)];
  one.choose("maintenance");
  one.choose("flaky");
  other.restore(JSON.parse(JSON.stringify(one.memory())));
  other.undo();
  expect(other.name).toBe("maintenance");
});
