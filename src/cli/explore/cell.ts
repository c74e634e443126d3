import { writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import type { AnswerSheet } from "../../exam/answers/sheet.js";
import { permanentStatuses } from "../../exam/known/calls.js";
import { allCalls, type Reference } from "../../exam/known/reference.js";
import { type CellScenario, layerOf, scenarioOf } from "../../explore/cell-scenario.js";
import { endlessWith } from "../../explore/endless.js";
import type { ExploreFault } from "../../explore/faults.js";
import type { References } from "../../explore/lost.js";
import { nameOf, type PlannedRun } from "../../explore/plan.js";
import { repeatedIn } from "../../explore/repeated.js";
import { type Cell, countsOf, weightOf } from "../../explore/report.js";
import { requestsIn } from "../../explore/seen.js";
import { storyOf } from "../../explore/story.js";
import { type CellVerdict, verdictOf } from "../../explore/verdict.js";
import type { Sandbox } from "../../library/composition/sandbox.js";
import { toldOf } from "../../report/told-output.js";
import { brokenTests, type TestResults } from "../../report/told-tests.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { JournalEntry } from "../../sandbox/journal/ring-buffer.js";
import { keepRun } from "../exam/keep.js";
import type { Ending } from "../run/command.js";
import type { ManyRuns } from "../run/many-runs.js";
import { type RunResult, runOnce } from "../run/one-run.js";
import { ActivityLimit, type EndedFor } from "./activity.js";

/** What the runs without a fault show. */
export interface Usual {
  readonly counts: Reference;
  readonly references: References;
  /** The same with one more run, in which every answer is slow; undefined if that fails. */
  readonly slower: () => Promise<References | undefined>;
  /** What they got in different numbers, by name. */
  readonly unstable: () => readonly string[];
  /** Errors on the answer sheet of each, by operation. */
  readonly errors: readonly ReadonlyMap<string, number>[];
  /** How long the command was silent without a fault, in milliseconds. */
  readonly longestSilence: number;
  /** The names of the tests that passed in each run. */
  readonly passedTests: ReadonlySet<string>;
  /** Why what the runner told of tests could not be used: sentences. */
  readonly testProblems: readonly string[];
  /** Checks that fail without a fault. */
  readonly usualFailures: ReadonlySet<string>;
}

/** What the runs without a fault have in common with those of cells. */
export interface ReferenceSetting extends ManyRuns {
  /** How long the command may be silent, in milliseconds. */
  readonly timeout: number;
}

/** What all cells have in common. */
export interface ExploreSetting extends ReferenceSetting {
  readonly usual: Usual;
  /** The command line that repeats a cell alone. */
  readonly repeat: (name: string) => string;
}

/** How many characters of a command's output are kept. */
export const keptOutput = 16_384;

/** Signals by which a program crashes. A shell, or npm, tells them as 128 and the number. */
const crashes = ["SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE"] as const;

/** What became of one run. */
export interface CellRun {
  readonly cell: Cell;
  /** Keys of what is lost, if the verdict rests on that. */
  readonly lost: readonly string[];
  readonly results: TestResults;
}

/**
 * Runs the command with one fault at one point, and says what became of it.
 * @param before the first run of a finding, which this one repeats: only what both lose is lost
 * @param keep the folder for findings
 */
export async function runCell(
  planned: PlannedRun,
  setting: ExploreSetting,
  before?: CellRun,
  keep?: string,
): Promise<CellRun> {
  const { point, fault } = planned;
  const { usual } = setting;
  const scenario = await scenarioOf(point.role, fault);
  const layer = await layerOf(point.role, scenario);
  const isFault = ({ injected }: Pick<Exchange, "injected">) => injected?.startsWith(`${layer.name}/`) === true;
  const limits = {
    timeout: setting.timeout,
    waits: fault.waits + usual.longestSilence,
    isEndless: endlessWith(point.operation === "token" ? allCalls(usual.counts) : point.ofOperation),
    isFault,
  };
  const run = {
    ...setting,
    name: `${scenario.name}-${before === undefined ? 1 : 2}`,
    layer,
    isKept: keep !== undefined,
    judging: { reference: usual.counts, isExam: true },
    limit: (sandbox: Sandbox) => new ActivityLimit(sandbox, limits),
    keptOutput,
  };
  return runOnce(run, async (result) => {
    const { entries } = result;
    const disturbed = entries.filter(({ item }) => isFault(item));
    const { level, lost, ...verdict } = await judged(planned, usual, result, { isFault, disturbed }, before);
    const counts = countsOf(verdict.verdict, level);
    const { results } = result.tests;
    const tests = brokenTests(usual.passedTests, before === undefined ? [results] : [before.results, results]);
    const isFinding = weightOf({ counts }, "should") !== undefined;
    if (keep !== undefined && isFinding) await keepCell(keep, scenario, result);
    const cell = {
      point: point.id,
      fault: fault.name,
      ...verdict,
      counts,
      exitStatus: result.endedFor === undefined ? result.exitStatus : null,
      duration: result.duration,
      exchanges: disturbed.slice(0, 3).map(({ number }) => String(number)),
      scenario: scenario.yaml,
      requests: storyOf(entries, disturbed, result.since),
      output: toldOf(result.output.lines.lines),
      ...(tests !== undefined && { tests }),
      repeat: setting.repeat(nameOf(planned)),
    };
    return { cell, lost, results };
  });
}

/** Where the fault acted. */
interface Disturbed {
  readonly isFault: (exchange: Pick<Exchange, "injected">) => boolean;
  /** The requests that met it, oldest first. */
  readonly disturbed: readonly JournalEntry<Exchange>[];
}

async function judged(
  { point, fault }: PlannedRun,
  usual: Usual,
  result: RunResult,
  { isFault, disturbed }: Disturbed,
  before: CellRun | undefined,
): Promise<CellVerdict & { readonly lost: readonly string[] }> {
  const { ending, exitStatus, endedFor, entries, sandbox, checks } = result;
  const [first] = disturbed;
  const sheet = await result.answers.read(sandbox);
  // An error that the fault made is no delivery, and neither is an answer of its own, whatever its status is.
  const isReal = (item: Exchange) => !isFault(item) || (!("respond" in fault.does) && item.status < 400);
  const requests = requestsIn(entries, sandbox.lists, isReal);
  const request = requests.find(({ number }) => number === first?.number);
  const isHeld = fault.holds && disturbed.every(({ item }) => item.passage === undefined);
  const lostBefore = before === undefined || before.lost.length === 0 ? undefined : new Set(before.lost);
  const verdictBy = (references: References): CellVerdict & { readonly lost: readonly string[] } => {
    const { lost: all, isUnclear } = references.compare(requests, request);
    const lost = all.filter(({ key }) => lostBefore?.has(key) ?? true);
    const verdict = verdictOf({
      acted: fault.actsLater ? wasUsedLater(entries, first) : first !== undefined,
      fault: {
        ...fault,
        passes:
          fault.passes && !disturbed.some(({ item }) => item.delivered === true && permanentStatuses.has(item.status)),
      },
      point,
      arrived: disturbed.every(({ item }) => item.delivered === true && isReal(item)) && !fault.actsLater,
      crash: endedFor === undefined ? crashOf(ending) : undefined,
      endedFor: endedFor !== undefined && isHeld ? "hung" : (endedFor as EndedFor | undefined),
      exitStatus,
      compared: { lost, isUnclear: isUnclear || lost.length < all.length },
      repeated: request && repeatedIn(requests, request, references, retryAfterOf(fault)),
      stayedBroken: isBrokenAfter(entries, first, isFault),
      checks,
      usualFailures: usual.usualFailures,
      reported: reportedMore(errorsOf(sheet), usual.errors),
      hasSheet: sheet.walks.length + sheet.errors.length > 0,
    });
    return {
      ...verdict,
      lost: verdict.verdict === "wrong" && verdict.checks.length === 0 ? lost.map(({ key }) => key) : [],
    };
  };
  const verdict = verdictBy(usual.references);
  if (verdict.lost.length === 0) return verdict;
  // It may be a matter of time.
  const references = await usual.slower();
  return references === undefined ? verdict : verdictBy(references);
}

/**
 * Whether a request of another kind failed after the first disturbed one, without the fault: then more broke than one
 * request.
 */
function isBrokenAfter(
  entries: readonly JournalEntry<Exchange>[],
  first: JournalEntry<Exchange> | undefined,
  isFault: (exchange: Exchange) => boolean,
): boolean {
  if (first === undefined) return false;
  const { operation, list } = first.item;
  return entries.some(
    ({ number, item }) =>
      number > first.number &&
      !isFault(item) &&
      item.delivered === false &&
      (item.operation !== operation || item.list !== list),
  );
}

/** The wait that a fault asks for, in milliseconds. */
function retryAfterOf({ failure, waits }: ExploreFault): number | undefined {
  return failure === "waits" ? waits : undefined;
}

/** How many errors of each operation an answer sheet has. */
export function errorsOf({ errors }: AnswerSheet): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { operation } of errors) found.set(operation, (found.get(operation) ?? 0) + 1);
  return found;
}

