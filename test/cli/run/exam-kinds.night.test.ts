import { describe, expect, it } from "vitest";
import { chooseDrills } from "../../../src/cli/exam/drills.js";
import { readScenarios } from "../../../src/library/read-scenarios.js";
import { examOfKind, failuresIn, idleIn } from "./kinds.js";

const drills = chooseDrills(await readScenarios(undefined), []);
const named = drills.filter(({ expected: { checks, exercises } }) => checks.length + exercises.length > 0);

/** What these clients never send: next links are the configuration's. */
const unmet: Readonly<Record<string, readonly string[]>> = {
  1: ["next-link-without-filters"],
  2: ["next-link-without-filters", "slow-headers"],
};

describe.each(["1", "2"])("over HTTP/%s", (HTTP) => {
  it("a client that reports the first failure passes every drill in which something fails", async () => {
    const exam = await examOfKind({ KIND: "fail-fast", HTTP }, []);
    // The end of a token's life is no failure: a client gets a new one (§4.1 rule 3).
    expect(failuresIn(exam)).toEqual([
      "token-expires-early: outcome: The command ended with exit status 1; that of a correct client succeeds.",
    ]);
    expect(idleIn(exam)).toEqual(unmet[HTTP]);
    const { checks } = exam.drills.find(({ name }) => name === "internal-error-once") ?? {};
    expect(checks?.find(({ id }) => id === "retry.recovers")).toMatchObject({ level: "should", verdict: "fail" });
  });

  it.each(["token", "ping", "walk"].flatMap((KIND) => ["start", "middle"].map((WHERE) => ({ KIND, WHERE }))))(
    "a client that asks for a $KIND once more, at the $WHERE, fails nothing",
    async (kind) => {
      const exam = await examOfKind({ ...kind, HTTP }, ["--drill", "plain", ...named.map(({ name }) => name)]);
      expect(failuresIn(exam)).toEqual([]);
    },
  );
});
