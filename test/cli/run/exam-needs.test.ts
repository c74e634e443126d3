import { join } from "node:path";
import { expect, it } from "vitest";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { readReport } from "./exam-client.js";
import { pings } from "./pinging.js";
import { node, temporary } from "./sandboxed.js";

it("a drill that was not exercised says what of its needs the program did not send", { tags: "slow" }, async () => {
  const cwd = workFolder();
  const drills = ["too-many-at-once", "cursor-refused-once", "rate-limited", "example-error"];
  const args = ["exam", "--report", "report.json", "--drill", ...drills, ...node(pings("/v1/ping"))];
  const { code, stdout } = await inProcess(args, { cwd, env: temporary().env });
  expect(code).toBe(1);
  const text = stdout.replaceAll(/\s+/g, " ");
  for (const [drill, sent] of [
    ["too-many-at-once", "three requests at the same time"],
    ["cursor-refused-once", "a request for page 3 of a list"],
    ["rate-limited", "five pings and pages"],
  ])
    expect(text).toContain(`Named with --drill and not exercised: ${drill}. The program did not send ${sent}.`);
  const report = readReport(join(cwd, "report.json"));
  expect(report.drills.map(({ missing }) => missing)).toEqual([
    ["parallel"],
    ["third-page"],
    ["five-requests"],
    undefined,
  ]);
});

it("what a program sent counts although it emptied the journal", { tags: "slow" }, async () => {
  const rule = "{ name: third, when: { operation: list, page: 3 }, then: { error: INVALID_CURSOR } }";
  const own = `description: Refuses a page.\nexpect: { outcome: any, needs: [ping, list] }\nrules: [${rule}]\n`;
  const cwd = workFolder({ "own.yaml": own });
  const emptying = `${pings("/v1/ping")}
    process.once("beforeExit", () => fetch(env.SANDBOX_ADMIN_URL + "/requests", { method: "DELETE" }));`;
  const args = ["exam", "--report", "report.json", "--scenarios", ".", "--drill", "own", ...node(emptying)];
  await inProcess(args, { cwd, env: temporary().env });
  expect(readReport(join(cwd, "report.json")).drills).toMatchObject([{ missing: ["list"] }]);
});
