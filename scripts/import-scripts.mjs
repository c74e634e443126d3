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
    await build({
      ...forNode,
      cwd: root,
      input: names.map((name) => `scripts/${name}`),
      external: [/^typescript\//],
      output: { dir: folder, entryFileNames: "[name].mjs" },
    });
    const files = names.map((name) => pathToFileURL(join(folder, name.replace(/\.ts$/, ".mjs"))).href);
    return await Promise.all(files.map((file) => import(file)));
  } finally {
    await rm(folder, { recursive: true });
  }
}
