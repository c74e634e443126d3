import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CommandProcess, workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { explored, readExplored, verdicts, verdictsOfSuite, weakClient } from "./explored.js";
import { shell, temporary } from "./sandboxed.js";

describe("invalid arguments end in status 2 and one line, before the command starts", () => {
  it.each([
    [["--shallow", "0"], '--shallow is "0"; give a whole number from 1 to 9999.'],
    [["--jobs", "x"], '--jobs is "x"; give a whole number from 1 to 9999.'],
    [["--timeout", "0s"], '--timeout is "0s"; give '],
    [["--max-time", "soon"], '--max-time is "soon"; give '],
    [["--fault", "nowhere.yaml"], "nowhere.yaml: There is no such file."],
    [["--baseline", "nowhere.yaml"], "nowhere.yaml: There is no such file."],
    [["--report", "report.txt"], "report.txt"],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr, folder } = await explored([...args, ...shell("touch ran; exit 1")]);
    expect({ code, stdout, ran: existsSync(join(folder, "ran")) }).toEqual({ code: 2, stdout: "", ran: false });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^payments-sandbox: .*\n$/);
  });

  it("options after the command, which would get them", async () => {
    const { code, stderr } = await explored(["node", "x.mjs", "--only", "ping/reset"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^payments-sandbox: --only stands after the command, .* payments-sandbox explore --only … -- node\.\n$/,
    );
    // The command has such an option.
    const own = await explored(["--shallow", "0", "--", "node", "x.mjs", "--only", "ping/reset"]);
    expect(own.stderr).toContain('--shallow is "0"');
  });

  it("a fault in a baseline that does not exist: each name is listed once", async () => {
    const known = "failures:\n  - { cell: ping/no-such-fault-at-all }\n";
    const path = join(workFolder({ "known.yaml": known }), "known.yaml");
    const { code, stderr } = await explored(["--baseline", path, ...shell("exit 1")]);
    expect(code).toBe(2);
    expect(stderr.match(/unknown-field/g)).toHaveLength(1);
  });

  it("no command", async () => {
    const { code, stderr } = await explored([]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^payments-sandbox: .*no command.*\n$/),
    });
  });
});

describe("a command that cannot be explored ends in status 2", { tags: "slow" }, () => {
  it("if it fails without a fault: its last lines say why, however much it prints", async () => {
    const { code, stderr } = await explored(shell("seq 500000; echo the last line; exit 3"));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^payments-sandbox: Without a fault, the command ended with exit status 3\./);
    expect(stderr).toMatch(/\n {4}the last line\n$/);
    expect(stderr.split("\n").length).toBeLessThan(25);
  });

  it("if it prints one long line without an end: its end is shown", async () => {
    const { code, stderr } = await explored(shell("yes word | head -n 20000 | tr '\\n' ' '; printf 'the end'; exit 3"));
    expect(code).toBe(2);
    expect(stderr).toMatch(/Its last lines:\n {4}….* word the end\n$/);
  });

  it.runIf(process.platform === "linux")("and processes in a session of their own are ended", async () => {
    const script =
      "setsid sh -c 'while :; do date +%N > alive; sleep 0.05; done' & while [ ! -e alive ]; do sleep 0.05; done";
    const { folder } = await explored(shell(script));
    const alive = () => readFileSync(join(folder, "alive"), "utf8");
    const before = alive();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(alive()).toBe(before);
  });

  it("if it never reaches the sandbox: the variables are named", async () => {
    const { code, stderr } = await explored(["--", "true"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/never sent a request to the sandbox\..*SANDBOX_URL.*It printed nothing\.\n$/);
  });

  it("if it does not end: it is ended with its children, even if they ignore signals", async () => {
    const script = `(trap "" TERM; while :; do date +%N > alive; sleep 0.05; done) & trap "" TERM; wait; sleep 60`;
    const { code, stderr, folder } = await explored(["--timeout", "500ms", ...shell(script)]);
    expect(code).toBe(2);
    expect(stderr).toContain("the command was still running, and sent nothing more");
    const alive = () => readFileSync(join(folder, "alive"), "utf8");
    const before = alive();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(alive()).toBe(before);
  });

  it("if no cell has a name like that", async () => {
    const { code, stderr } = await explored(["--only", "list.nothing.*", ...weakClient()]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /--only is "list\.nothing\.\*", which is no cell of this command\. Its points are token\.first,/,
    );
  });
});

