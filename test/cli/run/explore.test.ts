import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CommandProcess, workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { all, explored, readExplored, verdicts, verdictsOfSuite, weakClient } from "./explored.js";
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
    const run = ["requests-1.ndjson", "run.json", "state.ndjson"];
    expect(files.sort()).toEqual(["journal.har", "journal.ndjson", "output.txt", ...run]);
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

  it("of a command that cannot run beside itself has one run at a time, and says so", async () => {
    const locked = `mkdir lock || exit 1; echo . >> runs; "$@"; status=$?; rmdir lock; exit $status`;
    const [, ...words] = weakClient();
    const args = ["--only", "ping/reset,ping/slow,ping/error-500", "--report", "report.json"];
    const { code, folder, stderr } = await explored([...args, ...shell(locked), "sh", ...words]);
    const { reference, cells: run, notes } = readExplored(folder, stderr);
    expect({ code, runs: reference.runs }).toEqual({ code: 0, runs: 2 });
    expect(run.map(({ verdict }) => verdict)).toEqual(["recovered", "recovered", "recovered"]);
    const said =
      "Two runs of the command at the same time failed, and one alone passes, so there was one run at a time.";
    expect(notes).toContain(said);
    expect(stderr).toContain(said);
    // With --jobs 1, no two run at the same time from the beginning.
    const other = await explored(["--jobs", "1", ...args, ...shell(locked), "sh", ...words]);
    expect(readExplored(other.folder).notes).not.toContain(said);
    expect(readFileSync(join(other.folder, "runs"), "utf8").length / 2).toBe(5);
  });

  it("runs the findings of an earlier report again, and says what is new, gone and the same", async () => {
    const before = await verdicts("partial", "list.payouts.*/reset,ping/reset");
    expect(Object.values(before.found).sort()).toEqual(["gave-up", "gave-up", "wrong", "wrong"]);
    const former = join(workFolder({ "former.json": JSON.stringify(before.report) }), "former.json");
    const fixed = await verdicts("none", "*", "--again", former);
    expect(fixed.code).toBe(0);
    expect(fixed.found).toEqual(all("recovered", ...Object.keys(before.found)));
    expect(fixed.report.notes).toContainEqual(
      expect.stringMatching(/: 0 new, 4 gone \(.*ping\/reset.*\), 0 the same\.$/),
    );
    const same = await verdicts("partial", "ping/*,list.payouts.last/*", "--again", former);
    expect(Object.keys(same.found).sort()).toEqual(["list.payouts.last/reset", "ping/reset"]);
    expect(same.report.notes).toContainEqual(
      expect.stringMatching(/0 new, 0 gone, 2 the same .* Nothing is known of 2 others/),
    );
  });

  it("refuses an earlier report that it cannot use, before the command starts", async () => {
    const none = JSON.stringify({ version: 1, cells: [{ point: "ping", fault: "reset", counts: "good" }] });
    const folder = workFolder({ "a.json": "{", "b.json": '{"version":2}', "none.json": none });
    for (const [file, message] of [
      ["a.json", "it is not JSON"],
      ["b.json", 'it is no report of explore ("version")'],
      ["none.json", "it has no finding"],
      ["gone.json", "ENOENT"],
      [".", "it is a folder"],
    ] as const) {
      const { code, stderr } = await explored(["--again", join(folder, file), ...shell("touch ran; exit 1")]);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
  });

  it("draws the same cells with one seed, with the same verdicts", async () => {
    const [one, other] = [await drawn(), await drawn()];
    expect(Object.keys(one)).toHaveLength(3);
    expect(other).toEqual(one);
  });
  const drawn = async () => (await verdicts("partial", "*/reset,*/error-500", "--shallow", "3", "--seed", "5")).found;

  /** Explores all cells of HTML, one at a time, until so many runs have begun; then the user stops it. */
  async function stoppedAfter(count: number) {
    const { env, left } = temporary();
    const folder = workFolder();
    const args = [
      "--only",
      "*/html-502",
      "--jobs",
      "1",
      "--report",
      "report.json",
      "--keep",
      "kept",
      "--timeout",
      "60s",
    ];
    const [, ...words] = weakClient();
    const counted = ["sh", "-c", 'echo run >> runs; exec "$@"', "sh", ...words];
    const command = new CommandProcess(["explore", ...args, "--", ...counted], {
      cwd: folder,
      env: { ...env, WEAKNESS: "fragile" },
    });
    const runs = () => (existsSync(join(folder, "runs")) ? readFileSync(join(folder, "runs"), "utf8") : "");
    while (runs().split("\n").length <= count) await new Promise((resolve) => setTimeout(resolve, 20));
    const { code, stdout } = await command.stop("SIGINT");
    expect(left()).toEqual([]);
    return {
      code,
      stdout,
      kept: existsSync(join(folder, "kept", "token.first.html-502.yaml")),
      ...readExplored(folder),
    };
  }

  it("that a signal ends after its first finding has status 130, and the finding in the report and in --keep", async () => {
    // Two without a fault, two of one cell, and the beginning of the next one.
    const { code, stdout, kept, cells: run, notRun, notes } = await stoppedAfter(5);
    expect({ code, kept }).toEqual({ code: 130, kept: true });
    expect(run).toMatchObject([{ point: "token.first", verdict: "crashed", counts: "must" }]);
    expect(notRun).toHaveLength(4);
    expect(notes).toContainEqual("The user stopped it (SIGINT).");
    expect(stdout).toContain("CRASHED token.first/html-502");
    expect(stdout).toContain("The user stopped it (SIGINT).");
  });

  it("that a signal ends before a finding was run again does not judge it", async () => {
    const { code, kept, cells: run } = await stoppedAfter(4);
    expect({ code, kept }).toEqual({ code: 130, kept: false });
    expect(run).toMatchObject([{ verdict: "not-judged", counts: "said", message: expect.stringMatching(/crashed/) }]);
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
