import { writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { permanentStatuses } from "../../exam/known/calls.js";
import type { Reference } from "../../exam/known/reference.js";
import { type CellScenario, layerOf, scenarioOf } from "../../explore/cell-scenario.js";
import { type Deliveries, deliveriesIn, deliveryKey } from "../../explore/deliveries.js";
import { nameOf, type PlannedRun } from "../../explore/plan.js";
import { type Cell, countsOf, weightOf } from "../../explore/report.js";
import { storyOf } from "../../explore/story.js";
import { type CellVerdict, verdictOf } from "../../explore/verdict.js";
import type { Sandbox } from "../../library/composition/sandbox.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { JournalEntry } from "../../sandbox/journal/ring-buffer.js";
import { keepRun } from "../exam/keep.js";
import type { Ending } from "../run/command.js";
import { type RunResult, runOnce } from "../run/one-run.js";
import type { RunningCommands } from "../run/running-commands.js";
import { ActivityLimit } from "./activity.js";

/** What the references show. */
export interface References {
  readonly counts: Reference;
  readonly deliveries: readonly Deliveries[];
  /** How long the command was silent without a fault, in milliseconds. */
  readonly longestSilence: number;
  /** Checks that fail without a fault. */
  readonly usualFailures: ReadonlySet<string>;
}

/** What all cells have in common. */
export interface ExploreSetting {
  readonly configuration: Configuration;
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  readonly commands: RunningCommands;
  readonly timeout: number;
  readonly references: References;
  /** The command line that repeats a cell alone. */
  readonly repeat: (name: string) => string;
}

/** How many characters of a command's output are kept. */
export const keptOutput = 16_384;

/**
 * A fault that stays may act so often for each request of the operation, and once more for a walk that begins again. A
 * client that sends more repeats without an end.
 */
const mostAttempts = 16;

/** Signals by which a program crashes. A shell, or npm, tells them as 128 and the number. */
const crashes = ["SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE"] as const;

/**
 * Runs the command with one fault at one point, and says what became of it.
 * @param attempt of this cell
 * @param keep the folder for findings
 */
export async function runCell(
  planned: PlannedRun,
  setting: ExploreSetting,
  attempt: string,
  keep: string | undefined,
): Promise<Cell> {
  const { point, fault } = planned;
  const scenario = await scenarioOf(point.role, fault);
  const layer = await layerOf(point.role, scenario);
  const isFault = ({ injected }: Pick<Exchange, "injected">) => injected?.startsWith(`${layer.name}/`) === true;
  const limits = {
    timeout: setting.timeout,
    waits: fault.waits + setting.references.longestSilence,
    mostFaults: mostAttempts * (1 + point.ofOperation),
    isFault,
  };
  const run = {
    ...setting,
    name: `${scenario.name}-${attempt}`,
    layer,
    judging: { reference: setting.references.counts, isExam: true },
    limit: (sandbox: Sandbox) => new ActivityLimit(sandbox, limits),
    keptOutput,
  };
  return runOnce(run, async (result) => {
    const { entries } = result;
    const disturbed = entries.filter(({ item }) => isFault(item));
    const verdict = await judged(planned, setting, result, entries, disturbed);
    const counts = countsOf(verdict.verdict, point.list !== undefined || verdict.checks.length > 0);
    const isFinding = weightOf({ counts }, "should") !== undefined;
    if (keep !== undefined && isFinding) await keepCell(keep, scenario, result);
    return {
      point: point.id,
      fault: fault.name,
      ...verdict,
      counts,
      exitStatus: result.endedFor === undefined ? result.exitStatus : null,
      duration: result.duration,
      exchanges: disturbed.slice(0, 3).map(({ number }) => String(number)),
      scenario: scenario.yaml,
      requests: storyOf(entries, disturbed, result.since),
      output: result.output.last,
      repeat: setting.repeat(nameOf(planned)),
    };
  });
}

async function judged(
  { point, fault }: PlannedRun,
  { references }: ExploreSetting,
  result: RunResult,
  entries: readonly JournalEntry<Exchange>[],
  disturbed: readonly JournalEntry<Exchange>[],
): Promise<CellVerdict> {
  const { ending, exitStatus, endedFor, sandbox, checks } = result;
  const [first] = disturbed;
  const sheet = await result.answers.read(sandbox);
  // An answer that the fault made is no delivery, whatever its status is.
  const real = "respond" in fault.does ? entries.filter((entry) => !disturbed.includes(entry)) : entries;
  const isHeld = fault.holds && disturbed.every(({ item }) => item.passage === undefined);
  return verdictOf({
    acted: fault.actsLater ? wasUsedLater(entries, first) : first !== undefined,
    key: first === undefined ? "" : deliveryKey(first.item, sandbox.lists),
    point,
    passes:
      fault.passes && !disturbed.some(({ item }) => item.delivered === true && permanentStatuses.has(item.status)),
    needsSheet: fault.name === "duplicate-row" || fault.name === "short-page",
    crash: endedFor === undefined ? crashOf(ending) : undefined,
    endedFor: endedFor === "busy" && isHeld ? "hung" : (endedFor as "hung" | "busy" | undefined),
    exitStatus,
    deliveries: deliveriesIn(real, sandbox.lists),
    references: references.deliveries,
    checks,
    usualFailures: references.usualFailures,
    reported: new Set(sheet.errors.map(({ operation }) => operation)),
    hasSheet: sheet.walks.length + sheet.errors.length > 0,
  });
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
