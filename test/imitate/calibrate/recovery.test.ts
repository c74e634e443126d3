import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { calibrations } from "../../../src/imitate/calibrate/plan.js";
import { type AssumptionId, assumptionIds } from "../../../src/sandbox/assumptions.js";
import { drawnIds } from "./drawn.js";
import { expectRecovery } from "./recovery.js";
import { unrecovered } from "./unrecovered.js";

it("a sandbox is recovered whose assumptions are drawn, none of the countable ones with its usual value", () =>
  expectRecovery(1, 0));

it("each assumption with a probe is drawn, or is on the list of those that cannot be recovered, as in the document", () => {
  const probed = assumptionIds.filter((id: AssumptionId) => !("unprobed" in calibrations[id]));
  expect([...drawnIds, ...Object.keys(unrecovered)].sort()).toEqual(probed.toSorted());
  const page = readFileSync(new URL("../../../docs/calibrate.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## What it cannot find out");
  expect(Object.keys(unrecovered).filter((id) => !section.includes(`\`${id}\``))).toEqual([]);
});
