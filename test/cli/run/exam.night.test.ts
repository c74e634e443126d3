import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CommandProcess, workFolder } from "../command.js";
import { clientCommand, readReport } from "./exam-client.js";
import { pings } from "./pinging.js";
import { node, shell, temporary } from "./sandboxed.js";

async function exam(args: readonly string[], env: Record<string, string> = {}, cwd = workFolder()) {
  const { env: own, left } = temporary();
  const all = ["exam", "--report", "report.json", ...args];
  const outcome = await new CommandProcess(all, { cwd, env: { ...own, ...env } }).ended;
  expect(left()).toEqual([]);
  return { ...outcome, report: outcome.code === 2 ? undefined : readReport(join(cwd, "report.json")) };
}

/** The content of a report, without the differences between two runs: the numbers in evidence and messages. */
const verdictsOf = (report: ReturnType<typeof readReport> | undefined) =>
  Object.fromEntries(
    (report?.drills ?? []).map(({ name, verdict, outcome, checks }) => [
      name,
      { verdict, outcome, checks: checks.map((check) => `${check.id} ${check.verdict}`) },
    ]),
  );

it("a correct client passes every built-in drill, and each that needs no configuration was exercised", async () => {
  const { code, stdout, report } = await exam(clientCommand());
  // Next links are the configuration's.
  const others = report?.verdicts.filter((text) => !text.endsWith(" pass"));
  expect(others).toEqual(["next-link-without-filters not-exercised"]);
  expect(report?.drills.length).toBeGreaterThan(40);
  expect(report?.drills[0]?.name).toBe("plain");
  expect(report?.summary).toMatchObject({ fail: 0, warn: 0 });
  expect(stdout).toMatch(/The exam is passed\.\n$/);
  expect(code).toBe(0);
});

describe("a faulty client fails", () => {
  it.each([
    ["stubborn", "unauthorized-once", "token.refused"],
    ["hasty", "maintenance", "retry.after"],
    ["trusting", "wrong-token-type", "token.type"],
  ])("%s, in %s: %s, and nothing else", async (CLIENT, drill, id) => {
    const { code, stdout, report } = await exam(["--drill", "plain", drill, ...clientCommand()], { CLIENT });
    expect(code).toBe(1);
    expect(report?.verdicts).toEqual(["plain pass", `${drill} fail`]);
    const failed = report?.drills.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === "fail"));
    expect(failed?.map((check) => check.id)).toEqual([id]);
    expect(stdout).toContain(`FAILED ${id} (must; `);
    expect(stdout.replaceAll("\n", " ")).toContain(`1 drill failed: ${drill}.`);
  });
});

it("the verdicts are the same with one job, with several, and in the other order", async () => {
  const drills = ["plain", "flaky", "cursor-refused-once", "wrong-token-type", "validation-error", "connection-reset"];
  const env = { CLIENT: "trusting" };
  const first = await exam(["--jobs", "1", "--drill", ...drills, ...clientCommand()], env);
  const second = await exam(["--jobs", "4", "--drill", ...drills.toReversed(), ...clientCommand()], env);
  expect(Object.keys(verdictsOf(first.report))).toEqual(drills);
  expect(Object.keys(verdictsOf(second.report))).toEqual(drills.toReversed());
  expect(verdictsOf(second.report)).toEqual(verdictsOf(first.report));
  expect([first.code, second.code]).toEqual([1, 1]);
});

describe("a drill that was not exercised", () => {
  const pingOnce = node(pings("/v1/ping"));

  const folderWith = (expectation: string) => {
    const cwd = workFolder();
    const text = (operation: string) =>
      `description: Ours.\nexpect: ${expectation}\nrules: [{ name: all, when: { operation: ${operation} }, then: { delay: 1ms } }]\n`;
    writeFileSync(join(cwd, "of-lists.yaml"), text("list"));
    writeFileSync(join(cwd, "of-pings.yaml"), text("ping"));
    return cwd;
  };

  it("fails if it was named; the user's own scenarios are drills like others", async () => {
    const cwd = folderWith("{ outcome: succeeds }");
    const args = ["--scenarios", cwd, "--drill", "of-pings", "of-lists", ...pingOnce];
    const { code, stdout, report } = await exam(args, {}, cwd);
    expect(code).toBe(1);
    expect(report?.verdicts).toEqual(["of-pings pass", "of-lists not-exercised"]);
    expect(stdout.replaceAll("\n", " ")).toContain("Named with --drill and not exercised: of-lists.");
  });

  it("counts requests", async () => {
    const cwd = folderWith("{ outcome: succeeds, requests: { token: { max: 1 }, ping: { min: 2 } } }");
    const { code, stdout } = await exam(["--scenarios", cwd, "--drill", "of-pings", ...pingOnce], {}, cwd);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\n */g, " ")).toMatch(/FAILED drill of-pings .* 1 request of the operation ping arrived/);
  });
});

