import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { displayPath } from "../base/files/display-path.js";
import { valueAt } from "../base/text/json-object.js";
import { counted } from "../base/text/numbers.js";
import { configurationLimits } from "../base/yaml/document.js";
import { readFileText } from "../base/yaml/file-text.js";
import {
  editsOf,
  type Findings,
  findingsOf,
  isDrift,
  missingLists,
  provenFindings,
} from "../imitate/calibrate/findings.js";
import { changedAnswers, givenAnswers } from "../imitate/calibrate/given-answers.js";
import { planOf, planText } from "../imitate/calibrate/plan.js";
import { type RunnerClock, runPlan } from "../imitate/calibrate/runner.js";
import { SeenAnswers } from "../imitate/calibrate/seen-answers.js";
import { comparisonText, driftText, findingsText } from "../imitate/calibrate/table.js";
import { placeOf } from "../library/base-url.js";
import { systemClock } from "../sandbox/clock.js";
import { type ConfigurationFile, validConfigurationFile } from "../sandbox/config/file.js";
import { SettingError } from "../sandbox/config/settings.js";
import { emptyFile } from "../sandbox/config/shape.js";
import { isLoopback } from "../sandbox/connection/addresses.js";
import { type Inputs, readInputs, readService } from "./calibrate/inputs.js";
import { prove } from "./calibrate/prove.js";
import { HttpsTransport } from "./calibrate/transport.js";
import { mustBeWritable, openTarget } from "./configuration-target.js";
import { endings } from "./ending-signals.js";
import type { CalibrateFlags } from "./options.js";

/**
 * `payments-sandbox calibrate`: finds out how a service behaves, and writes that to `sandbox.yaml`. Exit status 1 when
 * `--check` finds a difference, and when the run ended early.
 * @throws SettingError for a command line that cannot be used; FileError for a `sandbox.yaml` that cannot be read or
 *   extended
 */
export async function calibrate(flags: CalibrateFlags): Promise<void> {
  const out = flags.out ?? "sandbox.yaml";
  const check = flags.check === true;
  const before = await readBefore(out, check);
  if (!check && flags.dryRun !== true) await mustBeWritable(out);
  const inputs = await readInputs(flags, before.configuration);
  process.stderr.write(inputs.document);
  const plan = planOf(inputs.options);
  // How many requests a list needs depends on its answers.
  const planned = inputs.options.lists.length > 0 ? Number.POSITIVE_INFINITY : plan.length;
  const most = Math.min(planned, inputs.limits.maxRequests);
  if (flags.dryRun) {
    process.stdout.write(planText(plan, inputs.options, inputs.basePath));
    process.stdout.write(
      `\nAt most ${counted(most, "request")} to ${inputs.url.host}, ${inputs.limits.rate} a second; which of them depends on the answers. Nothing was sent.\n`,
    );
    return;
  }
  const service = await readService(inputs.url, flags);
  if (!(await confirmed(inputs, flags.yes === true, most))) {
    process.exitCode = 1;
    return;
  }
  const transport = new HttpsTransport(service);
  const ending = new AbortController();
  const end = () => ending.abort();
  // The first signal stops the run, and the findings so far are written. A second signal ends the process at once.
  for (const signal of endings) process.once(signal, end);
  try {
    const limits = { ...inputs.limits, signal: ending.signal };
    const run = await runPlan(plan, inputs.options, limits, { transport, clock: wallClock, tell: progress(most) });
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
    process.stderr.write(`${counted(run.sent, "request")} sent.\n`);
    if (run.stopped !== undefined) {
      process.stderr.write(`Stopped: ${run.stopped}\n`);
      process.exitCode = 1;
    }
    const reported = { out, before, verbose: flags.verbose === true };
    await conclude(new SeenAnswers(inputs.options, run.seen), inputs.basePath, reported, check);
  } finally {
    for (const signal of endings) process.off(signal, end);
    transport.close();
  }
}

const wallClock: RunnerClock = {
  now: () => systemClock.now(),
  // A wait that is aborted is not an error.
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }).catch(() => {}),
};

/** The file before this run. */
type Before = Pick<ConfigurationFile, "configuration" | "written">;

