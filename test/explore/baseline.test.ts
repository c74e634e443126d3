import { expect, it } from "vitest";
import { reviewKnown, staleCellText, undecidedCellText, withKnown } from "../../src/explore/baseline.js";
import { cellOf } from "./sample.js";

const cells = [
  cellOf("list.a.last", "close", { verdict: "wrong" }),
  cellOf("ping", "reset", { verdict: "gave-up" }),
  cellOf("ping", "close"),
  cellOf("ping", "hang", { verdict: "not-judged" }),
];
const knownAs = (cell: string) => ({ cell, reason: "ticket 7", place: "b.yaml:2:5" });

it("a finding that is known has the reason, and nothing else has", () => {
  const names = ["list.a.last/close", "ping/reset", "ping/close", "ping/hang", "token.first/close"];
  expect(withKnown(cells, names.map(knownAs)).map(({ known }) => known)).toEqual([
    "ticket 7",
    "ticket 7",
    undefined,
    undefined,
  ]);
  expect(withKnown(cells, [knownAs("ping/reset")]).map(({ known }) => known)).toEqual([
    undefined,
    "ticket 7",
    undefined,
    undefined,
  ]);
});

it("an entry is stale if its cell is good, undecided if it has no verdict, and skipped if it was not run", () => {
  const entries = ["ping/close", "ping/hang", "list.a.last/close", "token.first/close"].map(knownAs);
  const { stale, undecided } = reviewKnown(withKnown(cells, entries), entries);
  expect(stale.map(staleCellText)).toEqual([
    "b.yaml:2:5: ping/close is no longer a finding. Remove the entry, so that the baseline stays correct.",
  ]);
  expect(undecided.map(undecidedCellText)).toEqual([
    "b.yaml:2:5: ping/hang has no verdict this time, so it is not known whether it is still a finding.",
  ]);
});
