import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import { wrapWords } from "../../base/text/wrap.js";
import { type BaselineReview, staleText } from "../../exam/baseline.js";
import { type DrillProblem, type Report, reportOf } from "../../exam/report.js";
import { missingText } from "../../exam/sheet.js";
import { named } from "../../report/sheet.js";
import { plainName } from "./drills.js";
import type { DrillResult } from "./run-drill.js";

/** Widest line, in characters. */
const columns = 80;

/** Most drills that are named in a sentence. */
const mostNamed = 6;

/** How an exam ended, in addition to the report on its drills. */
export interface Conclusion {
  readonly results: readonly DrillResult[];
  readonly review: BaselineReview;
  /** How many drills were planned. */
  readonly planned: number;
  readonly interrupted: NodeJS.Signals | undefined;
  /** The command that starts a sandbox like those of the drills, without their scenario. */
  readonly start: readonly string[];
}

/** 0, or 1 if the exam is failed. An interrupted exam has the status of its signal, which is not decided here. */
export function exitStatusOf(conclusion: Conclusion): 0 | 1 {
  return failuresOf(conclusion).length > 0 ? 1 : 0;
}

/** Whether no request of the command arrived: in `plain`, which has no fault, or in any drill if that was not run. */
export function neverReached(results: readonly DrillResult[]): boolean {
  const plain = results.find(({ drill }) => drill.name === plainName);
  return plain === undefined ? results.every(({ reached }) => !reached) : !plain.reached;
}

/** What is wrong with a command that never reached the sandbox. Its connections may have ended in the handshake. */
function unreached(results: readonly DrillResult[], diversion: string): DrillProblem {
  const explanation = results.map((result) => result.failedHandshake).find((each) => each !== undefined);
  return {
    about: "outcome",
    message: `The command never reached the sandbox${explanation === undefined ? "" : " with a request"}, so it has passed nothing.${explanation === undefined ? "" : ` ${explanation}`}`,
    fix: `It must take the address from the variable SANDBOX_URL, and the files of its certificate from SANDBOX_CA_FILE, SANDBOX_CERT_FILE and SANDBOX_KEY_FILE, or SANDBOX_P12_FILE.${explanation === undefined ? diversion : ""}`,
  };
}

/**
 * The report of an exam. If the command never reached a sandbox, each of its drills failed for this reason.
 * @param diversion what is told if nothing connected: sentences after others
 */
export function examReport(results: readonly DrillResult[], diversion: string): Report {
  const reports = results.map(({ report }) => report);
  if (!neverReached(results)) return reportOf(reports);
  const problem = unreached(results, diversion);
  return reportOf(
    reports.map((report) => ({ ...report, verdict: "fail", problems: [problem, ...(report.problems ?? [])] })),
  );
}

/** The text below the report: warnings, and why the exam is failed, if it is. */
export function conclusionText(conclusion: Conclusion): string {
  const parts = [
    ...warnings(conclusion).map((text) => wrapped(`WARNING ${text}`)),
    ...(neverReached(conclusion.results) ? [] : [dashboardText(conclusion)]),
    lastLines(conclusion),
  ];
  return `\n${parts.join("\n\n")}\n`;
}

/** Why an exam is failed, as sentences. */
function failuresOf({ results, review }: Conclusion): readonly string[] {
  if (neverReached(results)) return ["The command never reached the sandbox."];
  const failed = results.filter(({ report }) => report.verdict === "fail").map(nameOf);
  const idle = results.filter(isIdle);
  const wanted = idle.filter(({ drill }) => drill.named);
  return [
    ...(failed.length > 0 ? [`${counted(failed.length, "drill")} failed: ${named(failed, mostNamed)}.`] : []),
    ...idleTexts(wanted).map((text) => `Named with --drill and not exercised: ${text}`),
    ...(idle.length === results.length && wanted.length === 0 ? ["No drill was exercised."] : []),
    ...review.stale.map(staleText),
  ];
}

function warnings({ results, review }: Conclusion): readonly string[] {
  if (neverReached(results)) return [];
  return [
    ...new Set(results.flatMap(({ testProblems }) => testProblems)),
    ...review.undecided.map(
      ({ drill, check, place }) =>
        `${place}: ${check} was not exercised in ${drill}, so it is not known whether it still fails.`,
    ),
  ];
}

function lastLines(conclusion: Conclusion): string {
  const { results, planned, interrupted } = conclusion;
  if (interrupted !== undefined)
    return wrapped(
      `payments-sandbox: Interrupted by ${interrupted}: ${results.length} of ${counted(planned, "drill")} completed.`,
    );
  const failures = failuresOf(conclusion);
  return wrapped(
    `payments-sandbox: The exam is ${failures.length > 0 ? "failed" : "passed"}. ${failures.join(" ")}`.trimEnd(),
  );
}

/** How to see a drill as it happens: the first one that failed, or the first one. */
function dashboardText({ results, start }: Conclusion): string {
  const shown = results.find(({ report }) => report.verdict === "fail") ?? results[0];
  const scenario = shown?.drill.scenario;
  return [
    "To see a drill in the dashboard (http://localhost:8090), start this, and run the",
    "command with the variables of certs/clients/demo/client.env:",
    `    ${printable([...start, ...(scenario === undefined ? [] : ["--scenario", scenario])].join(" "))}`,
  ].join("\n");
}

/** Drills that were not exercised for the same reason, and the reason. */
function idleTexts(results: readonly DrillResult[]): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const result of results) {
    const reason = missingText(result.report);
    reasons.set(reason, [...(reasons.get(reason) ?? []), nameOf(result)]);
  }
  return [...reasons].map(([reason, names]) => `${named(names, mostNamed)}. ${reason}`);
}

function isIdle({ report }: DrillResult): boolean {
  return report.verdict === "not-exercised";
}

function nameOf({ drill }: DrillResult): string {
  return drill.name;
}

function wrapped(text: string): string {
  return wrapWords(text.split(" "), columns).join("\n");
}
