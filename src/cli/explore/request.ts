import { availableParallelism } from "node:os";
import { flagName, type GivenSettings, type SettingName, settingNames } from "../../sandbox/config/settings.js";
import { TextPattern } from "../../sandbox/scenarios/text-pattern.js";
import type { ExploreFlags } from "../options.js";
import { timeOf, wholeNumberOf, wordsOf } from "../run/flag-values.js";
import { type ReportRequest, reportRequest } from "../run/report.js";

/** What an exploration should do, after the flags have been checked. */
export interface ExploreRequest {
  /** Patterns of cells: `POINT/FAULT`. */
  readonly only: readonly TextPattern[];
  readonly skip: readonly TextPattern[];
  /** The report whose findings are run again, and no others. */
  readonly again: string | undefined;
  /** How many cells are drawn; undefined: as many as fit. */
  readonly shallow: number | undefined;
  /** Files of scenarios. */
  readonly faults: readonly string[];
  /** How many runs there are at the same time at most. */
  readonly jobs: number;
  /** How long a command may wait for what a fault holds, in milliseconds. */
  readonly timeout: number;
  /** How long the whole may take, in milliseconds. */
  readonly maxTime: number | undefined;
  readonly keep: string | undefined;
  /** The options that repeat a cell: those that decide what happens in it. */
  readonly repeated: readonly string[];
  readonly report: ReportRequest;
}

/** Runs at a time for each core at most: a command waits for most of its time, and the load of the machine decides. */
const jobsOfCore = 12;

/** @throws SettingError for a flag that cannot be used */
export async function exploreRequest(flags: ExploreFlags, settings: GivenSettings): Promise<ExploreRequest> {
  const { only = [], skip = [], again, shallow, fault = [], jobs, timeout = "60s", maxTime, keep } = flags;
  return {
    only: patterns(only),
    skip: patterns(skip),
    again,
    shallow: shallow === undefined ? undefined : wholeNumberOf("--shallow", shallow),
    faults: fault,
    jobs: jobs === undefined ? jobsOfCore * availableParallelism() : wholeNumberOf("--jobs", jobs),
    timeout: timeOf("--timeout", timeout),
    maxTime: maxTime === undefined ? undefined : timeOf("--max-time", maxTime),
    keep,
    repeated: repeatedOptions(flags, settings),
    report: await reportRequest(flags, ["must", "should"]),
  };
}

/** They change nothing of what happens, and one is a secret. */
const notRepeated: readonly SettingName[] = ["adminToken", "log", "logFormat", "otlp", "report"];

function repeatedOptions({ timeout, fault = [] }: ExploreFlags, settings: GivenSettings): readonly string[] {
  const names = settingNames.filter((name) => settings[name] !== undefined && !notRepeated.includes(name));
  return [
    ...names.flatMap((name) => [flagName(name), String(settings[name])]),
    ...(timeout === undefined ? [] : ["--timeout", timeout]),
    ...(fault.length === 0 ? [] : ["--fault", ...fault]),
  ];
}

function patterns(texts: readonly string[]): readonly TextPattern[] {
  return wordsOf(texts).map((text) => new TextPattern(text));
}