describe("--baseline", () => {
  const known = (check: string) => {
    const cwd = workFolder({
      "known.yaml": `failures:\n  - drill: wrong-token-type\n    check: ${check}\n    reason: ticket 4711\n`,
    });
    const args = ["--baseline", "known.yaml", "--drill", "plain", "wrong-token-type", ...clientCommand()];
    return (client: string) => exam(args, { CLIENT: client }, cwd);
  };

  it("lets a known failure pass, and shows it", async () => {
    const { code, stdout, report } = await known("token.type")("trusting");
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nKNOWN token\.type \(must; .*\n(?: {2}.*\n)+? {2}Known: ticket 4711\n/);
    expect(report?.verdicts).toEqual(["plain pass", "wrong-token-type pass"]);
    expect(report?.summary).toMatchObject({ fail: 0 });
  });

  it("fails when an entry is stale", async () => {
    const { code, stdout } = await known("token.type")("correct");
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\n */g, " ")).toContain("known.yaml:2:5: wrong-token-type no longer fails token.type.");
  });

  it("warns of an entry that cannot be judged", async () => {
    const { code, stdout } = await known("list.restart")("correct");
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\n */g, " ")).toContain("WARNING known.yaml:2:5: list.restart was not exercised in");
  });
});

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends every command, and the reports of completed drills are written", async (signal, status) => {
    const { env, left } = temporary();
    const cwd = workFolder();
    const [, , file = ""] = clientCommand();
    // The first drill ends; all others wait for a signal.
    const script = `case $SANDBOX_DRILL in plain) exec ${process.execPath} ${file};; *) echo > up-$SANDBOX_DRILL; exec sleep 600;; esac`;
    const args = ["exam", "--jobs", "2", "--report", "report.json", ...shell(script)];
    const command = new CommandProcess(args, { cwd, env });
    while (!/plain.*\n/.test(command.stderr)) await new Promise((resolve) => setTimeout(resolve, 20));
    const { code, stdout } = await command.stop(signal);
    expect(code).toBe(status);
    expect(stdout).toContain(`Interrupted by ${signal}: 1 of `);
    expect(readReport(join(cwd, "report.json")).verdicts).toEqual(["plain pass"]);
    expect(left()).toEqual([]);
  });

  it("is followed by a kill if a command does not end", async () => {
    const { env, left } = temporary();
    const script = "trap '' TERM; echo up; while :; do sleep 0.1; done";
    const args = ["exam", "--drill", "plain", "--timeout", "500ms", ...shell(script)];
    const { code, stdout } = await new CommandProcess(args, { env }).ended;
    expect(code).toBe(1);
    expect(stdout).toContain("was still running after 500ms.");
    expect(left()).toEqual([]);
  });
});

describe("run --baseline", () => {
  const known = (check: string) => workFolder({ "known.yaml": `failures: [{ drill: run, check: ${check} }]\n` });
  const run = async (cwd: string, ...args: string[]) => {
    const all = ["run", "--baseline", "known.yaml", ...args, "--scenario", "wrong-token-type", ...clientCommand()];
    return new CommandProcess(all, { cwd, env: { CLIENT: "trusting" } }).ended;
  };

  it("lets a known failure pass", async () => {
    const { code, stderr } = await run(known("token.type"), "--fail-on", "must");
    expect(code).toBe(0);
    expect(stderr).toMatch(/KNOWN token\.type .*\n(?: {2}.*\n)* {2}Known: known\.yaml:1:12 gives no reason\n/);
  });

  it.each([
    [[], 0],
    [["--fail-on", "must"], 1],
  ])("reports a stale entry, with %j: exit status %d", async (args, status) => {
    const { code, stderr } = await run(known("token.form"), "--ignore", "token.type", ...args);
    expect(code).toBe(status);
    expect(stderr).toContain("known.yaml:1:12: run no longer fails token.form. Remove the entry");
  });
});
