// The command as it is shipped, in its own folder, for the tests that run it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Builds the command in a folder.
 * @returns the path of the command
 */
export function buildShipped(folder) {
  mkdirSync(folder, { recursive: true });
  const script = join(root, "scripts", "build.mjs");
  execFileSync(process.execPath, [script, "--quick", "--out", join(folder, "dist")], { stdio: "inherit" });
  for (const name of ["package.json", "scenarios"]) cpSync(join(root, name), join(folder, name), { recursive: true });
  return join(folder, "dist", "cli.js");
}
