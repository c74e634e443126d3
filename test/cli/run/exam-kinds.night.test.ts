import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseDrills, openScenarios } from "../../../src/cli/exam/drills.js";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand, readReport } from "./exam-client.js";
import { temporary } from "./sandboxed.js";

/** The reports on all drills, or on some, of a kind of client. */
async function examOf(env: Record<string, string>, ...flags: readonly string[]) {
  const cwd = workFolder();
  const command = clientCommand("test/exam/kinds-client.program.ts");
  const words = ["exam", "--report", "report.json", ...flags, ...command];
  const { code, stdout } = await inProcess(words, { cwd, env: { ...temporary().env, ...env } });
  return { code, stdout, ...readReport(join(cwd, "report.json")) };
}

/** What fails a client, each with its drill. */
function failuresIn({ drills }: Awaited<ReturnType<typeof examOf>>): readonly string[] {
  return drills.flatMap(({ name, checks, problems = [] }) => [
    ...problems.map(({ about, message }) => `${name}: ${about}: ${message}`),
    ...checks.flatMap(({ id, level, verdict, message }) =>
      verdict === "fail" && level === "must" ? [`${name}: ${id}: ${message}`] : [],
    ),
  ]);
}

const drills = chooseDrills(await openScenarios(undefined), []);
const named = drills.filter(({ expected: { checks, exercises } }) => checks.length + exercises.length > 0);

describe.each(["1", "2"])("over HTTP/%s", (HTTP) => {
  it("a client that reports the first failure passes every drill in which something fails", async () => {
    const exam = await examOf({ KIND: "fail-fast", HTTP });
    // The end of a token's life is no failure: a client gets a new one (§4.1 rule 3).
    expect(failuresIn(exam)).toEqual([
      "token-expires-early: outcome: The command ended with exit status 1; that of a correct client succeeds.",
    ]);
    const { verdict, checks } = exam.drills.find(({ name }) => name === "internal-error-once") ?? {};
    expect([verdict, checks?.find(({ id }) => id === "retry.recovers")]).toMatchObject(["pass", { verdict: "fail" }]);
    const idle = exam.drills.filter((drill) => drill.verdict === "not-exercised").map(({ name }) => name);
    console.log(HTTP, idle);
  });

  it.each(
    ["token", "ping", "walk"].flatMap((KIND) => ["start", "middle"].map((WHERE) => ({ KIND, WHERE }))),
  )("a client that asks for a $KIND once more, at the $WHERE, fails nothing", async (kind) => {
    const exam = await examOf({ ...kind, HTTP }, "--drill", "plain", ...named.map(({ name }) => name));
    expect(failuresIn(exam)).toEqual([]);
    console.log(HTTP, kind, exam.drills.filter((drill) => drill.verdict === "not-exercised").map(({ name, missing }) => `${name} ${missing}`));
  });
});
