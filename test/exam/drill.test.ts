import { describe, expect, it } from "vitest";
import { Baseline } from "../../src/exam/baseline.js";
import { type CheckId, checkFacts } from "../../src/exam/checks.js";
import { type DrillExpectation, type DrillRun, judgeDrill } from "../../src/exam/drill.js";
import { type CheckResult, type FailOn, reportOf } from "../../src/exam/report.js";
import { missingText } from "../../src/exam/sheet.js";

function check(id: CheckId, verdict: CheckResult["verdict"]): CheckResult {
  const { level, source, fix } = checkFacts(id);
  return { id, level, source, fix, verdict, message: `${id} ${verdict}.`, exchanges: [], handshakes: [] };
}

type Given = Partial<Omit<DrillRun, "expected" | "requests">> & {
  readonly expected?: Partial<DrillExpectation>;
  readonly requests?: Readonly<Record<string, number>>;
};

function runOf({ expected, requests = {}, ...given }: Given): DrillRun {
  return {
    name: "maintenance",
    expected: { outcome: "any", checks: [], exercises: [], needs: [], requests: {}, ...expected },
    advice: "A correct client waits.",
    exitStatus: 0,
    timedOut: undefined,
    acted: true,
    reached: "nothing",
    refusedBy: undefined,
    met: new Set(),
    requests: new Map(Object.entries(requests)),
    checks: [check("token.form", "pass")],
    ...given,
  };
}

const judged = (given: Given, failOn: FailOn = "must", baseline?: Baseline) =>
  judgeDrill(runOf(given), failOn, baseline);

const baselineOf = (subject: string) =>
  new Baseline([{ drill: "maintenance", check: subject, reason: "ticket 7", place: "b.yaml:2:5" }]);

describe("the exit status", () => {
  it.each([
    ["succeeds", 0, "pass"],
    ["succeeds", 1, "fail"],
    ["fails", 1, "pass"],
    ["fails", 139, "pass"],
    ["fails", 0, "fail"],
    ["any", 0, "pass"],
    ["any", 3, "fail"],
  ] as const)("if the outcome %s is expected, after status %d: %s", (outcome, exitStatus, verdict) => {
    const drill = judged({ expected: { outcome }, exitStatus });
    expect(drill.verdict).toBe(verdict);
    expect(drill.outcome).toEqual({ expected: outcome, exitStatus, verdict });
    expect(drill.problems?.map(({ about }) => about)).toEqual(verdict === "fail" ? ["outcome"] : undefined);
  });

  it.each([
    ["succeeds", "change", "fail"],
    ["succeeds", "failure", "pass"],
    ["any", "change", "pass"],
    ["any", "failure", "pass"],
  ] as const)("that is not 0, if %s is expected, and a %s was delivered: %s", (outcome, reached, verdict) => {
    expect(judged({ expected: { outcome }, exitStatus: 1, reached })).toMatchObject({ verdict, outcome: { verdict } });
  });

  it("is reported with what a correct client does", () => {
    const [problem] = judged({ expected: { outcome: "succeeds" }, exitStatus: 2 }).problems ?? [];
    expect(problem).toEqual({
      about: "outcome",
      message: "The command ended with exit status 2; that of a correct client succeeds.",
      fix: "A correct client waits.",
    });
  });

  it.each(["succeeds", "fails", "any"] as const)("of a command that timed out is wrong, also for %s", (outcome) => {
    const drill = judged({
      expected: { outcome },
      exitStatus: 143,
      timedOut: { after: "5s", words: "5 s", hasWaited: false },
      acted: false,
    });
    expect(drill).toMatchObject({ verdict: "fail", outcome: { verdict: "fail" } });
    expect(drill.problems).toMatchObject([
      { message: "The command was still running after 5s. It was ended, which counts as failed." },
    ]);
  });
});

describe("a command that was ended while it waited", () => {
  const timedOut = { after: "60s", words: "60 s", hasWaited: true };

  it.each(["succeeds", "fails", "any"] as const)("is not judged, if %s is expected", (outcome) => {
    const checks = [
      check("token.form", "pass"),
      check("token.refused", "not-exercised"),
      check("token.reused", "fail"),
    ];
    const expected = { outcome, checks: ["token.refused"], requests: { list: { min: 1 } } } as const;
    const drill = judged({ expected, checks, exitStatus: 143, timedOut });
    expect(drill).toMatchObject({ verdict: "not-exercised", outcome: { verdict: "not-exercised" } });
    expect([drill.problems, drill.needsMoreThan]).toEqual([undefined, "60 s"]);
    expect(missingText(drill)).toMatch(/^The command needs more than 60 s: /);
  });

  it("is judged if it has broken a rule for certain", () => {
    const { verdict, problems } = judged({ checks: [check("retry.bounded", "fail")], exitStatus: 143, timedOut });
    expect([verdict, problems?.map(({ about }) => about)]).toEqual(["fail", ["outcome"]]);
  });
});

