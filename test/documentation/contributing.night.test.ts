import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { workFolder } from "../cli/command.js";
import { root } from "./markdown.js";
import { isMade, make, recipes, tryAll } from "./recipes.js";

// The worked examples of recipes of CONTRIBUTING.md, followed exactly on a copy of the repository.

const notCopied = new Set(["node_modules", "dist", ".git", "certs", "coverage"]);

/** A copy of the repository, with its packages, and without what a sandbox has made in it. */
function copy(): string {
  const folder = workFolder();
  for (const name of [".gitignore", "README.md"]) cpSync(join(root, "certs", name), join(folder, "certs", name));
  for (const name of readdirSync(root).filter((each) => !notCopied.has(each)))
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith("/node_modules"),
    });
  // A folder of links, because .gitignore names folders, and a link is not a folder.
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules")).filter((each) => !each.startsWith(".v")))
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  return folder;
}

/** The environment of a shell, without the variables that vitest adds. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITEST|VITE_|NODE_ENV$|TEST$)/.test(name)),
);

/**
 * Runs npm in a folder.
 * @returns the exit status and what was printed
 */
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

/** The tests that the examples name, and those that compare tables with each other. `npm test` runs all tests. */
const affected = [
  "test/documentation",
  "test/sandbox/assumptions",
  "test/sandbox/conformance/accounts",
  "test/sandbox/conformance/assumed",
  "test/sandbox/openapi",
  "test/sandbox/records",
  "test/sandbox/api/operations",
  "test/sandbox/scenarios/generated",
  "test/sandbox/scenarios/late-end",
  "test/sandbox/scenarios/meant",
  "test/sandbox/scenarios/page-size",
  "test/wings",
];

/**
 * Runs a script of package.json.
 * @throws AssertionError with its output if it fails
 */
async function passes(folder: string, ...args: readonly string[]): Promise<void> {
  const { status, output } = await npm(folder, ...args);
  expect(status, `npm ${args.join(" ")}\n${output.slice(-20_000)}`).toBe(0);
}

// One after the other on the same copy, as a person would do it.
describe.sequential("following the recipes", () => {
  let folder = "";
  beforeAll(() => {
    // All of the following takes minutes, and would only repeat what is wrong.
    tryAll();
    folder = copy();
  });

  let hasFailed = false;
  beforeEach(({ skip }) => skip(hasFailed, "An earlier step has failed."));
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === "fail";
  });

  it.for(recipes())(
    "$title: the types are right, and lead to the files that the page names",
    async ({ changes, typesFrom }, { skip }) => {
      skip(
        changes.every((change) => isMade(change)),
        "This recipe is followed already.",
      );
      if (typesFrom === undefined) {
        for (const change of changes) make(change, folder);
        await passes(folder, "run", "--silent", "types");
        return;
      }
      const before = changes.filter(({ line }) => line < typesFrom);
      const after = changes.filter(({ line }) => line > typesFrom);
      for (const change of before) make(change, folder);
      const { output: errors } = await npm(folder, "run", "--silent", "types");
      const reported = new Set([...errors.matchAll(/^(\S+)\(\d+,\d+\): error /gm)].map(([, file]) => file));
      expect(reported.size, errors).toBeGreaterThan(0);
      // It compares generated types, which the last step of the recipe makes.
      reported.delete("test/library/types.test.ts");
      const unnamed = [...reported].filter((file) => !after.some(({ path }) => path === file));
      expect(unnamed, errors).toEqual([]);
      for (const change of after) make(change, folder);
      await passes(folder, "run", "--silent", "generate");
      await passes(folder, "run", "--silent", "types");
    },
  );

  it("documents, format, lint and knip report nothing", async () => {
    await passes(folder, "run", "--silent", "generate");
    for (const script of ["format", "lint", "knip"]) await passes(folder, "run", "--silent", script);
  });

  it("the tests pass", async () => {
    // vitest does not say that a name fits no file if another name fits one.
    for (const name of affected)
      expect(
        readdirSync(join(folder, dirname(name))).some((file) => file.startsWith(basename(name))),
        name,
      ).toBe(true);
    await passes(folder, "test", "--", ...affected);
  });
});
