import { expect, it } from "vitest";
import { exploreFaults } from "../../src/explore/faults.js";
import { expectActsAt } from "./acts.js";
import { cellName, cells, points } from "./points.js";

// Each fault at one point, in turns: all cells are in acts.night.test.ts.
const some = exploreFaults.flatMap(({ name }, turn) => {
  const own = cells.filter(([, fault]) => fault.name === name);
  return own.filter((_cell, at) => at === turn % own.length);
});

it.each(some.map(([point, fault]) => [cellName(point, fault), point, fault] as const))(
  "a fault acts at its point, and nowhere else: %s",
  async (_name, point, fault) => expectActsAt(point, fault),
);

it("each point has a fault", () => {
  expect(new Set(some.map(([point]) => point))).toEqual(new Set(points));
});