describe("the number of requests", () => {
  const expected = { requests: { token: { max: 2 }, list: { min: 1 } } };

  it.each([
    [{ token: 2, list: 1 }, undefined],
    [{ list: 9 }, undefined],
    [{ token: 3, list: 1 }, ["3 requests of the operation token arrived; a correct client sends at most 2."]],
    [{ token: 1 }, ["0 requests of the operation list arrived; a correct client sends at least 1."]],
  ])("%j", (requests, messages) => {
    const drill = judged({ expected, requests });
    expect(drill.problems?.map(({ message }) => message)).toEqual(messages);
    expect(drill.verdict).toBe(messages === undefined ? "pass" : "fail");
    // The command ended as expected.
    expect(drill.outcome.verdict).toBe("pass");
  });
});

describe("a check that the scenario names", () => {
  const expected = { checks: ["token.refused"] } as const;

  it.each([
    ["pass", "pass", undefined],
    ["not-exercised", "not-exercised", undefined],
    // The check itself gives the reason.
    ["fail", "fail", undefined],
  ] as const)("that is %s: %s", (verdict, ofDrill, about) => {
    const drill = judged({ expected, checks: [check("token.refused", verdict)] });
    expect(drill.verdict).toBe(ofDrill);
    expect(drill.problems?.map((problem) => problem.about)).toEqual(about);
  });

  it.each([
    ["succeeds", 0, "nothing", "not-exercised"],
    // It reports an error that it did not get.
    ["succeeds", 1, "nothing", "fail"],
    ["any", 1, "change", "not-exercised"],
    // It did not meet the error that it should report.
    ["fails", 0, "nothing", "not-exercised"],
    ["fails", 1, "nothing", "not-exercised"],
  ] as const)(
    "that the fault never reached fails nothing: %s, exit status %d, %s delivered: %s",
    (outcome, exitStatus, reached, verdict) => {
      const requests = { token: 3 };
      const drill = judged({
        expected: { ...expected, outcome, requests: { token: { max: 2 } } },
        checks: [check("token.refused", "not-exercised")],
        ...{ exitStatus, reached, requests },
      });
      expect(drill).toMatchObject({ verdict, notReached: ["token.refused"] });
      expect(drill.problems?.map(({ about }) => about)).toEqual(verdict === "fail" ? ["outcome"] : undefined);
    },
  );

  it("fails the drill at any level", () => {
    const checks = [check("token.reused", "fail")];
    expect(judged({ checks }).verdict).toBe("pass");
    const drill = judged({ checks, expected: { checks: ["token.reused"] } });
    expect(drill).toMatchObject({ verdict: "fail", problems: [{ about: "token.reused" }] });
  });

  it("does not count for a client that stopped with an error when something failed", () => {
    const checks = [check("token.refused", "not-exercised")];
    expect(judged({ expected, checks, exitStatus: 1, reached: "failure" })).toMatchObject({ verdict: "pass" });
  });

  it("does not count if it is ignored", () => {
    expect(judged({ expected, checks: [check("token.form", "pass")] }).verdict).toBe("pass");
  });
});

describe("a check behind a retry that the scenario names", () => {
  const expected = { checks: ["retry.bounded", "retry.recovers"] } as const;
  const of = (
    recovers: CheckResult["verdict"],
    exitStatus: number,
    bounded: CheckResult["verdict"] = "not-exercised",
  ) =>
    judged({
      expected,
      exitStatus,
      reached: "failure",
      checks: [check("retry.bounded", bounded), check("retry.recovers", recovers)],
    });

  it("is not required of a client that gives up in order, where that is correct too", () => {
    expect(of("fail", 1)).toMatchObject({ verdict: "pass", outcome: { verdict: "pass" } });
    const must = judged({
      expected: { ...expected, outcome: "succeeds" },
      checks: [check("retry.bounded", "not-exercised"), check("retry.recovers", "fail")],
      ...{ exitStatus: 1, reached: "failure" },
    });
    expect(must.verdict).toBe("fail");
  });

  it("is required of one that says that it succeeded, and did not send again what failed", () => {
    const { verdict, problems } = of("fail", 0, "pass");
    expect(verdict).toBe("fail");
    expect(problems?.map(({ about }) => about)).toEqual(["retry.recovers"]);
  });

  it("is not required where the judges cannot decide whether anything was sent again", () => {
    expect(of("not-exercised", 0).verdict).toBe("pass");
    expect(of("pass", 0).verdict).toBe("pass");
  });
});

