import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examOfKind, failuresIn, idleIn } from "./kinds.js";

const inOrder = [
  "cursor-refused-once",
  "filters-changed-at-page-2",
  "unauthorized-once",
  "token-revoked",
  "token-for-other-certificate",
  "refresh-token-offered",
  "certificate-rotation-half-done",
];

describe("a client that reports the first failure", () => {
  // Over HTTP/2, and with all drills: exam-kinds.night.test.ts.
  it("passes the drills in which something fails", { tags: "slow" }, async () => {
    const exam = await examOfKind({ KIND: "fail-fast", HTTP: "1" }, ["--drill", ...inOrder, "token-expires-early"]);
    expect(failuresIn(exam)).toEqual([
      "token-expires-early: outcome: The command ended with exit status 1; that of a correct client succeeds.",
    ]);
    expect(exam.verdicts).toEqual([...inOrder.map((name) => `${name} pass`), "token-expires-early fail"]);
  });

  it("passes a scenario of the user, unless it requires more", { tags: "slow" }, async () => {
    const scenario = (expect: string) =>
      `description: Ours.\nexpect: ${expect}\nrules: [{ limit: 1, when: { operation: ping }, then: { error: SERVICE_UNAVAILABLE } }]\n`;
    const exam = await examOfKind({ KIND: "fail-fast" }, ["--scenarios", ".", "--drill", "ours", "strict"], {
      "ours.yaml": scenario("{ outcome: succeeds }"),
      "strict.yaml": scenario("{ outcome: succeeds, checks: [retry.recovers] }"),
    });
    expect(exam.verdicts).toEqual(["ours pass", "strict fail"]);
    for (const { checks } of exam.drills)
      expect(checks.filter(({ verdict }) => verdict === "fail").map(({ id }) => id)).toEqual(["retry.recovers"]);
  });
});

it("a client that reports an error before anything failed passes nothing", { tags: "slow" }, async () => {
  const drills = ["unknown-field", "goaway", ...inOrder];
  const exam = await examOfKind({ KIND: "inventive" }, ["--drill", "plain", ...drills]);
  expect(exam.verdicts.filter((text) => text.endsWith(" pass"))).toEqual([]);
  expect(exam.verdicts.slice(0, 2)).toEqual(["plain fail", "unknown-field fail"]);
});

it("a client that asks for a token once more meets no spoiled one, and fails nothing", { tags: "slow" }, async () => {
  const exam = await examOfKind({ KIND: "token", WHERE: "start" }, ["--drill", "plain", "token-for-other-certificate"]);
  expect([failuresIn(exam), idleIn(exam)]).toEqual([[], ["token-for-other-certificate"]]);
  expect(exam.drills[1]).toMatchObject({ missing: [], notReached: ["token.refused"] });
  expect(exam.text).toContain(
    "Named with --drill and not exercised: token-for-other-certificate. The fault never reached token.refused: ",
  );
});

describe("a command that is ended at --timeout", () => {
  const held = `description: Ours.
expect: { outcome: any }
rules: [{ limit: 1, when: { operation: ping }, then: { connection: hang } }]
`;

  it.each([
    ["waits for an answer", "held"],
    ["pauses between repetitions", "internal-error-always"],
  ])("is not judged while it %s", { tags: "slow" }, async (_how, drill) => {
    const flags = ["--scenarios", ".", "--drill", drill, "--timeout", "5s", "--fail-on", "should"];
    const exam = await examOfKind({ KIND: "patient" }, flags, { "held.yaml": held });
    expect([exam.verdicts, failuresIn(exam)]).toEqual([[`${drill} not-exercised`], []]);
    expect(exam.drills[0]?.checks.filter(({ verdict }) => verdict === "fail")).toEqual([]);
    expect(exam.text).toContain(`not exercised: ${drill}. The command needs more than 5 s: `);
  });

  it("fails if it hangs", { tags: "slow" }, async () => {
    const exam = await examOfKind({ KIND: "hanging" }, ["--drill", "unknown-field", "--timeout", "5s"]);
    expect(failuresIn(exam)).toEqual([
      "unknown-field: outcome: The command was still running after 5s. It was ended, which counts as failed.",
    ]);
  });
});

describe("a client whose correlation IDs are no UUIDs", () => {
  it("reads first which assumption refused it, and how that is changed", { tags: "slow" }, async () => {
    const exam = await examOfKind({ KIND: "numbering" }, ["--drill", "plain", "unknown-field"]);
    const sentence =
      'The sandbox refused requests by its assumption correlation.format (format of the correlation ID), which the interface leaves open: assumptions["correlation.format"] in sandbox.yaml changes it.';
    expect(exam.text).toMatch(
      new RegExp(
        `^ payments-sandbox: The client failed 1 of the 2 drills that were exercised: plain\\. ${sentence.replaceAll(/[[\]().]/g, "\\$&")}`,
      ),
    );
    expect(exam.drills[0]?.problems?.[0]).toMatchObject({ about: "outcome", assumption: "correlation.format" });
    expect(exam.drills.flatMap(({ checks }) => checks).filter((check) => check.verdict === "fail")).toMatchObject([
      { id: "request.correlation-id", level: "should" },
      { id: "request.correlation-id", level: "should" },
    ]);
    const markdown = readFileSync(join(exam.cwd, "report.md"), "utf8").replaceAll("\\", "");
    expect(markdown.split("\n")[2]).toBe(sentence);
  });

  it("passes with an assumption that permits them", { tags: "slow" }, async () => {
    const exam = await examOfKind({ KIND: "numbering" }, ["--drill", "plain", "unknown-field"], {
      "sandbox.yaml": 'assumptions: { correlation.format: "order-\\\\d+" }\n',
    });
    expect(exam.verdicts).toEqual(["plain pass", "unknown-field pass"]);
  });
});