/** Operations with more errors than in any run without a fault. */
function reportedMore(
  errors: ReadonlyMap<string, number>,
  usual: readonly ReadonlyMap<string, number>[],
): ReadonlySet<string> {
  const most = (operation: string) => Math.max(...usual.map((each) => each.get(operation) ?? 0));
  return new Set([...errors].filter(([operation, count]) => count > most(operation)).map(([operation]) => operation));
}

/** A token that ends early disturbs nothing as long as it is not used after its end. */
function wasUsedLater(entries: readonly JournalEntry<Exchange>[], first: JournalEntry<Exchange> | undefined): boolean {
  return first !== undefined && entries.some(({ number, item }) => number > first.number && item.status === 401);
}

function crashOf(ending: Ending): string | undefined {
  if (ending.kind === "signal") return `the signal ${ending.signal}`;
  const crash = crashes.find((signal) => ending.status === 128 + constants.signals[signal]);
  return crash === undefined ? undefined : `the signal ${crash} (exit status ${ending.status})`;
}

/** Writes a finding into the folder of `--keep`: the scenario that reproduces it, the journal and the output. */
async function keepCell(folder: string, scenario: CellScenario, { sandbox, output }: RunResult): Promise<void> {
  const { name, yaml } = scenario;
  await keepRun(folder, { name, scenario: undefined, text: "" }, sandbox, output);
  // `--scenarios` takes the folder as it is.
  await writeFile(join(folder, `${name}.yaml`), yaml);
}
