import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reportEndings } from "../../../src/report/format.js";
import { reportSchema } from "../../../src/report/report-schema.js";
import { type Outcome, run, workFolder } from "../command.js";
import { pings } from "./pinging.js";

/** A request that the interface itself calls wrong (§8). */
const large = "/v1/payments?pageSize=101";

/** Sends its secrets in wrong places, and prints them: a token, a client secret, and a password. */
const careless = pings().replace(
  "agent.destroy();",
  `
    const path = "/v1/payments?pageSize=x" + token + "&" + token + "=1&access_token=" + token;
    await send(path, "GET", { Authorization: "Bearer " + token, "X-Correlation-ID": token });
    const basic = Buffer.from("demo:pass-4711").toString("base64");
    await send("/oauth/v2/oauth-token", "POST", { ...type, Authorization: "Basic " + basic }, form + "&client_secret=mine-4711");
    for (const secret of [token, "mine-4711", basic]) console.log(secret);
    agent.destroy();`,
);

async function reported(args: readonly string[], script: string): Promise<Outcome & { readonly folder: string }> {
  const folder = workFolder();
  const outcome = await run(["run", ...args, "--", process.execPath, "-e", script], { cwd: folder });
  return { ...outcome, folder };
}

function reportIn(folder: string, name = "report.json") {
  const report = reportSchema.parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
  const [drill] = report.drills;
  if (drill === undefined) throw new Error("The report has no drill.");
  return { report, drill, verdicts: new Map<string, string>(drill.checks.map(({ id, verdict }) => [id, verdict])) };
}

describe("--report", () => {
  it("writes the verdicts on a command, and does not change its exit status", async () => {
    const { code, stderr, folder } = await reported(["--report", "report.json"], pings("/v1/ping", large));
    expect(code).toBe(0);
    const { report, drill, verdicts } = reportIn(folder);
    expect(drill).toMatchObject({ name: "run", verdict: "fail", outcome: { expected: "any", exitStatus: 0 } });
    expect(report.summary).toMatchObject({ fail: 1, warn: 0 });
    expect(verdicts.get("list.page-size")).toBe("fail");
    expect(verdicts.get("token.form")).toBe("pass");
    expect(verdicts.get("list.loop")).toBe("not-exercised");
    expect(drill.checks.find(({ id }) => id === "list.page-size")?.exchanges).toEqual(["3"]);
    expect(stderr).toContain(
      "\nFAILED list.page-size (must; §8)\n  A list request was refused because of its page size (INVALID_PAGE_SIZE).\n",
    );
    expect(stderr).toMatch(
      /\npayments-sandbox: The client failed 1 of the \d+ checks that were exercised:\nlist\.page-size\.\n/,
    );
    expect(stderr).toMatch(/\n {4}\d\.\d\d s GET \/v1\/payments\?pageSize=101: 400 INVALID_PAGE_SIZE\. Parameter\n/);
  });

  it("writes several files, even if the environment turns the report off", async () => {
    const folder = workFolder();
    const args = ["run", "--report", "a.json", "b.json", "--", process.execPath, "-e", pings("/v1/ping")];
    const { code } = await run(args, { cwd: folder, env: { SANDBOX_REPORT: "off" } });
    expect(code).toBe(0);
    expect(reportIn(folder, "a.json").drill.verdict).toBe("pass");
    expect(reportIn(folder, "b.json").report.summary).toMatchObject({ fail: 0, warn: 0 });
  });

  it("contains no secret in any form, whatever the client does with it", async () => {
    const files = reportEndings.map((ending) => `report${ending}`);
    const { code, stdout, stderr, folder } = await reported(["--report", ...files], careless);
    expect(code).toBe(0);
    const secrets = stdout.trim().split("\n");
    expect(secrets).toHaveLength(3);
    const { verdicts } = reportIn(folder);
    expect(["token.header", "token.no-secret"].map((id) => verdicts.get(id))).toEqual(["fail", "fail"]);
    for (const text of [stderr, ...files.map((file) => readFileSync(join(folder, file), "utf8"))])
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it("has no pass for a command that does nothing", async () => {
    const { code, folder } = await reported(["--report", "report.json"], "process.exitCode = 7");
    expect(code).toBe(7);
    const { report, drill } = reportIn(folder);
    expect(drill).toMatchObject({ verdict: "not-exercised", outcome: { exitStatus: 7 } });
    expect(report.summary).toMatchObject({ pass: 0, fail: 0, warn: 0 });
  });
});

describe("--fail-on and --ignore", () => {
  it.each([
    ["should", [], large, 1],
    ["must", [], "/v1/ping?x=1", 0],
    ["should", [], "/v1/ping?x=1", 1],
    ["must", ["--ignore", "list.loop,list.page-size"], large, 0],
    // The path may be one of the service.
    ["must", [], "/v1/pong", 0],
  ])("%s %j, after %s: exit status %d", async (level, ignore, path, status) => {
    const { code } = await reported(["--fail-on", level, ...ignore], pings(path));
    expect(code).toBe(status);
  });

  it("leave ignored checks out of the report", async () => {
    const args = ["--report", "report.json", "--ignore", "list.page-size"];
    const { folder } = await reported(args, pings(large));
    const { drill, verdicts } = reportIn(folder);
    expect(verdicts.has("list.page-size")).toBe(false);
    expect(drill.verdict).toBe("pass");
  });
});
