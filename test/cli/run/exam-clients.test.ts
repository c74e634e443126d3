import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand, readReport } from "./exam-client.js";
import { temporary } from "./sandboxed.js";

async function examOf(client: string, drill: string, timeout = "60s") {
  const cwd = workFolder();
  const args = ["exam", "--timeout", timeout, "--report", "report.json", "--drill", drill, ...clientCommand()];
  const { code } = await inProcess(args, { cwd, env: { ...temporary().env, CLIENT: client } });
  const [report] = readReport(join(cwd, "report.json")).drills;
  const failed = report?.checks.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  return { code, verdict: report?.verdict, failed, problems: report?.problems?.map(({ message }) => message) ?? [] };
}

describe.each([
  ["later-page-fails", "partial", [], /ended with exit status 0; that of a correct client fails/],
  ["cursor-refused-always", "endless", ["list.restarts"], /was still running after 4s/],
  ["token-type-capitalised", "literal", [], /ended with exit status 1; that of a correct client succeeds/],
] as const)("%s", (drill, faulty, checks, problem) => {
  it("passes a correct client", { tags: "slow" }, async () => {
    expect(await examOf("correct", drill)).toEqual({ code: 0, verdict: "pass", failed: [], problems: [] });
  });

  it(`fails one that is ${faulty}`, { tags: "slow" }, async () => {
    const { code, verdict, failed, problems } = await examOf(faulty, drill, "4s");
    expect([code, verdict, problems]).toEqual([1, "fail", [expect.stringMatching(problem)]]);
    expect(failed).toEqual(expect.arrayContaining([...checks]));
  });
});
