import { Examiner } from "../../../src/exam/examiner.js";
import type { CheckResult } from "../../../src/exam/report.js";
import { type Drawn, type Run, runClient, withoutFaults } from "./crowd.js";

/** The results of all checks for a client, after the same client without faults. */
export function judge(_drawn: Drawn, { observed, isFinished }: Run): readonly CheckResult[] {
  const examiner = new Examiner();
  for (const each of observed) {
    if ("exchange" in each) examiner.exchange(each.exchange);
    else examiner.handshake(each.handshake);
  }
  return examiner.results(undefined, isFinished);
}

void runClient;
void withoutFaults;
