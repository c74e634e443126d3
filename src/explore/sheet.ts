import { counted } from "../base/text/numbers.js";
import type { Level } from "../exam/finding.js";
import {
  bareItem,
  type FailingTest,
  type Group,
  type Item,
  type Mark,
  named,
  partOf,
  type Remark,
  type Sheet,
} from "../report/sheet.js";
import { testLines } from "../report/told-tests.js";
import {
  type Cell,
  cellName,
  type ExploreReport,
  failsAt,
  isJudged,
  type Point,
  verdicts,
  weightOf,
} from "./report.js";
import { type State, stateOf, states, stateWords, toneOf } from "./words.js";

/** Names in a sentence, at most. */
const mostNamed = 6;

/**
 * The report of an exploration as a person reads it.
 * @param level at which a finding is a failure, not a warning
 */
export function exploreSheet(report: ExploreReport, level: Level): Sheet {
  const { points, cells, notRun } = report;
  const left = notRun.map((name) => {
    const slash = name.lastIndexOf("/");
    return { point: name.slice(0, slash), fault: name.slice(slash + 1) };
  });
  const ids = new Set([...cells, ...left].map(({ point }) => point));
  const known = points.filter(({ id }) => ids.delete(id));
  const groups = [...known, ...[...ids].map((id) => ({ id, operation: "", requests: 0 }))].map((point) =>
    groupOf(
      point,
      cells.filter((cell) => cell.point === point.id),
      left.filter((cell) => cell.point === point.id),
      level,
    ),
  );
  const items = groups.flatMap((group) => group.items);
  const tests = failingTests(cells, groups);
  return {
    question: "Which single failure breaks this client?",
    verdict: verdictOf(report, level),
    tone: failsAt(report, level) ? "bad" : "good",
    lead: [],
    counts: [{ what: "Cells", of: countsOf(report, level) }],
    remarks: remarksOf(report),
    groupName: "point",
    groups,
    matrix: { columns: [...new Set([...cells, ...left].map(({ fault }) => fault))], legend: legendOf(items) },
    ...(tests.length > 0 && { tests }),
  };
}

function groupOf(
  { id, operation, requests }: Point,
  cells: readonly Cell[],
  left: readonly Pick<Cell, "fault">[],
  level: Level,
): Group {
  const items = [...cells.map((cell) => itemOf(cell, operation, level)), ...left.map(leftItem)];
  return {
    name: id,
    facts: [],
    output: [],
    tests: [],
    properties: [["requests", String(requests)]],
    duration: items.reduce((sum, { duration }) => sum + duration, 0),
    items,
  };
}

/** The findings by test: the test that fails most often first. */
function failingTests(cells: readonly Cell[], groups: readonly Group[]): readonly FailingTest[] {
  const found = new Map<string, { readonly group: Group; readonly item: Item }[]>();
  for (const cell of cells) {
    const group = groups.find(({ name }) => name === cell.point);
    const item = group?.items.find(({ name }) => name === cell.fault);
    if (group === undefined || item?.finding === undefined) continue;
    for (const { name } of cell.tests?.failed ?? []) found.set(name, [...(found.get(name) ?? []), { group, item }]);
  }
  return [...found]
    .map(([name, places]) => ({ name, places }))
    .sort((one, other) => other.places.length - one.places.length);
}

function markOf(state: State, tone: Mark["tone"]): Mark {
  const { name: word, sign } = stateWords[state];
  return { tone, word, sign };
}

function itemOf(cell: Cell, operation: string, level: Level): Item {
  const { fault, verdict, counts, checks, message, fix, known, requests, output, scenario, repeat, duration } = cell;
  const how = cell.exitStatus === null ? "had to be ended" : `ended with exit status ${cell.exitStatus}`;
  const isFinding = weightOf(cell, level) !== undefined;
  return {
    name: fault,
    mark: markOf(stateOf(cell), toneOf(cell, level)),
    rule: checks.join(", "),
    message,
    advice: fix,
    known,
    evidence: requests,
    output,
    tests: isFinding ? testLines(cell.tests) : [],
    scenario,
    repeat,
    ended: `The command ${how} after ${(duration / 1000).toFixed(1)} s.`,
    duration,
    // One change in the client would probably fix all of a kind.
    ...(isFinding && {
      finding: {
        kind: JSON.stringify([operation, verdict, counts, checks, fix, known]),
        rank: verdicts.indexOf(verdict),
      },
    }),
  };
}

function leftItem({ fault }: Pick<Cell, "fault">): Item {
  return { ...bareItem, name: fault, mark: markOf("not-run", "none"), message: "Nothing is known." };
}

/** The report in one sentence. */
function verdictOf(report: ExploreReport, level: Level): string {
  const { cells } = report;
  const unknown = "so nothing is known about this client.";
  if (cells.length === 0) return `No cell was run, ${unknown}`;
  if (cells.every(({ verdict }) => verdict === "not-reached")) return `No fault acted, ${unknown}`;
  if (!isJudged(report)) return `No cell could be judged, ${unknown}`;
  const judged = cells.filter(({ counts }) => counts !== "said").length;
  const count = (wanted: string) => cells.filter((cell) => weightOf(cell, level) === wanted).length;
  const [failures, warnings] = [count("failure"), count("warning")];
  const were = `that ${judged === 1 ? "was" : "were"} judged`;
  if (failures > 0) return `This client does not survive ${partOf(failures, judged, "failure")} ${were}.`;
  const but = warnings === 0 ? "" : `; it can do better at ${warnings === judged ? "all" : warnings} of them`;
  return `This client survives ${partOf(judged, judged, "failure")} ${were}${judged === 1 && warnings > 0 ? "; it can do better" : but}.`;
}

/** Those without a verdict count neither as failed nor as good. */
function countsOf({ cells, notRun }: ExploreReport, level: Level): Sheet["counts"][number]["of"] {
  const weights = cells.map((cell) => weightOf(cell, level));
  const count = (wanted: string) => weights.filter((weight) => weight === wanted).length;
  const warnings = count("warning");
  return [
    ["failed", count("failure"), "bad"],
    [warnings === 1 ? "warning" : "warnings", warnings, "warn"],
    ["known", count("known"), "none"],
    ["good", cells.filter(({ counts }) => counts === "good").length, "good"],
    ["without a verdict", cells.filter(({ counts }) => counts === "said").length, "none"],
    ["not run", notRun.length, "none"],
  ];
}

function legendOf(items: readonly Item[]): NonNullable<Sheet["matrix"]>["legend"] {
  return states.flatMap((state) => {
    const { sign, means } = stateWords[state];
    const found = items.filter(({ mark }) => mark.sign === sign);
    return found[0] === undefined ? [] : [{ mark: found[0].mark, means, count: found.length }];
  });
}

/** What is not known, and why: it must never look as if it were good. */
function remarksOf({ cells, unstable, notRun, notes = [] }: ExploreReport): readonly Remark[] {
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
        lines: [named(names, mostNamed), why],
      })),
  ];
}
