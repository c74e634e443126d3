import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workFolder } from "../cli/command.js";
import { programPatience } from "../support/patience.js";
import { root } from "./markdown.js";
import { isMade, make, recipes } from "./recipes.js";

// The recipes of CONTRIBUTING.md, followed to the letter, each on a copy of the repository. What they say is in the page alone.

const notCopied = new Set(["node_modules", "dist", ".git", "certs", "coverage"]);

/** A copy of the repository, with its packages. */
function copy(): string {
  const folder = workFolder();
  for (const name of readdirSync(root).filter((each) => !notCopied.has(each)))
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith("/node_modules"),
    });
  // A folder of links: .gitignore names folders, and a link is none.
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules")).filter((each) => !each.startsWith(".v")))
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  return folder;
}

/** As a shell has it, without what vitest adds. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITEST|VITE_|NODE_ENV$|TEST$)/.test(name)),
);

/** Runs npm in a folder. @returns the exit status and what was printed */
function npm(folder: string, ...args: readonly string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn("npm", args, {
      cwd: folder,
      shell: process.platform === "win32",
      env: { ...env, NO_COLOR: "1" },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.once("close", (status) => resolve({ status, output }));
  });
}

/** The folders of tests that something new can break. `npm test` runs all of them. */
const affected = "admin api assumptions config conformance documentation journal library openapi scenarios".split(" ");

describe.each(recipes())("$title", ({ changes, typesFrom }) => {
  const isFollowed = changes.every((change) => isMade(change));

  it.skipIf(isFollowed)(
    "is led by the types, and ends with a check that passes",
    async () => {
      const folder = copy();
      const [before, after] = [
        changes.filter(({ line }) => line < typesFrom),
        changes.filter(({ line }) => line > typesFrom),
      ];
      for (const change of before) make(change, folder);
      const { output: errors } = await npm(folder, "run", "--silent", "types");
      const reported = new Set([...errors.matchAll(/^(\S+)\(\d+,\d+\): error /gm)].map(([, file]) => file));
      expect(reported.size, errors).toBeGreaterThan(1);
      expect(
        [...reported].filter((file) => !after.some(({ path }) => path === file)),
        errors,
      ).toEqual([]);

      for (const change of after) make(change, folder);
      const generated = await npm(folder, "run", "--silent", "generate");
      expect(generated.status, generated.output).toBe(0);
      for (const script of ["format", "lint", "types", "knip"]) {
        const { status, output } = await npm(folder, "run", "--silent", script);
        expect(status, `${script}\n${output}`).toBe(0);
      }
      const { status, output } = await npm(folder, "test", "--", ...affected.map((each) => `test/${each}`));
      expect(status, output.slice(-20_000)).toBe(0);
    },
    4 * programPatience,
  );
});
