import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../documentation/markdown.js";
import { afterTest } from "../support/cleanups.js";
import { detachable } from "./wings.js";

it.each(detachable.map((wing) => [wing.name, wing] as const))(
  "the rest compiles without %s",
  (_, { members, doors }) => {
    const copy = mkdtempSync(join(tmpdir(), "sandbox-without-a-wing-"));
    afterTest(() => rmSync(copy, { recursive: true, force: true }));
    for (const name of ["src", "tsconfig.json", "package.json"])
      cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    for (const member of members) rmSync(join(copy, "src", member), { recursive: true });
    const errors = errorsOf(copy);
    // Only the lines that import a missing module would also have to be deleted.
    expect(errors.filter((line) => !/error TS2307: Cannot find module '\./.test(line))).toEqual([]);
    expect([...new Set(errors.map((line) => line.replace(/^src\/([^(]*).*/, "$1")))].sort()).toEqual(doors);
  },
);

function errorsOf(folder: string): string[] {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    execFileSync(process.execPath, [compiler, "--noEmit", "--pretty", "false"], { cwd: folder, encoding: "utf8" });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.split("\n").filter((line) => line !== "");
  }
}
