import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand, readReport } from "./exam-client.js";
import { node, shell, temporary } from "./sandboxed.js";

/** Runs an exam until it ends, and expects that nothing is left of its sandboxes. */
async function exam(args: readonly string[], run = inProcess) {
  const { env, left } = temporary();
  const folder = workFolder();
  const outcome = await run(["exam", ...args], { cwd: folder, env });
  expect(left()).toEqual([]);
  return { ...outcome, folder };
}

describe("a correct client", () => {
  it("passes the given drills, each in a separate sandbox", async () => {
    const args = ["--drill", "plain", "unauthorized-once", "--report", "report.json", ...clientCommand()];
    const { code, stdout, stderr, folder } = await exam(args, run);
    expect({
      code,
      stderr: stderr
        .replaceAll(/ \([\d.]+ s\)/g, "")
        .split("\n")
        .sort(),
    }).toEqual({
      code: 0,
      stderr: ["", expect.stringMatching(/^1\/2 ✓ /), expect.stringMatching(/^2\/2 ✓ /)],
    });
    expect(stdout).toMatch(/\npayments-sandbox: The exam is passed\.\n$/);
    expect(stdout).toContain("dashboard (http://localhost:8090)");
    expect(stdout).toContain("\n    payments-sandbox start --seed 1\n");
    const { verdicts, drills } = readReport(join(folder, "report.json"));
    expect(verdicts).toEqual(["plain pass", "unauthorized-once pass"]);
    for (const { duration } of drills) expect(duration).toBeGreaterThan(0);
    expect(drills[1]).toMatchObject({
      description: "Refuses a good token with 401, once on ping and once on lists.",
      advice: expect.stringMatching(/^A correct client gets a new token /),
      output: [],
    });
    expect(drills[1]?.checks).toContainEqual(expect.objectContaining({ id: "token.refused", verdict: "pass" }));
  });
});

describe("a command that does nothing", () => {
  it("passes nothing, and the output says which variable it must read", { tags: "slow" }, async () => {
    const { code, stdout, stderr, folder } = await exam([
      ...["--jobs", "1", "--report", "report.json", "report.md"],
      ...["--", "true"],
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/never reached the sandbox.*SANDBOX_URL/s);
    // The other drills are not tried.
    expect(stderr).toMatch(/^ 1\/\d+ - plain \([\d.]+ s, not exercised\)\n$/);
    expect(readReport(join(folder, "report.json")).verdicts).toEqual(["plain fail"]);
    const markdown = readFileSync(join(folder, "report.md"), "utf8");
    expect(markdown).toContain("**The client failed the one drill that was exercised\\: plain.**");
    expect(markdown).toMatch(
      /### Failed drills.*The command never reached the sandbox, so it has passed nothing\..*SANDBOX\\_URL/s,
    );
  });
});

describe("a command that does not trust the sandbox", () => {
  it("ends the exam after plain, with the explanation of the handshake", { tags: "slow" }, async () => {
    const script = `require("node:https").get(process.env.SANDBOX_URL).on("error", ({ message }) => { console.error(message); process.exitCode = 1; })`;
    const { code, stdout, stderr, folder } = await exam(["--report", "report.json", "--jobs", "3", ...node(script)]);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
      /The command never reached the sandbox with a request, so it has passed nothing\. The client (?:refused|closed) .* as a trusted CA/,
    );
    expect(stdout).toContain("  The command printed:\n    ");
    const { verdicts, drills } = readReport(join(folder, "report.json"));
    expect(verdicts).toEqual(["plain fail"]);
    expect(drills[0]?.problems?.[0]?.message).toContain("with a request");
    // Those that were begun at the same time may have ended before.
    expect(stderr.split("\n").length).toBeLessThan(6);
  });
});

describe("the command", () => {
  it("has the name of its drill, and the variables of run", { tags: "slow" }, async () => {
    const script = `console.log(["DRILL", "URL", "CERT_FILE", "ADMIN_URL"].map((name) => process.env["SANDBOX_" + name]).join(" "))`;
    const { stderr } = await exam(["--drill", "outage", "--verbose", ...node(script)]);
    expect(stderr).toMatch(/\n {4}outage https:\/\/localhost:\d+ \S+\/clients\/demo\/cert\.pem http:\S+\n$/);
  });

  it("fails if it runs too long, and is ended with everything that it started", { tags: "slow" }, async () => {
    const script = `(trap 'echo > ended; exit' TERM; echo begun; while :; do sleep 0.05; done) & wait`;
    const { code, stdout, folder } = await exam(["--drill", "plain", "--timeout", "2s", ...shell(script)]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAILED drill plain\n(?: .*\n)* .*The command\n? *was still running after 2s\./);
    expect(stdout).toContain("  The command printed:\n    begun\n");
    expect(existsSync(join(folder, "ended"))).toBe(true);
  });
});

describe("invalid arguments end in status 2, before the command starts", () => {
  it.each([
    [["--drill", "maintenanc"], 'Did you mean "maintenance"?'],
    [["--jobs", "0"], '--jobs is "0"; give a whole number from 1 to 9999.'],
    [["--baseline", "nowhere.yaml"], "nowhere.yaml: There is no such file."],
  ])("%j", async (args, message) => {
    const { env, left } = temporary();
    const { code, stdout, stderr } = await inProcess(["exam", ...args, "--", "echo", "began"], { env });
    expect({ code, stdout, left: left() }).toEqual({ code: 2, stdout: "", left: [] });
    expect(stderr).toContain(message);
  });

  it("an unknown command", async () => {
    const { code, stderr } = await exam(["--drill", "plain", "--", "no-such-command"]);
    expect(code).toBe(2);
    expect(stderr).toContain('There is no command "no-such-command".');
  });

  it("a command whose name is too long for the system", async () => {
    const { code, stderr } = await exam(["--drill", "plain", "--", "x".repeat(300)]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/cannot be run: .*ENAMETOOLONG/)]);
  });
});
