import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { imports } from "../documentation/imports.js";
import { root } from "../documentation/markdown.js";
import { afterTest } from "../support/cleanups.js";

it("everything except the line in the composition root compiles without src/replicas", () => {
  const copy = mkdtempSync(join(tmpdir(), "sandbox-without-shared-"));
  afterTest(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of ["src", "tsconfig.json", "package.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  rmSync(join(copy, "src", "shared"), { recursive: true });
  expect(brokenFiles(copy)).toEqual(["src/library/composition/shared.ts"]);
  const doors = imports().filter(({ from, to }) => to.startsWith("shared/") && !from.startsWith("shared/"));
  expect([...new Set(doors.map(({ from }) => from))]).toEqual(["composition/shared.ts"]);
});

it("a start without --shared loads neither it nor its package", () => {
  const { cli } = inject("built");
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, name = ""] of text.matchAll(/^(?:import|export)[^;]*?from "(\.[^"]+)";|^import "(\.[^"]+)";/gm))
      if (name !== "") visit(join(file, "..", name));
  };
  visit(cli);
  for (const file of loaded) expect(readFileSync(file, "utf8").includes("node_modules/@redis")).toBe(false);
});

function brokenFiles(folder: string): string[] {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    execFileSync(process.execPath, [compiler, "--noEmit", "--pretty", "false"], { cwd: folder, encoding: "utf8" });
    return [];
  } catch (error) {
    const lines = (error as { stdout: string }).stdout.split("\n").filter((line) => line !== "");
    return [...new Set(lines.map((line) => line.replace(/^([^(]*).*/, "$1")))].sort();
  }
}
