// Bundles the command and the library, each with all that it imports, so that a start loads a few files instead of
// hundreds. Packages that a start does not need (forge, yaml, zod) are in separate chunks, loaded when they are first
// used. Also makes the dashboard's files for browsers, and the notices of the bundled packages.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { buildDashboard } from "./dashboard.mjs";
import { thirdPartyNotices } from "./third-party-notices.mjs";

const entryPoints = { index: "src/index.ts", cli: "src/cli/main.ts", container: "src/cli/container.ts" };

/**
 * @param {string} root the repository
 * @param {string} dist where the build goes
 * @returns esbuild's metafiles of all bundles
 */
export async function bundle(root, dist) {
  rmSync(dist, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: dist,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // ES modules where a package has both: what is not used is left out.
    mainFields: ["module", "main"],
    // Bundled CommonJS packages call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire as createRequireForBundle } from "node:module"; const require = createRequireForBundle(import.meta.url);',
    },
    metafile: true,
    logLevel: "warning",
  });
  removeUnused(root, metafile);
  const metafiles = [metafile, ...(await buildDashboard(root, dist))];
  // Also for a build without type declarations, because the container image ships it.
  writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(root, metafiles));
  return metafiles;
}

/**
 * Removes chunks that nothing loads, from the folder and from the metafile: esbuild still writes the targets of
 * `import()` in code that it has left out.
 */
function removeUnused(root, { outputs }) {
  const entries = Object.values(entryPoints);
  const used = new Set(Object.keys(outputs).filter((name) => entries.includes(outputs[name].entryPoint)));
  for (const name of used) for (const { path, external } of outputs[name].imports) if (!external) used.add(path);
  for (const name of Object.keys(outputs)) {
    if (used.has(name)) continue;
    delete outputs[name];
    rmSync(join(root, name));
  }
}
