import { expect } from "vitest";
import { type Outcome, type RunOptions, run } from "./command.js";
import { inProcess } from "./in-process.js";

export const free = ["--port", "0", "--admin-port", "0"];

/** One clear line on standard error, no stack trace, nothing on standard output. */
export function expectOneLine(
  { code, stdout, stderr }: Pick<Outcome, "code" | "stdout" | "stderr">,
  status: 1 | 2,
  text: RegExp,
): void {
  expect(stderr).toMatch(text);
  expect(stderr).toMatch(/^payments-sandbox: .{10,}\n$/);
  expect(stderr).not.toMatch(/node:internal|please report/);
  expect([code, stdout]).toEqual([status, ""]);
}

/** Runs `start` until it ends, which it is expected to do soon. */
export const start = (args: readonly string[], options?: RunOptions) => run(["start", ...args], options);

/** The same in this process, where it ends before it has opened anything. */
export const startHere = (args: readonly string[], options?: Pick<RunOptions, "env" | "cwd">) =>
  inProcess(["start", ...args], options);
