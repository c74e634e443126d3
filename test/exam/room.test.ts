import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { imports } from "../documentation/imports.js";
import { root } from "../documentation/markdown.js";
import { afterTest } from "../support/cleanups.js";

/** What belongs to the room beside its folder: what feeds it, and what shows its report. */
const room = [
  "composition/exam.ts",
  "composition/observation.ts",
  "cli/report/files.ts",
  "cli/report/terminal.ts",
  "cli/run/report.ts",
];
const isOfRoom = (file: string) => file.startsWith("exam/") || room.includes(file);

/** The lines that are left: in the composition root, and in the command line. */
const doors = ["cli/main.ts", "cli/run.ts", "sandbox.ts"];

it("the judges import nothing of the rest, and the formats only how text is made printable", () => {
  const outward = imports().filter(({ from, to }) => from.startsWith("exam/") && !to.startsWith("exam/"));
  const allowed = (from: string, to: string) => from.startsWith("exam/formats/") && to.startsWith("text/");
  expect(outward.filter(({ from, to }) => !allowed(from, to))).toEqual([]);
});

it("only the composition root and the command line know of the exam", () => {
  const known = imports().filter(({ from, to }) => isOfRoom(to) && !isOfRoom(from));
  expect([...new Set(known.map(({ from }) => from))].sort()).toEqual(doors);
});

it("everything else compiles without it", () => {
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
