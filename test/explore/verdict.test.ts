import { describe, expect, it } from "vitest";
import type { CheckResult } from "../../src/exam/report.js";
import type { Lost } from "../../src/explore/lost.js";
import type { Repeated } from "../../src/explore/repeated.js";
import { type CellFacts, verdictOf } from "../../src/explore/verdict.js";

const failed = (id: string, level: CheckResult["level"] = "must") =>
  ({ id, level, verdict: "fail", message: `${id} is broken.` }) as CheckResult;

const once: Repeated = {
  isRepeated: false,
  isUnknown: false,
  burst: undefined,
  tooSoon: undefined,
  isRestarted: false,
};
const again: Repeated = { ...once, isRepeated: true };

/** Something lost: of the walk, unless another operation is given. */
const lost = (what: Lost["what"], operation = "list", count = 1): Lost => ({
  key: `${what} ${operation}`,
  what,
  operation,
  list: operation === "list" ? "payouts" : undefined,
  count,
});
const less = (...all: Lost[]) => ({ lost: all, isUnclear: false });
const walk = less(lost("walk"), lost("page"));
const unclear = { lost: [], isUnclear: true };
/** A check of the level `must` that is likely to have failed, and not proven. */
const likely = [failed("retry.bounded", "should")];
const stays = { failure: "passing", passes: false, always: true } as const;
const passing = { passes: true, always: false } as const;

