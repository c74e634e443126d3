import { it } from "vitest";
import { expectActsAt } from "./acts.js";
import { cellName, cells } from "./points.js";

it.each(cells.map(([point, fault]) => [cellName(point, fault), point, fault] as const))(
  "each fault acts at its point, and nowhere else: %s",
  async (_name, point, fault) => expectActsAt(point, fault),
);
