import { describe, expect, it } from "vitest";
import { page, ping, refusedPage, refusedPing, type Step, token, wait } from "../../src/exam/conversation.js";
import { type AdvisedStep, adviceFor } from "../../src/explore/advice.js";
import { exploreFaults } from "../../src/explore/faults.js";
import { type Verdict, verdicts } from "../../src/explore/report.js";
import { failures } from "../exam/play.js";

/** Every pair of a fault and a verdict, at a list, a ping and a token. */
const pairs = exploreFaults.flatMap((fault) =>
  verdicts.flatMap((verdict) =>
    ["list", "ping", "token"].map((operation) => ({
      fault,
      verdict,
      operation,
      advice: adviceFor(fault.failure, verdict, { operation, hasRows: operation === "list" }),
    })),
  ),
);

const broken = { ending: "broken" } as const;
const limited = { status: 503, retryAfter: { wait: 1000, grace: 50 } } as const;

/** A failure as a judge sees it; undefined where nothing failed. */
const failed: Readonly<Record<string, Step | undefined>> = {
  broken: ping(broken),
  held: ping({ ...broken, endedByClient: true }),
  passing: ping({ status: 500 }),
  waits: ping(limited),
  html: ping({ status: 502 }),
  stream: ping({ http2Fault: "refused", ending: "broken", stream: 1 }),
  goaway: ping({ http2Fault: "goaway-before", ending: "broken", stream: 3 }),
  refused: ping({ status: 403, code: "FORBIDDEN" }),
  unauthorized: refusedPing(),
  expiry: refusedPing(),
  cursor: refusedPage("2"),
};

/** What a client sends that follows an advice. */
const followed: Readonly<Record<AdvisedStep, (failure: Step) => readonly Step[]>> = {
  report: () => [],
  look: () => [],
  ignore: () => [ping()],
  repeat: (failure) => [wait(200), failure, wait(400), failure, wait(800), ping()],
  "wait and repeat": (failure) => [wait(1000), failure, wait(1000), ping()],
  "repeat on a new connection": () => [wait(200), ping({ connection: 2, stream: 1 })],
  "renew and repeat once": () => [token("second"), ping({ token: "second" })],
  "begin again": () => [page({ next: "5" }), page({ cursor: "5" })],
  "read on": () => [page({ next: "2" }), page({ cursor: "2", rows: 0, next: "3" }), page({ cursor: "3" })],
};

describe("an advice", () => {
  const asking: readonly Verdict[] = ["crashed", "hung", "wrong", "failed-after-recovery", "gave-up"];

  it("is given for each failure, where a verdict asks for a change that no check names", () => {
    for (const { fault, verdict, operation, advice } of pairs)
      expect(`${fault.name} ${verdict} ${operation}: ${advice?.text}`).toMatch(
        asking.includes(verdict) ? /: [A-Z].*\.$/ : /: undefined$/,
      );
  });

  it("asks for no step that a check punishes", () => {
    for (const { fault, verdict, advice } of pairs) {
      // Where a repetition does not help, giving up is right.
      if (advice === undefined || (verdict === "gave-up" && !fault.passes)) continue;
      const failure = failed[fault.failure] ?? ping();
      const begun = fault.failure === "cursor" ? [token(), page({ next: "2" })] : [token()];
      const conversation = { plain: [token(), ping()], steps: [...begun, failure, ...followed[advice.step](failure)] };
      // Stopping with an error is always allowed.
      const stops = advice.step === "report" || advice.step === "look";
      const allowed = stops ? ["should retry.recovers", "should h2.refused-retried", "should h2.goaway"] : [];
      const punished = failures(conversation).filter((failing) => !allowed.includes(failing));
      expect({ fault: fault.name, verdict, step: advice.step, punished }).toMatchObject({ punished: [] });
    }
  });

  it.each<[string, Verdict, RegExp]>([
    ["unauthorized", "gave-up", /request a fresh token, and send the request once more with it/],
    ["unauthorized-always", "wrong", /request a fresh token, and send the request once more with it/],
    ["early-expiry", "gave-up", /^Renew a token that has ended/],
    ["unknown-field", "gave-up", /^Ignore what you do not know/],
    ["duplicate-row", "wrong", /by their ids/],
    ["short-page", "wrong", /until there is no cursor/],
    ["empty-page", "wrong", /as long as a page has a cursor/],
    ["cursor-refused", "wrong", /from its first page, without a cursor/],
    ["error-503", "gave-up", /^Wait as long as Retry-After says/],
    ["hang", "hung", /time limit/],
    ["reset", "hung", /End each call/],
  ])("fits the failure: %s, %s", (name, verdict, text) => {
    const found = pairs.filter(({ fault, verdict: its }) => fault.name === name && its === verdict);
    for (const { advice } of found) expect(advice?.text).toMatch(text);
  });

  it("never asks to repeat what no repetition helps", () => {
    const repeating = pairs.filter(({ verdict, advice }) => verdict !== "gave-up" && advice?.step.includes("repeat"));
    for (const { fault } of repeating) expect(["unauthorized", "expiry"]).toContain(fault.failure);
  });
});
