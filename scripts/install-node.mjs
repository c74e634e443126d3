// Other versions of Node.js than the one that runs this, from the package `node` of the registry.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * @param {string} version a version, or the beginning of one: `24`
 * @param {string} folder where it is installed
 * @returns the folder of its program, for PATH
 * @throws Error when it cannot be installed
 */
export function installNode(version, folder) {
  const install = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel", "error", `node@${version}`];
  // On Windows, npm is a script that needs a shell.
  if (spawnSync("npm", install, { stdio: "inherit", shell: process.platform === "win32" }).status !== 0)
    throw new Error(`the package node@${version} could not be installed`);
  return join(folder, "node_modules", "node", "bin");
}
