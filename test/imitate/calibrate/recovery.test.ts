import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { calibrations } from "../../../src/imitate/calibrate/plan.js";
import { startSandbox } from "../../../src/index.js";
import { type AssumptionId, assumptionIds } from "../../../src/sandbox/assumptions.js";
import { drawnIds } from "./drawn.js";
import { expectRecovery } from "./recovery.js";
import { calibrated } from "./service.js";
import { unrecovered } from "./unrecovered.js";

it(
  "a sandbox is recovered whose assumptions are drawn, none of the countable ones with its usual value",
  { tags: "slow" },
  () => expectRecovery(1, 0),
);

it("a size that is lowered is one in the pages as well, and no total", { tags: "slow" }, async () => {
  const maximum = 137;
  const pageSize = { default: 12, minimum: 1, maximum, beyond: "lower" } as const;
  await using service = await startSandbox({
    lists: { things: { count: 1500, pageSize, envelope: { pageSize: "pageSize" } } },
  });
  const { tls } = await service.createClient({ clientId: "tester" });
  const { yaml } = await calibrated(
    { url: new URL(service.url), ca: service.ca, client: tls, other: undefined },
    "tester",
    {
      paths: ["/v1/things"],
    },
  );
  expect(yaml).toContain(`pageSize: { default: 12, minimum: 1, maximum: ${maximum}, beyond: lower }`);
  expect(yaml).toMatch(/envelope: \{[^}]*pageSize: pageSize/);
  expect(yaml).not.toMatch(/total:|count: 12$/m);
});

it("each assumption with a probe is drawn, or is on the list of those that cannot be recovered, as in the document", () => {
  const probed = assumptionIds.filter((id: AssumptionId) => calibrations[id] !== undefined);
  expect([...drawnIds, ...Object.keys(unrecovered)].sort()).toEqual(probed.toSorted());
  const page = readFileSync(new URL("../../../docs/reference/calibrate.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## What it cannot find out");
  expect(Object.keys(unrecovered).filter((id) => !section.includes(`\`${id}\``))).toEqual([]);
});
