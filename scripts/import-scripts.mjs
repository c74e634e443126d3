import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";
import { forNode } from "./for-node.mjs";

/**
 * Imports scripts that are written in TypeScript, and import from src/.
 * @param {string} root the repository
 * @param {readonly string[]} names files in scripts/
 * @returns their modules, in the same order
 */
export async function importScripts(root, names) {
  // In the repository, so that they find its package.json and TypeScript.
  await mkdir(join(root, "dist"), { recursive: true });
  const folder = await mkdtemp(join(root, "dist", "scripts-"));
  try {
    return await Promise.all(
      names.map(async (name) => {
        const file = join(folder, name.replace(/\.ts$/, ".mjs"));
        // In one file, because the folder is removed before something is loaded later.
        const output = { file, codeSplitting: false };
        await build({ ...forNode, cwd: root, input: `scripts/${name}`, external: [/^typescript\//], output });
        return import(pathToFileURL(file).href);
      }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
