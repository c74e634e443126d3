import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../documentation/markdown.js";
import { afterTest } from "../support/cleanups.js";
import { doors, room } from "./room.js";

it("everything but the exam compiles without it", () => {
  const copy = mkdtempSync(join(tmpdir(), "sandbox-without-exam-"));
  afterTest(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of ["src", "tsconfig.json", "package.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  for (const file of ["exam", ...room]) rmSync(join(copy, "src", file), { recursive: true });
  const errors = errorsOf(copy);
  // What is left to delete are the lines that name a missing module.
  expect(
    errors.filter((line) => !/error TS2307: Cannot find module '\.[\w./-]*(exam|report)(\/\w+)?\.js'/.test(line)),
  ).toEqual([]);
  expect([...new Set(errors.map((line) => line.replace(/^src\/([^(]*).*/, "$1")))].sort()).toEqual(doors);
});

function errorsOf(folder: string): string[] {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    execFileSync(process.execPath, [compiler, "--noEmit", "--pretty", "false"], { cwd: folder, encoding: "utf8" });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.split("\n").filter((line) => line !== "");
  }
}
