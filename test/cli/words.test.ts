import { spawnSync } from "node:child_process";
import { expect, inject, it } from "vitest";
import { run, workFolder } from "./command.js";

it.each([[["nope"]], [["nope", "--help"]], [["help", "nope"]], [["repor", "-h"]]])(
  "%j: there is no such command",
  async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^payments-sandbox: unknown command '(nope|repor)'/);
  },
);

it.each([[["help"]], [["help", "exam"]], [["exam", "--help"]], [["--help"]]])("%j is help", async (args) => {
  const { code, stdout } = await run(args);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: payments-sandbox/)]);
});

it("the port that health asks cannot be any free one, and its help does not say so", async () => {
  const { stdout } = await run(["health", "--help"]);
  expect(stdout).toMatch(/admin port of the sandbox that is asked \(default:\s+8090/);
});

it("a broken scenario of one's own is explained with status 1", async () => {
  const cwd = workFolder({ "mine.yaml": "rules: 1\n" });
  const { code, stdout } = await run(["scenarios", "mine", "--scenarios", "."], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringContaining("✗")]);
});

it.runIf(process.platform === "linux")("output that cannot be written is no success", async () => {
  const command = `"${process.execPath}" "${inject("built").cli}" scenarios > /dev/full`;
  const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8", cwd: workFolder() });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^payments-sandbox: the output cannot be written: ENOSPC/),
  ]);
});
