import type { CheckResult } from "../../../src/exam/report.js";
import { draw, type Run, runClient, withoutFaults } from "./crowd.js";
import { judge } from "./judged.js";
import { Worker } from "./worker.js";
import { unadvised } from "./wrong-advice.js";
import { type WrongClient, wrongWorker } from "./wrong-client.js";
import { wrongOnce } from "./wrong-once.js";
import { wrongRequests } from "./wrong-requests.js";
import { wrongRetries } from "./wrong-retries.js";
import { wrongTokens } from "./wrong-tokens.js";
import { wrongWalks } from "./wrong-walks.js";

export const wrongClients = [
  ...wrongRequests,
  ...wrongTokens,
  ...wrongRetries,
  ...wrongWalks,
  ...wrongOnce,
  ...unadvised,
];

/** What became of a wrong client with a seed; undefined if nothing wrong happened that can be proven. */
export function caught(
  wrong: WrongClient,
  seed: number,
): { readonly run: Run; readonly results: readonly CheckResult[] } | undefined {
  const drawn = wrong.meets?.(draw(seed)) ?? draw(seed);
  const reference = runClient(withoutFaults(drawn));
  const usual = (request: string) =>
    reference.observed.filter(
      (each) => "exchange" in each && `${each.exchange.method} ${each.exchange.target}` === request,
    ).length;
  const facts = { usual, total: reference.observed.length, steps: 0 };
  const Wrong = wrong.worker(facts);
  const run = runClient(drawn, (worker) => (worker === wrongWorker(drawn) ? Wrong : Worker));
  if (facts.steps < (wrong.enough?.(facts, drawn) ?? 1)) return undefined;
  if (wrong.isFinished === true && !run.isFinished) return undefined;
  if (wrong.isShown?.(run) === false) return undefined;
  return { run, results: judge({ reference: () => reference, run }) };
}
