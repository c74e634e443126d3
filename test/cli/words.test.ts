import { spawnSync } from "node:child_process";
import { expect, inject, it } from "vitest";
import { run, workFolder } from "./command.js";

it.each([[["nope"]], [["nope", "--help"]], [["help", "nope"]], [["repor", "-h"]]])(
  "%j is an unknown command",
  async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^payments-sandbox: There is no command "(nope|repor)"/);
  },
);

it.each([[["help"]], [["help", "exam"]], [["exam", "--help"]], [["--help"]]])("%j prints the help", async (args) => {
  const { code, stdout } = await run(args);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: payments-sandbox/)]);
});

it("health cannot use any free port, and its help does not offer it", async () => {
  const { stdout } = await run(["health", "--help"]);
  expect(stdout).toMatch(/admin port of the sandbox that is asked \(default:\s+8090/);
});

it("a broken scenario of the user is explained, with status 1", async () => {
  const cwd = workFolder({ "mine.yaml": "rules: 1\n" });
  const { code, stdout } = await run(["scenarios", "mine", "--scenarios", "."], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringContaining("✗")]);
});

it.runIf(process.platform === "linux")("output that cannot be written is a failure", async () => {
  const command = `"${process.execPath}" "${inject("built").cli}" scenarios > /dev/full`;
  const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8", cwd: workFolder() });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^payments-sandbox: the output cannot be written: ENOSPC/),
  ]);
});
