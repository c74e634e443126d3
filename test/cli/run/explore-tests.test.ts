import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand, readReport } from "./exam-client.js";
import { explored, readExplored, weakClient } from "./explored.js";
import { shell } from "./sandboxed.js";

const resigned = { WEAKNESS: "resigned" };

/** The suite of several tests, which node:test runs and reports as JUnit XML, as the guide says. */
function suiteWithJunit(): readonly string[] {
  const [, node = "", ...words] = clientCommand("test/explore/suite.program.ts");
  const usual = "--test-reporter=spec --test-reporter-destination=stdout";
  const file = `--test-reporter=junit --test-reporter-destination="\${SANDBOX_JUNIT:-/dev/null}"`;
  return [...shell(`exec "$0" ${usual} ${file} "$@"`), node, ...words];
}

/** What an exploration of one cell tells of its tests. */
async function testsAt(cell: string, command: readonly string[], env: Readonly<Record<string, string>>) {
  const { stdout, folder } = await explored(["--only", cell, "--report", "report.json", ...command], env);
  const { cells, notes } = readExplored(folder);
  return { tests: cells[0]?.tests, notes, stdout };
}

describe("an exploration names the tests", { tags: "slow" }, () => {
  it("that passed without the fault and fail with it, in every format", async () => {
    const reports = ["report.json", "report.html", "report.xml", "report.md"];
    const only = ["--only", "list.payouts.last/reset"];
    const { stdout, folder } = await explored([...only, "--report", ...reports, ...suiteWithJunit()], resigned);
    const name = "walks through the payouts";
    expect(readExplored(folder).cells[0]?.tests).toEqual({
      failed: [{ name, message: expect.stringMatching(/socket hang up|ECONNRESET/) }],
      unknown: 0,
    });
    for (const report of reports.slice(1)) expect(readFileSync(join(folder, report), "utf8")).toContain(name);
    expect(stdout).toMatch(/Tests that failed:\n +walks through the payouts: /);
    expect(stdout).toMatch(/BY TEST .*walks through the payouts: list\.payouts\.last: reset/);
  });

  it("and not those of which nothing is known, because the suite ended before them", async () => {
    const { tests } = await testsAt("ping/reset", suiteWithJunit(), { ...resigned, BAIL: "yes" });
    expect(tests).toMatchObject({ failed: [{ name: "pings" }] });
    expect(tests?.unknown).toBeGreaterThan(5);
  });

  it("and no test that fails by turns", async () => {
    const turns = `"$@"; status=$?
      if [ $status = 0 ]; then a=; b=; elif [ -e first ]; then a=; b='<failure/>'; else touch first; a='<failure/>'; b=; fi
      [ $status = 0 ] || c='<failure message="no ping"/>'
      echo "<testsuite><testcase name='a'>$a</testcase><testcase name='b'>$b</testcase><testcase name='c'>$c</testcase></testsuite>" > "$SANDBOX_JUNIT"
      exit $status`;
    const command = [...shell(turns), "sh", ...weakClient().slice(1)];
    const { tests } = await testsAt("ping/reset", command, resigned);
    expect(tests).toEqual({ failed: [{ name: "c", message: "no ping" }], unknown: 2 });
  });

  it("and says which file it cannot read", async () => {
    const command = [...shell('echo "<html/>" > "$SANDBOX_JUNIT"; exec "$@"'), "sh", ...weakClient().slice(1)];
    const { tests, notes } = await testsAt("ping/reset", command, resigned);
    expect(tests).toBeUndefined();
    expect(notes).toContainEqual(
      'The JUnit file "junit.xml" cannot be used: it is no JUnit XML: its root element is <html> (line 1).',
    );
  });

  it("but acquits none: a run that ends with 0 and loses a page is wrong, whatever its tests say", async () => {
    const { tests, stdout } = await testsAt("list.payouts.last/reset", suiteWithJunit(), { WEAKNESS: "swallowing" });
    expect(tests).toEqual({ failed: [], unknown: 0 });
    expect(stdout).toContain("WRONG list.payouts.last/reset");
  });
});

describe("a report names the failed tests", { tags: "slow" }, () => {
  it("of run, which says so without a file as well", async () => {
    const cwd = workFolder();
    const args = ["--scenario", "outage", "--report", "report.json", "--fail-on", "must"];
    const { stderr } = await inProcess(["run", ...args, ...suiteWithJunit()], {
      cwd,
      env: { ...resigned, BAIL: "yes" },
    });
    const [drill] = readReport(join(cwd, "report.json")).drills;
    expect(drill?.tests?.failed.length).toBeGreaterThan(0);
    expect(stderr).toMatch(/TESTS .*\d+ tests? of the command failed/);
    const [first] = drill?.tests?.failed ?? [];
    expect(stderr).toContain(first?.name);
  });

  it("of exam", async () => {
    const cwd = workFolder();
    const args = ["--drill", "connection-reset", "--report", "report.json", "report.xml"];
    const { stdout } = await inProcess(["exam", ...args, ...suiteWithJunit()], {
      cwd,
      env: { ...resigned, BAIL: "yes" },
    });
    const [drill] = readReport(join(cwd, "report.json")).drills;
    const [failed] = drill?.tests?.failed ?? [];
    expect({ stdout, failed }).toMatchObject({
      failed: { message: expect.stringMatching(/socket hang up|ECONNRESET/) },
    });
    expect(readFileSync(join(cwd, "report.xml"), "utf8")).toContain(
      `<property name="failedTest" value="${failed?.name}`,
    );
  });
});
