import { expect, it } from "vitest";
import { ReportResets } from "../../src/replicas/report-resets.js";

it("a reset acts once, when Redis has it, and one that was undone does not", () => {
  const forgotten: (string | undefined)[] = [];
  const resets = new ReportResets((registration) => forgotten.push(registration));
  resets.reset("1");
  resets.reset();
  const [one, all] = [resets.nameOf("1"), resets.nameOf()];
  resets.put("1", undefined);
  resets.put("", undefined);
  resets.confirmed();
  expect(forgotten).toEqual([]);
  for (let round = 0; round < 2; round++) {
    resets.put("1", one);
    resets.put("", all);
    resets.confirmed();
  }
  expect(forgotten).toEqual(["1", undefined]);
});
