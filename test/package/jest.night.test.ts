import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { workFolder } from "../cli/command.js";
import { programPatience } from "../support/patience.js";
import { buildAndPack } from "./packed.js";
import { type Ended, root, runProgram } from "./project.js";

const source = join(root, "examples/jest");
const files = Object.fromEntries(readdirSync(source).map((name) => [name, readFileSync(join(source, name), "utf8")]));

let folder: string;

/** Jest in the version of the example, and the packed file, as in its README. */
beforeAll(async () => {
  folder = workFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel", "error"];
  const { tarball } = await buildAndPack();
  const installed = await runProgram(folder, "npm", ["install", "--no-save", ...quiet, tarball], {
    HOME: process.env["HOME"] ?? folder,
  });
  if (installed.code !== 0) throw new Error(`npm install failed.\n${installed.stderr}`);
}, 2 * programPatience);

const jest = (config: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runProgram(folder, process.execPath, [join(folder, "node_modules/jest/bin/jest.js"), "--config", config], env);

describe("the example for Jest, with the packed package", () => {
  it("imports the library in the tests, with --experimental-vm-modules", async () => {
    const { code, stderr } = await jest("jest.modules.json", { NODE_OPTIONS: "--experimental-vm-modules" });
    expect(stderr).toMatch(/Tests: +2 passed, 2 total/);
    expect(code).toBe(0);
  });

  it("imports it in the globalSetup of a CommonJS project, without any option", async () => {
    const { code, stderr } = await jest("jest.commonjs.json");
    expect(stderr).toMatch(/Tests: +1 passed, 1 total/);
    expect(stderr).not.toMatch(/did not exit|open handle/i);
    expect(code).toBe(0);
  });

  it("is right about what does not work: the library in a test, without the option", async () => {
    const { code, stderr } = await jest("jest.modules.json");
    expect(stderr).toMatch(/experimental-vm-modules|Cannot use import statement|Must use import/);
    expect(code).not.toBe(0);
  });
});
