import { spawnSync } from "node:child_process";
import { expect, inject, it } from "vitest";
import { settingFacts, settingNames } from "../../src/sandbox/config/settings.js";
import { workFolder } from "./command.js";
import { inProcess } from "./in-process.js";

it.each([[["nope"]], [["nope", "--help"]], [["help", "nope"]], [["repor", "-h"]]])(
  "%j is an unknown command",
  async (args) => {
    const { code, stdout, stderr } = await inProcess(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^payments-sandbox: There is no command "(nope|repor)"/);
  },
);

it.each([[["help"]], [["help", "exam"]], [["exam", "--help"]], [["--help"]]])("%j prints the help", async (args) => {
  const { code, stdout } = await inProcess(args);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: payments-sandbox/)]);
});

it("health cannot use any free port, and its help does not offer it", async () => {
  const { stdout } = await inProcess(["health", "--help"]);
  expect(stdout).toMatch(/admin port of the sandbox that is asked \(default:\s+8090/);
});

/** The text of an option in a help, on one line. */
async function helpOn(command: string, flag: string): Promise<string> {
  const { stdout } = await inProcess([command, "--help"]);
  return (
    stdout
      .replaceAll(/\n {10,}/g, " ")
      .split("\n")
      .find((line) => line.startsWith(`  ${flag} `)) ?? ""
  );
}

it("the help names every value that a flag can have", async () => {
  const choices = settingNames.flatMap((name) => {
    const { flag, kind } = settingFacts(name);
    return typeof kind === "string" ? [] : [[flag, kind] as const];
  });
  expect(choices).not.toEqual([]);
  for (const [flag, values] of choices) {
    const text = await helpOn("start", flag);
    for (const value of values) expect(text.split(": ")[0]).toMatch(new RegExp(`\\b${value}\\b`));
  }
});

it("health asks an address, and check and scenarios read a folder once", async () => {
  expect(await helpOn("health", "--admin-host <address>")).toMatch(/address of the sandbox that is asked \(default/);
  expect(await helpOn("check", "--scenarios <folder>")).not.toContain("reloaded");
  expect(await helpOn("scenarios", "--scenarios <folder>")).not.toContain("reloaded");
  expect(await helpOn("start", "--scenarios <folder>")).toContain("reloaded");
});

it("exam names the drills that it runs, and what lists them", async () => {
  expect(await helpOn("exam", "--drill <name...>")).toMatch(
    /\(default: plain, and each scenario that has expect; payments-sandbox scenarios lists them\)/,
  );
});

it("a broken scenario of the user is explained, with status 1", async () => {
  const cwd = workFolder({ "mine.yaml": "rules: 1\n" });
  const { code, stdout } = await inProcess(["scenarios", "mine", "--scenarios", "."], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringContaining("✗")]);
});

it.runIf(process.platform === "linux")("output that cannot be written is a failure", { tags: "slow" }, async () => {
  const command = `"${process.execPath}" "${inject("built").cli}" scenarios > /dev/full`;
  const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8", cwd: workFolder() });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^payments-sandbox: the output cannot be written: ENOSPC/),
  ]);
});
