import { describe, expect, it } from "vitest";
import type { CheckResult } from "../../src/exam/report.js";
import { type CellFacts, verdictOf } from "../../src/explore/verdict.js";

const walk = "GET /v1/payouts []";
const ping = "GET /v1/ping []";
const whole = new Map([
  [ping, 2],
  [walk, 1],
]);
const withoutWalk = new Map([[ping, 2]]);

const failed = (id: string, level: CheckResult["level"] = "must") =>
  ({ id, level, verdict: "fail", message: `${id} is broken.` }) as CheckResult;

/** Everything went well, unless something else is given. */
function verdict(given: Partial<CellFacts> = {}) {
  const facts: CellFacts = {
    acted: true,
    key: walk,
    point: { operation: "list", list: "payouts" },
    passes: true,
    needsSheet: false,
    crash: undefined,
    endedFor: undefined,
    exitStatus: 0,
    deliveries: whole,
    references: [whole, whole],
    checks: [],
    usualFailures: new Set(),
    reported: new Set(),
    hasSheet: false,
    ...given,
  };
  return verdictOf(facts);
}

describe("the verdict", () => {
  it.each<[string, string, Partial<CellFacts>]>([
    ["recovered", "all arrived", {}],
    ["recovered", "more arrived", { deliveries: new Map([...whole, [walk, 2]]) }],
    ["not-reached", "it was ended before the fault acted", { acted: false, endedFor: "hung", exitStatus: 143 }],
    ["not-reached", "the fault never acted", { acted: false, exitStatus: 1, crash: "the signal SIGSEGV" }],
    ["crashed", "a signal ended it", { crash: "the signal SIGSEGV", exitStatus: 139 }],
    ["hung", "it was ended", { endedFor: "hung", exitStatus: 143 }],
    ["not-judged", "it was busy too long", { endedFor: "busy", exitStatus: 143 }],
    ["misbehaved", "it was busy too long, and broke a rule", { endedFor: "busy", checks: [failed("retry.paced")] }],
    ["wrong", "a walk is missing", { deliveries: withoutWalk }],
    ["wrong", "one of two walks is missing", { references: [new Map([...whole, [walk, 2]])] }],
    ["wrong", "the sheet disagrees", { checks: [failed("answers.rows")] }],
    ["wrong", "a walk is missing, and a rule is broken", { deliveries: withoutWalk, checks: [failed("retry.paced")] }],
    ["misbehaved", "a rule is broken", { checks: [failed("retry.paced")] }],
    ["misbehaved", "a rule is broken, and it failed", { exitStatus: 1, checks: [failed("retry.paced")] }],
    ["recovered", "a recommendation is ignored", { checks: [failed("retry.jitter", "should")] }],
    [
      "recovered",
      "the rule is broken always",
      { checks: [failed("retry.paced")], usualFailures: new Set(["retry.paced"]) },
    ],
    ["failed-after-recovery", "all arrived, and it failed", { exitStatus: 1 }],
    ["gave-up", "it failed under a fault that passes", { exitStatus: 1, deliveries: withoutWalk }],
    ["failed-clearly", "it failed under one that stays", { exitStatus: 1, deliveries: withoutWalk, passes: false }],
    ["gave-up", "the sheet has the error", { deliveries: withoutWalk, reported: new Set(["payouts"]) }],
    ["failed-clearly", "the same", { deliveries: withoutWalk, reported: new Set(["list"]), passes: false }],
    ["wrong", "the sheet has another error", { deliveries: withoutWalk, reported: new Set(["ping"]) }],
    ["delivered", "only a sheet would tell more", { needsSheet: true }],
    ["recovered", "the sheet tells more", { needsSheet: true, hasSheet: true }],
    ["not-judged", "something else is missing", { deliveries: new Map([[walk, 1]]) }],
    [
      "recovered",
      "the references differ: the smaller number counts",
      { references: [new Map([...whole, [ping, 3]]), whole] },
    ],
  ])("%s: %s", (expected, _what, given) => {
    expect(verdict(given).verdict).toBe(expected);
  });

  it("says what a client has to change, unless nothing is to be changed", () => {
    for (const given of [{}, { acted: false }, { endedFor: "busy" as const }]) expect(verdict(given).fix).toBe("");
    const findings = [{ crash: "x" }, { endedFor: "hung" as const }, { deliveries: withoutWalk }, { exitStatus: 1 }];
    for (const given of findings) expect(verdict(given).fix).toMatch(/\.$/);
  });

  it("names what is missing, and the checks that failed", () => {
    expect(verdict({ deliveries: withoutWalk }).message).toBe(
      "The command ended with 0 although 1 walk of payouts never came to its end.",
    );
    const lost = { key: ping, point: { operation: "ping" }, deliveries: new Map([[walk, 1]]) };
    expect(verdict(lost).message).toBe("The command ended with 0 although 2 answers to ping never arrived whole.");
    const { checks, message } = verdict({ checks: [failed("retry.paced"), failed("token.refused")] });
    expect(checks).toEqual(["retry.paced", "token.refused"]);
    expect(message).toBe("retry.paced is broken. (also token.refused)");
  });

  it("does not blame the client for what the references lack", () => {
    expect(verdict({ deliveries: withoutWalk, references: [whole, withoutWalk] }).verdict).toBe("recovered");
  });
});
