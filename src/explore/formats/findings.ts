import { counted } from "../../base/text/numbers.js";
import type { Level } from "../../exam/finding.js";
import { type Cell, cellName, type ExploreReport, verdicts, type Weight, weightOf } from "../report.js";

/**
 * Findings that one change in the client would probably mend: they are of the same operation, and have the same verdict,
 * failed checks and advice.
 */
export interface SharedFinding {
  readonly weight: Weight;
  /** In the order of the report. The story of the first is told. */
  readonly cells: readonly [Cell, ...Cell[]];
}

const titles: readonly (readonly [Weight, string])[] = [
  ["failure", "Failed"],
  ["warning", "Warnings"],
  ["known", "Known findings"],
];

/** All findings, by section; the worst first, without empty sections. */
export function sectionsOf(
  { cells, points }: Pick<ExploreReport, "cells" | "points">,
  level: Level,
): readonly { readonly title: string; readonly findings: readonly SharedFinding[] }[] {
  const operations = new Map(points.map(({ id, operation }) => [id, operation]));
  const found = new Map<string, SharedFinding & { cells: [Cell, ...Cell[]] }>();
  for (const cell of cells) {
    const weight = weightOf(cell, level);
    if (weight === undefined) continue;
    const { verdict, counts, checks, fix, known } = cell;
    const key = JSON.stringify([weight, operations.get(cell.point), verdict, counts, checks, fix, known]);
    const same = found.get(key);
    if (same === undefined) found.set(key, { weight, cells: [cell] });
    else same.cells.push(cell);
  }
  const all = [...found.values()].sort((one, other) => rank(one) - rank(other));
  return titles
    .map(([weight, title]) => ({ title, findings: all.filter((finding) => finding.weight === weight) }))
    .filter(({ findings }) => findings.length > 0);
}

function rank({ cells: [{ verdict }] }: SharedFinding): number {
  return verdicts.indexOf(verdict);
}

/** `list.payments.middle: close, hang; list.payments.last: hang`: the cells by their points. */
export function placesText(cells: readonly Cell[]): string {
  const faults = new Map<string, string[]>();
  for (const { point, fault } of cells) faults.set(point, [...(faults.get(point) ?? []), fault]);
  return [...faults].map(([point, names]) => `${point}: ${names.join(", ")}`).join("; ");
}

/** What a report says about cells without a verdict, points without cells, and cells that were not run. */
export interface Remark {
  /** Such as `Not run`. */
  readonly about: string;
  /** How many; a note is all here. */
  readonly title: string;
  /** Their names, and why. */
  readonly lines: readonly string[];
}

/** Names in a sentence, at most. */
const mostNamed = 6;

/** What is not known, and why: it must never look as if it were good. */
export function remarksOf({ cells, unstable, notRun, notes = [] }: ExploreReport): readonly Remark[] {
  const of = (verdict: Cell["verdict"]) => cells.filter((cell) => cell.verdict === verdict);
  const open = of("not-judged");
  const all: readonly (readonly [about: string, what: string, names: readonly string[], why: string])[] = [
    ["Unstable", "point", unstable, "Not all runs without a fault reached it in the same way, so it has no cells."],
    ["Unstable", "cell", of("unstable").map(cellName), "Two runs had two results, so neither is a finding."],
    ["Not judged", "cell", open.map(cellName), open[0]?.message ?? ""],
    ["Not reached", "cell", of("not-reached").map(cellName), "The fault never acted, so nothing is known."],
    ["Not run", "cell", notRun, "Nothing is known."],
  ];
  return [
    ...notes.map((text) => ({ about: "Note", title: text, lines: [] })),
    ...all
      .filter(([, , names]) => names.length > 0)
      .map(([about, what, names, why]) => ({
        about,
        title: counted(names.length, what),
        lines: [named(names), why],
      })),
  ];
}

function named(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return more <= 1 ? names.join(", ") : `${names.slice(0, mostNamed).join(", ")} and ${more} more`;
}
