import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

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
      absWorkingDir: root,
      entryPoints: names.map((name) => `scripts/${name}`),
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      external: ["typescript/*"],
      // Bundled CommonJS packages call `require` for Node's own modules.
      banner: {
        js: 'import { createRequire as createRequireForBundle } from "node:module"; const require = createRequireForBundle(import.meta.url);',
      },
      logLevel: "warning",
    });
    const files = names.map((name) => pathToFileURL(join(folder, name.replace(/\.ts$/, ".mjs"))).href);
    return await Promise.all(files.map((file) => import(file)));
  } finally {
    await rm(folder, { recursive: true });
  }
}