async function readBefore(path: string, mustExist: boolean): Promise<Before> {
  const text = await readFileText(path, configurationLimits.characters);
  if (text === undefined && mustExist)
    throw new SettingError(`--check compares with --out, and there is no file ${displayPath(path)}.`);
  if (text === undefined) return { configuration: emptyFile, written: {} };
  return validConfigurationFile(path);
}

/** A line on the terminal with the progress. */
function progress(most: number): (observation: unknown, sent: number) => void {
  if (!process.stderr.isTTY) return () => {};
  return (_, sent) => process.stderr.write(`\r\u001b[K${sent} of at most ${counted(most, "request")}`);
}

/** How the command reports. */
interface Reported {
  readonly out: string;
  readonly before: Before;
  readonly verbose: boolean;
}

async function conclude(known: SeenAnswers, basePath: string, reported: Reported, check: boolean): Promise<void> {
  for (const { path, outcome } of missingLists(known)) {
    process.stderr.write(
      `--list ${path} gets ${outcome}, and no page: a list of objects, alone or in an object. Check --list and the path of --url.\n`,
    );
    process.exitCode = 1;
  }
  const { configuration, written } = reported.before;
  const findings = findingsOf(known, configuration, basePath, written);
  if (findings.settings.length === 0) {
    process.stderr.write(`Nothing was found${check ? "" : ", and nothing was written"}.\n`);
    process.exitCode = 1;
  } else await (check ? reportDrift : write)(findings, known, reported);
}

async function reportDrift(findings: Findings, known: SeenAnswers, { out, before, verbose }: Reported): Promise<void> {
  const compared = await prove(known, out, before.written);
  const drifted = findings.settings.filter(isDrift).flatMap(({ reading }) => reading.evidence);
  const told = new Set(drifted.map(({ step }) => step.id));
  const changed = changedAnswers(compared, valueAt(before.written, ["answers"]), told);
  const drift = driftText(findings, changed, displayPath(out), verbose);
  if (drift !== "") process.exitCode = 1;
  const extent = process.exitCode === 1 ? ", as far as it was probed" : "";
  process.stdout.write(drift || `The service does what ${displayPath(out)} says${extent}.\n`);
  process.stdout.write(comparisonText(compared, verbose));
}

/** Writes the file, compares a sandbox that has it with the service, and says in the file what the comparison shows. */
async function write(findings: Findings, known: SeenAnswers, { out, before, verbose }: Reported): Promise<void> {
  const { configuration } = before;
  const first = await openTarget(out);
  await first.write(editsOf(findings, configuration));
  const { written } = await readBefore(out, true);
  const compared = await prove(known, out, written);
  const proven = provenFindings(findings, compared);
  const target = await openTarget(out);
  const answers = givenAnswers(
    compared,
    valueAt(written, ["answers"]),
    Object.keys(Object(valueAt(written, ["lists"]))),
  );
  await target.write([
    ...editsOf(proven, configuration),
    { path: ["answers"], value: answers, comment: "calibrate: what the service answered, for --check" },
  ]);
  process.stdout.write(
    `${findingsText(proven, verbose)}${comparisonText(compared, verbose)}Written: ${displayPath(out)}\n`,
  );
}

/**
 * Asks whether requests may be sent to a host that is not this machine.
 * @param most number of requests, at most
 * @returns whether they may
 * @throws SettingError when there is no terminal to ask on
 */
async function confirmed({ url, limits }: Inputs, yes: boolean, most: number): Promise<boolean> {
  if (yes || isOnThisMachine(url)) return true;
  const what = `calibrate sends at most ${counted(most, "request")} to ${url.host}, ${limits.rate} a second`;
  if (process.stdin.isTTY !== true)
    throw new SettingError(`${what}. Give --yes to permit it, or --dry-run to see them.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input and Ctrl+C count as no.
  prompt.on("SIGINT", () => prompt.close());
  const closed = new Promise<string>((resolve) => prompt.once("close", () => resolve("")));
  const answer = await Promise.race([prompt.question(`${what}. Type yes to go on: `), closed]);
  prompt.close();
  if (answer.trim() === "yes") return true;
  process.stderr.write("Nothing was sent.\n");
  return false;
}

function isOnThisMachine(url: URL): boolean {
  const { host } = placeOf(url);
  return host === "localhost" || isLoopback(host);
}