describe("a drill whose point can be missed", () => {
  const expected = { outcome: "succeeds", exercises: ["token.expired", "retry.after"] } as const;

  it.each([
    ["not-exercised", "not-exercised", "not-exercised"],
    ["pass", "not-exercised", "pass"],
    ["not-exercised", "fail", "fail"],
  ] as const)("whose checks are %s and %s: %s", (expired, after, verdict) => {
    const checks = [check("token.expired", expired), check("retry.after", after)];
    expect(judged({ expected, checks }).verdict).toBe(verdict);
  });

  it("is judged if those checks are ignored", () => {
    expect(judged({ expected }).verdict).toBe("pass");
  });
});

describe("any other check", () => {
  it.each([
    ["token.form", "must", "fail"],
    ["token.reused", "must", "pass"],
    ["token.reused", "should", "fail"],
  ] as const)("%s that fails, at %s: %s", (id, failOn, verdict) => {
    expect(judged({ checks: [check(id, "fail")] }, failOn).verdict).toBe(verdict);
  });
});

describe("a drill whose fault never acted", () => {
  it("is not exercised, for any outcome and counts", () => {
    const expected = { outcome: "succeeds", checks: ["retry.after"], requests: { list: { min: 1 } } } as const;
    const drill = judged({ acted: false, exitStatus: 1, expected, checks: [check("retry.after", "not-exercised")] });
    expect(drill).toMatchObject({ verdict: "not-exercised", outcome: { verdict: "not-exercised" } });
    expect(drill.problems).toBeUndefined();
  });

  it("still fails if a check failed", () => {
    expect(judged({ acted: false, checks: [check("token.form", "fail")] }).verdict).toBe("fail");
  });
});

describe("a known failure of the baseline", () => {
  it.each([
    ["retry.after", { checks: [check("retry.after", "fail")] }],
    ["outcome", { expected: { outcome: "succeeds" }, exitStatus: 1 }],
    ["outcome", { timedOut: { after: "5s", words: "5 s", hasWaited: false }, exitStatus: 143 }],
    ["requests", { expected: { requests: { list: { min: 1 } } } }],
  ] as const)("%s: the drill passes, and the failure is marked as known", (subject, given) => {
    expect(judged(given).verdict).toBe("fail");
    const drill = judged(given, "must", baselineOf(subject));
    expect(drill.verdict).toBe("pass");
    expect([...drill.checks, ...(drill.problems ?? [])].map(({ known }) => known)).toContain("ticket 7");
    expect(baselineOf(subject).review([drill])).toEqual({ stale: [], undecided: [] });
  });

  it("does not hide another one", () => {
    const checks = [check("retry.after", "fail"), check("token.form", "fail")];
    expect(judged({ checks }, "must", baselineOf("retry.after")).verdict).toBe("fail");
  });

  it("counts as known in the summary", () => {
    const checks = [check("retry.after", "fail"), check("token.reused", "fail"), check("token.form", "pass")];
    const { summary } = reportOf([judged({ checks }, "must", baselineOf("retry.after"))]);
    expect(summary).toEqual({ pass: 1, fail: 0, warn: 1, notExercised: 0, known: 1 });
  });
});

describe("an entry of the baseline", () => {
  it.each([
    ["retry.after", { checks: [check("retry.after", "pass")] }, "stale"],
    ["retry.after", { checks: [check("retry.after", "not-exercised")] }, "undecided"],
    ["outcome", {}, "stale"],
    ["outcome", { acted: false }, "undecided"],
    ["requests", {}, "stale"],
    // Ignored: this exam does not contain the check.
    ["retry.after", { checks: [] }, "neither"],
  ] as const)("for %s, %j, is %s", (subject, given, state) => {
    const baseline = baselineOf(subject);
    const { stale, undecided } = baseline.review([judged(given, "must", baseline)]);
    const found = stale.length > 0 ? "stale" : undecided.length > 0 ? "undecided" : "neither";
    expect(found).toBe(state);
  });

  it("for another drill is not reviewed", () => {
    expect(baselineOf("outcome").review([])).toEqual({ stale: [], undecided: [] });
  });
});

describe("a drill that is not exercised", () => {
  const expected = { needs: ["second-page", "parallel"], checks: ["token.refused"] } as const;

  it.each([
    [[], ["second-page", "parallel"]],
    [["second-page"], ["parallel"]],
    [["second-page", "parallel"], []],
  ] as const)("with %j sent, says that %j is missing", (met, missing) => {
    expect(judged({ expected, acted: false, met: new Set(met) })).toMatchObject({ verdict: "not-exercised", missing });
  });

  it("says so for a check that its fault never reached, and nothing if it was exercised", () => {
    const met = new Set(["parallel"] as const);
    const idle = judged({ expected, met, checks: [check("token.refused", "not-exercised")] });
    expect(idle).toMatchObject({ verdict: "not-exercised", missing: ["second-page"], notReached: ["token.refused"] });
    expect(judged({ expected, met, checks: [check("token.refused", "pass")] }).missing).toBeUndefined();
  });
});
