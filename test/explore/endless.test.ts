import { expect, it } from "vitest";
import { ping, refusedToken, token, wait } from "../../src/exam/conversation.js";
import { endlessWith } from "../../src/explore/endless.js";
import { failures } from "../exam/play.js";

it.each([
  [1, 20],
  [1, 1000],
  [13, 1],
  [13, 20],
  [13, 60],
  [40, 10],
])("a client of %i calls that repeats every %i ms is ended when its check has failed", (calls, pause) => {
  const isEndless = endlessWith(calls);
  let faults = 1;
  while (!isEndless(faults, (faults - 1) * (pause + 2))) faults += 1;
  const steps = Array.from({ length: faults }, () => [refusedToken({ status: 500 }), wait(pause)]).flat();
  expect(failures({ plain: [token(), ...Array.from({ length: calls - 1 }, () => ping())], steps })).toContain(
    "must retry.bounded",
  );
});

it("a client whose pauses are too long for a proof is ended as well", () => {
  const isEndless = endlessWith(13);
  expect([isEndless(224, 250_000), isEndless(225, 250_000)]).toEqual([false, true]);
});
