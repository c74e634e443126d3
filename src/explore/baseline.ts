import { type BaselineEntry, type BaselineReview, staleEntry } from "../exam/baseline.js";
import { type Cell, cellName, weightOf } from "./report.js";

/** A finding that is known: an entry of the baseline. */
export interface KnownCell extends BaselineEntry {
  /** `POINT/FAULT`. */
  readonly cell: string;
}

/** Cells, with the reason of the baseline where a finding is known. */
export function withKnown(cells: readonly Cell[], known: readonly KnownCell[]): readonly Cell[] {
  const reasons = new Map(known.map(({ cell, reason }) => [cell, reason]));
  return cells.map((cell) => {
    const reason = weightOf(cell, "should") === undefined ? undefined : reasons.get(cellName(cell));
    return reason === undefined ? cell : { ...cell, known: reason };
  });
}

/** Compares the entries with the cells that were run. Entries for others are skipped. */
export function reviewKnown(cells: readonly Cell[], known: readonly KnownCell[]): BaselineReview<KnownCell> {
  const counts = new Map(cells.map((cell) => [cellName(cell), cell.counts]));
  return {
    stale: known.filter(({ cell }) => counts.get(cell) === "good"),
    undecided: known.filter(({ cell }) => counts.get(cell) === "said"),
  };
}

/** What to do about a stale entry. */
export function staleCellText({ cell, place }: KnownCell): string {
  return staleEntry(place, `${cell} is no longer a finding`);
}

/** What is said about an entry whose cell has no verdict. */
export function undecidedCellText({ cell, place }: KnownCell): string {
  return `${place}: ${cell} has no verdict this time, so it is not known whether it is still a finding.`;
}
