import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { workFolder } from "../cli/command.js";
import { blocksOf, commandsIn, pages } from "../documentation/markdown.js";
import { type Ended, root, runProgram } from "./project.js";

/** The package as `npm run build` makes it, and a project in which nothing else is installed. */
export interface Packed {
  /** Where it was built. */
  readonly clone: string;
  /** What the build printed. */
  readonly printed: string;
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
const leftOut = new Set([".git", "certs", "coverage", "dist", "node_modules", "business-payments-sandbox.tgz"]);

/** Files that may exist in a working copy, and must not be in the package. */
const leftovers = [
  ".env",
  "business-payments-sandbox.tgz",
  "certs/ca-key.pem",
  "debug.log",
  "dist/.compiled/v0/0.cache",
  "dist/chunk-00000000.js",
  "dist/types/gone.d.ts",
  "docs/notes.txt",
  "examples/java/classes/Main.class",
  "examples/node-undici/package-lock.json",
  "examples/python/__pycache__/main.pyc",
];

/** The command by which README and the guide install the package: CLONE is the folder of the clone. */
export function installCommands(): readonly string[] {
  return pages()
    .filter(({ path }) => path === "README.md" || path === "docs/guide/ci.md")
    .flatMap((page) => blocksOf(page).flatMap(commandsIn))
    .filter((command) => command.includes("npm install"));
}

/**
 * Installs the package in a project as README says, from a folder that stands for the clone.
 * @throws Error if that fails
 */
export async function installAsDocumented(project: string, clone: string): Promise<void> {
  const [command = ""] = installCommands();
  await npmSucceeds(project, "sh", ["-c", command.replaceAll("CLONE", `'${clone}'`)]);
}

/**
 * Runs npm, or a shell that runs it, without a registry and with nothing in its cache.
 * @param env further variables
 * @returns what it printed
 * @throws Error if it fails
 */
export async function npmSucceeds(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(cwd, program, args, { ...offline(), ...env });
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} failed.\n${stdout}${stderr}`);
  return stdout;
}

const offline = () => ({
  HOME: workFolder(),
  npm_config_audit: "false",
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
});

/** An empty project of a user. */
export function emptyProject(): string {
  const folder = join(workFolder(), "a project, ö");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  return folder;
}

/** Builds and packs a copy of the sources, because the build empties `dist`, which others may be using. */
export async function buildAndPack(): Promise<Pick<Packed, "clone" | "printed" | "tarball">> {
  const clone = join(workFolder(), "a clone, ö");
  cpSync(root, clone, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  for (const file of leftovers) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    writeFileSync(join(clone, file), "");
  }
  // The build does without npm's cache, which belongs to another user on some machines.
  const printed = await npmSucceeds(clone, "npm", ["run", "build"], { npm_config_cache: "/dev/null/npm" });
  return { clone, printed, tarball: join(clone, "business-payments-sandbox.tgz") };
}

/** Builds and packs the sources, and installs the result in a project. */
export async function packAndInstall(): Promise<Packed> {
  const built = await buildAndPack();
  const project = emptyProject();
  await installAsDocumented(project, built.clone);
  const folder = join(project, "node_modules", "business-payments-sandbox");
  return {
    ...built,
    project,
    folder,
    files: filesBelow(folder),
    command: (...args) => runProgram(project, "npx", ["--no", "--", "payments-sandbox", ...args], offline()),
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
