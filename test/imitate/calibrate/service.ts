import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseYaml } from "../../../src/base/yaml/document.js";
import { editYaml } from "../../../src/base/yaml/edit.js";
import { prove } from "../../../src/cli/calibrate/prove.js";
import { HttpsTransport, type Service } from "../../../src/cli/calibrate/transport.js";
import { editsOf, type Findings, findingsOf } from "../../../src/imitate/calibrate/findings.js";
import { planOf } from "../../../src/imitate/calibrate/plan.js";
import type { ComparedAnswer } from "../../../src/imitate/calibrate/replay.js";
import { type Run, type RunnerClock, runPlan } from "../../../src/imitate/calibrate/runner.js";
import { type CalibrationOptions, SeenAnswers } from "../../../src/imitate/calibrate/seen-answers.js";
import { comparisonText } from "../../../src/imitate/calibrate/table.js";
import { listTargets } from "../../../src/imitate/calibrate/targets.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import { afterTest } from "../../support/cleanups.js";

/** The result of calibrate. */
export interface Calibrated {
  readonly run: Run;
  readonly findings: Findings;
  /** The text of `sandbox.yaml`. */
  readonly yaml: string;
  /** The answers of a sandbox with it, compared with those of the service. */
  readonly compared: () => Promise<Comparison>;
}

interface Comparison {
  /** `41 of 47` */
  readonly score: string;
  /** What the command prints. */
  readonly text: string;
  /** Each difference on one line. */
  readonly differences: readonly string[];
  readonly all: readonly ComparedAnswer[];
}

async function compared(known: SeenAnswers, yaml: string): Promise<Comparison> {
  const all = await prove(known, "sandbox.yaml", (await parseYaml(yaml, "sandbox.yaml")).value);
  const differences = all.flatMap(({ observation, differences }) =>
    differences.map(({ what, service, sandbox }) => `${observation.step.says}: ${what}: ${service} | ${sandbox}`),
  );
  const text = comparisonText(all, true);
  return { score: /^\d+ of \d+/.exec(text)?.[0] ?? "", text, differences, all };
}

/** A clock that does not wait. */
export function fastClock(): RunnerClock {
  let now = Date.parse("2026-11-01T12:00:00Z");
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** Calibrates against a listening service like the command, but without waiting. */
export async function calibrated(
  service: Service,
  clientId: string,
  options: Partial<CalibrationOptions> & { readonly paths?: readonly string[]; readonly clock?: RunnerClock } = {},
): Promise<Calibrated> {
  const { paths = [], clock = fastClock(), ...rest } = options;
  const all: CalibrationOptions = {
    clientId,
    scope: "read",
    lists: listTargets(paths),
    other: service.other !== undefined,
    newId: randomUUID,
    ...rest,
  };
  const transport = new HttpsTransport(service);
  afterTest(() => transport.close());
  const run = await runPlan(planOf(all), all, { rate: 2, maxRequests: 400 }, { transport, clock });
  const known = new SeenAnswers(all, run.seen);
  const findings = findingsOf(known, emptyFile, service.url.pathname.replace(/\/$/, ""));
  const yaml = await editYaml("", "sandbox.yaml", editsOf(findings, emptyFile));
  return { run, findings, yaml, compared: () => compared(known, yaml) };
}

/** A file with a text, removed after the test. */
export function temporaryFile(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "calibrate-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
