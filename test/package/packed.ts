import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { workFolder } from "../cli/command.js";
import { type Ended, root, runProgram } from "./project.js";

/** The package as `npm pack` makes it, and a project in which nothing else is installed. */
export interface Packed {
  readonly tarball: string;
  /** The user's project. */
  readonly project: string;
  /** The package in the project. */
  readonly folder: string;
  /** The files of the package: paths below its folder, sorted. */
  readonly files: readonly string[];
  /** Runs its command in the project, with npx, without a registry or a prompt. */
  readonly command: (...args: string[]) => Promise<Ended>;
}

/** Not part of the sources, or secret. */
const leftOut = new Set([".git", "certs", "coverage", "dist", "node_modules"]);

/** Files that may exist in a working copy, and must not be in the package. */
const leftovers = [
  ".env",
  "certs/ca-key.pem",
  "debug.log",
  "dist/chunk-00000000.js",
  "dist/types/gone.d.ts",
  "docs/notes.txt",
  "examples/java/classes/Main.class",
  "examples/node-undici/package-lock.json",
  "examples/python/__pycache__/main.pyc",
];

/**
 * Packs a copy of the sources, because the build empties `dist`, which others may be using, and installs the result.
 */
export async function packAndInstall(): Promise<Packed> {
  const home = workFolder();
  const env = { HOME: home, npm_config_offline: "true", npm_config_update_notifier: "false" };

  const sources = join(home, "sources");
  cpSync(root, sources, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(sources, "node_modules"));
  for (const file of leftovers) {
    mkdirSync(dirname(join(sources, file)), { recursive: true });
    writeFileSync(join(sources, file), "");
  }
  const packing = await runProgram(sources, "npm", ["pack", "--json", "--pack-destination", home], env);
  if (packing.code !== 0) throw new Error(`npm pack failed.\n${packing.stderr}`);
  const [{ filename }] = JSON.parse(packing.stdout);
  const tarball = join(home, filename);

  const project = join(home, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"private":true,"type":"module"}');
  const installing = await runProgram(project, "npm", ["install", "--no-audit", "--no-fund", tarball], env);
  if (installing.code !== 0) throw new Error(`npm install failed.\n${installing.stderr}`);
  const folder = join(project, "node_modules", "business-payments-sandbox");
  return {
    tarball,
    project,
    folder,
    files: filesBelow(folder),
    command: (...args) => runProgram(project, "npx", ["--no", "--", "payments-sandbox", ...args], env),
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
