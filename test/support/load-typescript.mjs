import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";
import { forNode } from "../../scripts/for-node.mjs";

/**
 * Imports a TypeScript file, bundled, because Node 20 cannot run TypeScript. The bundle is in test/, because the
 * sandbox looks for its scenarios one folder above its own file. It is deleted after it was read.
 * @param {URL} file
 */
export async function loadTypeScript(file) {
  const outfile = fileURLToPath(new URL(`../bundle-${randomUUID()}.mjs`, import.meta.url));
  await build({
    ...forNode,
    input: fileURLToPath(file),
    // Packages stay outside, but for the helpers of the bundler.
    external: [/^(?!@oxc-project\/)[^./]/],
    output: { file: outfile, codeSplitting: false },
  });
  return import(pathToFileURL(outfile).href).finally(() => rmSync(outfile));
}