describe("an exploration", { tags: "slow" }, () => {
  const cells = ["--only", "list.payouts.last/reset"];

  it("writes all reports, and keeps a scenario that makes the same client fail in the same way", async () => {
    const reports = ["report.json", "report.md", "report.html", "report.xml"];
    const env = { WEAKNESS: "partial" };
    const { code, folder } = await explored([...cells, "--report", ...reports, "--keep", "kept", ...weakClient()], env);
    expect(code).toBe(1);
    for (const name of reports) expect(readFileSync(join(folder, name), "utf8")).toContain("list.payouts.last");
    const name = "list.payouts.last.reset";
    const kept = join(folder, "kept");
    const files = readdirSync(join(kept, name));
    expect(files.sort()).toEqual(["journal.har", "journal.ndjson", "output.txt"]);
    for (const file of files) expect(readFileSync(join(kept, name, file), "utf8")).not.toMatch(/eyJ|PRIVATE/);
    expect(await inProcess(["check", join(kept, `${name}.yaml`)])).toMatchObject({ code: 0 });
    const again = await inProcess(["run", "--scenarios", kept, "--scenario", name, ...weakClient()], {
      cwd: folder,
      env,
    });
    expect(again.code).toBe(0);
    const usual = await inProcess(["run", ...weakClient()], { cwd: folder, env });
    expect(usual.code).toBe(0);
    const strict = { WEAKNESS: "resigned" };
    const failed = await inProcess(["run", "--scenarios", kept, "--scenario", name, ...weakClient()], {
      cwd: folder,
      env: strict,
    });
    expect(failed.code).toBe(1);
  });

  it("knows the findings of a baseline, and names entries that are none", async () => {
    const known = `failures:\n  - { cell: list.payouts.last/reset, reason: ticket 7 }\n`;
    const path = join(workFolder({ "known.yaml": known }), "known.yaml");
    const one = await verdicts("partial", "list.payouts.last/reset", "--baseline", path);
    expect(one).toMatchObject({ code: 0, report: { cells: [{ verdict: "wrong", known: "ticket 7" }] } });
    const stale = await explored([...cells, "--baseline", path, ...weakClient()]);
    expect(stale.code).toBe(1);
    expect(stale.stderr).toContain("list.payouts.last/reset is no longer a finding");
  });

  it("names the checks that the command fails without a fault, too", async () => {
    const { report } = await verdictsOfSuite({}, "ping/slow");
    expect(report.notes).toContainEqual(
      expect.stringMatching(/^Not judged, because the command fails it without a fault, too: .*list\.page-size/),
    );
  });

  it("begins no cell after --max-time, and names those that were not run", async () => {
    const { code, report } = await verdicts("none", "ping/reset,ping/close", "--max-time", "1ms");
    expect(code).toBe(1);
    expect(report).toMatchObject({
      cells: [],
      notRun: ["ping/reset", "ping/close"],
      notes: ["There was no time for 2 planned cells, from ping/reset on."],
    });
  });

  it("draws the same cells with one seed, with the same verdicts", async () => {
    const [one, other] = [await drawn(), await drawn()];
    expect(Object.keys(one)).toHaveLength(3);
    expect(other).toEqual(one);
  });
  const drawn = async () => (await verdicts("partial", "*/reset,*/error-500", "--shallow", "3", "--seed", "5")).found;

  it("that a signal ends has status 130, and writes what it knows", async () => {
    const { env, left } = temporary();
    const folder = workFolder();
    const args = ["--only", "*/html-502", "--jobs", "1", "--report", "report.json", "--timeout", "60s"];
    const [, ...words] = weakClient();
    const counted = ["sh", "-c", 'echo run >> runs; exec "$@"', "sh", ...words];
    const command = new CommandProcess(["explore", ...args, "--", ...counted], {
      cwd: folder,
      env: { ...env, WEAKNESS: "fragile" },
    });
    // Two without a fault, one cell, and the beginning of the next one.
    const runs = () => (existsSync(join(folder, "runs")) ? readFileSync(join(folder, "runs"), "utf8") : "");
    while (runs().split("\n").length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await command.stop("SIGINT")).toMatchObject({ code: 130 });
    const { cells: run, notRun } = readExplored(folder);
    expect(run).toMatchObject([{ verdict: "not-judged", counts: "said", message: expect.stringMatching(/crashed/) }]);
    expect(notRun).toHaveLength(4);
    expect(left()).toEqual([]);
  });

  it("that a signal ends before its first cell has status 130 as well", async () => {
    const { env, left } = temporary();
    const command = new CommandProcess(["explore", ...shell("touch begun; sleep 60")], { cwd: workFolder(), env });
    while (left().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const { code, stderr } = await command.stop("SIGINT");
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    expect(left()).toEqual([]);
  });
});
