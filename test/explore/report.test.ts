import { describe, expect, it } from "vitest";
import { countsOf, failsAt, verdicts, weightOf } from "../../src/explore/report.js";
import { cellOf, reportOf, sampleReport } from "./sample.js";

describe("what a verdict counts as", () => {
  it("is decided by the verdict, for `wrong` by what is lost, and for `misbehaved` by the check", () => {
    const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, countsOf(verdict)]));
    expect(counts).toEqual({
      crashed: "must",
      hung: "must",
      wrong: "must",
      misbehaved: "must",
      "failed-after-recovery": "should",
      "gave-up": "should",
      unstable: "said",
      "not-judged": "said",
      "not-reached": "said",
      delivered: "good",
      "failed-clearly": "good",
      recovered: "good",
    });
    const lighter = verdicts.filter((verdict) => countsOf(verdict, "should") !== counts[verdict]);
    expect(lighter.map((verdict) => `${verdict} ${countsOf(verdict, "should")}`)).toEqual([
      "wrong should",
      "misbehaved should",
    ]);
  });

  it.each([
    ["must", undefined, "failure", "failure"],
    ["should", undefined, "warning", "failure"],
    ["must", "ticket 1", "known", "known"],
    ["should", "ticket 1", "known", "known"],
    ["said", undefined, undefined, undefined],
    ["good", undefined, undefined, undefined],
    ["good", "ticket 1", undefined, undefined],
  ] as const)("%s, known as %s, weighs %s at must and %s at should", (counts, known, atMust, atShould) => {
    const cell = { counts, ...(known !== undefined && { known }) };
    expect([weightOf(cell, "must"), weightOf(cell, "should")]).toEqual([atMust, atShould]);
  });
});

describe("a report fails", () => {
  const cells = {
    lost: cellOf("list.a.last", "close", { verdict: "wrong" }),
    gaveUp: cellOf("ping", "reset", { verdict: "gave-up" }),
    good: cellOf("ping", "close"),
    asleep: cellOf("ping", "goaway", { verdict: "not-reached" }),
    unstable: cellOf("ping", "stall", { verdict: "unstable" }),
    unclear: cellOf("ping", "hang", { verdict: "not-judged" }),
  };

  it.each([
    ["by a must, at each level", [cells.good, cells.lost], true, true],
    ["by a should, at its level only", [cells.good, cells.gaveUp], false, true],
    ["not by a known finding", [cells.good, { ...cells.lost, known: "ticket 1" }], false, false],
    ["not by what is only said", [cells.good, cells.asleep, cells.unclear], false, false],
    ["if no fault acted", [cells.asleep], true, true],
    ["if no cell was judged", [cells.asleep, cells.unclear, cells.unstable], true, true],
    ["if no cell was run", [], true, true],
  ])("%s", (_, given, atMust, atShould) => {
    const report = reportOf(...given);
    expect([failsAt(report, "must"), failsAt(report, "should")]).toEqual([atMust, atShould]);
  });
});

it("the summary counts every verdict, also those without a cell", () => {
  const { summary, cells } = sampleReport();
  expect(Object.keys(summary)).toEqual([...verdicts]);
  expect(Object.values(summary).every((count) => count > 0)).toBe(true);
  expect(Object.values(summary).reduce((sum, count) => sum + count)).toBe(cells.length);
  expect(reportOf(cellOf("ping", "close")).summary).toMatchObject({ recovered: 1, crashed: 0, "gave-up": 0 });
});