/** Everything went well, unless something else is given. */
function verdict(given: Partial<CellFacts> = {}) {
  const facts: CellFacts = {
    acted: true,
    fault: { failure: "broken", passes: true, always: false },
    point: { operation: "list", list: "payouts" },
    arrived: false,
    crash: undefined,
    endedFor: undefined,
    exitStatus: 0,
    compared: less(),
    repeated: once,
    stayedBroken: false,
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
    ["not-reached", "it was ended before the fault acted", { acted: false, endedFor: "hung", exitStatus: 143 }],
    ["not-reached", "the fault never acted", { acted: false, exitStatus: 1, crash: "the signal SIGSEGV" }],
    ["crashed", "a signal ended it", { crash: "the signal SIGSEGV", exitStatus: 139 }],
    ["hung", "it was ended", { endedFor: "hung", exitStatus: 143 }],
    ["not-judged", "it was busy too long", { endedFor: "busy", exitStatus: 143 }],
    ["misbehaved", "it was busy too long, and broke a rule", { endedFor: "busy", checks: [failed("retry.after")] }],
    ["not-judged", "it was busy too long, and may have broken a rule", { endedFor: "busy", checks: likely }],
    [
      "misbehaved",
      "it repeated without an end, and is likely to break a rule",
      { endedFor: "endless", checks: likely },
    ],
    ["recovered", "it may have broken a rule, or its next test follows", { checks: likely }],
    ["recovered", "broken connections were replaced", { checks: [failed("tls.reuse", "should")] }],
    ["recovered", "nothing was sent again, and nothing is lost", { checks: [failed("retry.recovers", "should")] }],
    [
      "gave-up",
      "others were sent during a wait, by the next tests",
      { exitStatus: 1, checks: [failed("retry.others", "should")] },
    ],
    ["wrong", "a walk is missing", { compared: walk }],
    ["wrong", "the sheet disagrees", { checks: [failed("answers.rows")] }],
    ["wrong", "a walk is missing, and a rule is broken", { compared: walk, checks: [failed("retry.after")] }],
    ["misbehaved", "a rule is broken", { checks: [failed("retry.after")] }],
    ["misbehaved", "a rule is broken, and it failed", { exitStatus: 1, checks: [failed("retry.after")] }],
    ["misbehaved", "a recommendation is ignored", { checks: [failed("retry.others", "should")] }],
    ["misbehaved", "a burst of repetitions", { repeated: { ...again, burst: 6 } }],
    [
      "failed-clearly",
      "the repetitions of several tests",
      { exitStatus: 1, fault: stays, repeated: { ...again, burst: 6 } },
    ],
    ["misbehaved", "a token too soon", { point: { operation: "token" }, repeated: { ...again, tooSoon: 20 } }],
    ["recovered", "something else too soon: its check decides", { repeated: { ...again, tooSoon: 20 } }],
    [
      "failed-after-recovery",
      "a token too soon, perhaps of another test",
      { point: { operation: "token" }, repeated: { ...again, tooSoon: 20 }, exitStatus: 1 },
    ],
    [
      "recovered",
      "the rule is broken always",
      { checks: [failed("retry.after")], usualFailures: new Set(["retry.after"]) },
    ],
    ["failed-after-recovery", "all arrived in a repetition", { exitStatus: 1, repeated: again }],
    ["gave-up", "all arrived, in the request of another test", { exitStatus: 1 }],
    ["gave-up", "it tried again, and something is lost", { exitStatus: 1, repeated: again, compared: walk }],
    ["gave-up", "it failed under a fault that passes", { exitStatus: 1, compared: walk }],
    ["gave-up", "and was never sent again", { exitStatus: 1, checks: [failed("retry.recovers", "should")] }],
    ["failed-clearly", "it failed under one that stays", { exitStatus: 1, compared: walk, fault: stays }],
    ["failed-clearly", "whatever came later", { exitStatus: 1, repeated: again, fault: stays }],
    ["gave-up", "the sheet has the error", { compared: walk, reported: new Set(["payouts"]) }],
    ["failed-clearly", "the same", { compared: walk, reported: new Set(["list"]), fault: stays }],
    ["wrong", "the sheet has another error", { compared: walk, reported: new Set(["ping"]) }],
    [
      "gave-up",
      "the sheet has the errors of what was lost behind a token",
      { point: { operation: "token" }, compared: less(lost("answer", "ping")), reported: new Set(["ping"]) },
    ],
    ["delivered", "only a sheet would tell more", { fault: { failure: "double-row", ...passing } }],
    ["delivered", "a walk was restarted", { repeated: { ...again, isRestarted: true } }],
    ["recovered", "the sheet tells more", { repeated: { ...again, isRestarted: true }, hasSheet: true }],
    ["not-judged", "something cannot be counted", { compared: unclear }],
  ])("%s: %s", (expected, _what, given) => {
    expect(verdict(given).verdict).toBe(expected);
  });

  it.each<["must" | "should", string, Partial<CellFacts>]>([
    ["must", "a page is lost", { compared: less(lost("page")) }],
    [
      "must",
      "a page behind a token",
      { point: { operation: "token" }, compared: less(lost("answer", "token"), lost("page")) },
    ],
    ["should", "an answer is lost", { compared: less(lost("answer", "ping")) }],
    ["should", "a refusal is lost", { compared: less(lost("refusal")) }],
    ["must", "the sheet disagrees", { checks: [failed("answers.code")] }],
    ["should", "a recommendation is ignored", { checks: [failed("retry.others", "should")] }],
    ["must", "a rule is broken, too", { checks: [failed("retry.others", "should"), failed("retry.after")] }],
  ])("weighs as a %s: %s", (level, _what, given) => {
    expect(verdict(given).level).toBe(level);
  });

  it("says what a client has to change, unless nothing is to be changed", () => {
    for (const given of [{}, { acted: false }, { endedFor: "busy" as const }]) expect(verdict(given).fix).toBe("");
    const findings = [{ crash: "x" }, { endedFor: "hung" as const }, { compared: walk }, { exitStatus: 1 }];
    for (const given of findings) expect(verdict(given).fix).toMatch(/\.$/);
  });

  it("names what is missing, and the checks that failed", () => {
    expect(verdict({ compared: walk }).message).toBe(
      "The command ended with 0 although 1 walk of payouts never came to its end.",
    );
    const all = less(lost("answer", "ping", 2), lost("page"), lost("refusal"));
    expect(verdict({ point: { operation: "ping" }, compared: all }).message).toBe(
      "The command ended with 0 although 2 answers to ping never arrived whole, 1 page of payouts never arrived whole and 1 refusal by payouts never arrived whole.",
    );
    const { checks, message } = verdict({ checks: [failed("retry.after"), failed("token.refused")] });
    expect(checks).toEqual(["retry.after", "token.refused"]);
    expect(message).toBe("retry.after is broken. (also token.refused)");
  });

  it("says whether the request was sent again, or that nobody knows it, and then advises nothing", () => {
    expect(verdict({ exitStatus: 1 }).message).toContain("it did not send the request again");
    expect(verdict({ exitStatus: 1, repeated: again, compared: walk }).message).toContain("it sent the request again");
    const { message, fix } = verdict({ exitStatus: 1, repeated: { ...once, isUnknown: true }, compared: walk });
    expect(message).toContain("it is not known whether the request was sent again");
    expect(fix).toBe("");
    const ofToken = verdict({ exitStatus: 1, repeated: again, point: { operation: "token" } });
    expect(ofToken.message).toMatch(/A test that only asks for a token, and a next one .* look the same\.$/);
  });

  it("has one sentence for an answer that arrived, and was not accepted", () => {
    const newField = { failure: "new-field", ...passing } as const;
    const one = verdict({ exitStatus: 1, arrived: true, fault: newField });
    const other = verdict({ exitStatus: 1, arrived: true, fault: newField, compared: walk });
    expect(one).toEqual(other);
    expect(one).toMatchObject({ verdict: "gave-up", fix: expect.stringMatching(/^Ignore what you do not know/) });
  });

  it("says that the connection stayed broken", () => {
    for (const given of [{ exitStatus: 1 }, { compared: walk }, { exitStatus: 1, fault: stays }])
      expect(verdict({ ...given, stayedBroken: true }).message).toMatch(/the connection stayed broken\.$/);
  });
});
