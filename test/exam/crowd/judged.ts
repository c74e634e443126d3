import { Examiner } from "../../../src/exam/examiner.js";
import type { CheckResult } from "../../../src/exam/report.js";
import type { Run } from "./crowd.js";

/** A client as the judges see it: the same client without faults, and then with them. */
export interface Runs {
  readonly reference: () => Run;
  readonly run: Run;
}

/** The results of all checks for a client. */
export function judge({ reference, run }: Runs): readonly CheckResult[] {
  const plain = reference();
  // One that fails without a fault does not show how many calls it has.
  const judging = { reference: plain.isFinished ? examined(plain).reference() : undefined, isExam: true };
  return examined(run, judging).results(undefined, run.isFinished ? "ended-with-0" : undefined);
}

function examined({ observed }: Run, judging: Examiner["judging"] = {}): Examiner {
  const examiner = new Examiner();
  examiner.judging = judging;
  for (const each of observed) {
    if ("exchange" in each) examiner.exchange(each.exchange);
    else examiner.handshake(each.handshake);
  }
  return examiner;
}

/** The failed checks of a level, each with its first message and its exchanges. */
export function failures(results: readonly CheckResult[], level: "must" | "should"): ReadonlyMap<string, string> {
  const failed = results.filter((result) => result.verdict === "fail" && result.level === level);
  return new Map(failed.map(({ id, message, exchanges }) => [id, `${message} (${exchanges.join(", ")})`]));
}
