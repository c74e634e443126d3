import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isInstalled, root } from "../../examples/programs.js";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { readReport } from "./exam-client.js";
import { temporary } from "./sandboxed.js";

const program = (name: string) => join(root, "examples/exam", name);

/** The exit statuses of the exam and of the command, and the report on the drill. */
async function taken(...command: readonly string[]) {
  const cwd = workFolder();
  const words = ["exam", "--drill", "cursor-advances", "--report", "report.json", "--", ...command];
  const { code } = await inProcess(words, { cwd, env: temporary().env });
  const [drill] = readReport(join(cwd, "report.json")).drills;
  return [code, drill?.outcome.exitStatus, drill?.verdict, drill?.missing];
}

describe("the drill cursor-advances", () => {
  it("passes a client that stops with an error when a cursor repeats", { tags: "slow" }, async () => {
    expect(await taken(process.execPath, program("client.mjs"))).toEqual([0, 1, "pass", undefined]);
  });

  it.skipIf(!isInstalled("python3", "--version"))("in Python, too", { tags: "slow" }, async () => {
    expect(await taken("python3", program("client.py"))).toEqual([0, 1, "pass", undefined]);
  });

  it("is not exercised by a list of two pages, where no cursor repeats", { tags: "slow" }, async () => {
    const short = `sed "s/pageSize=7/pageSize=13/" ${JSON.stringify(program("client.mjs"))} > short.mjs && ${JSON.stringify(process.execPath)} short.mjs`;
    expect(await taken("sh", "-c", short)).toEqual([1, 0, "not-exercised", ["third-page"]]);
  });
});
