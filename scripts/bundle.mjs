// Bundles the command and the library, each with all that it imports, so that a start loads a few files instead of
// hundreds. Packages that a start does not need (forge, yaml, zod) are in separate chunks, loaded when they are first
// used. Also makes the dashboard's files for browsers, and the notices of the bundled packages.
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { buildDashboard } from "./dashboard.mjs";
import { thirdPartyNotices } from "./third-party-notices.mjs";

/**
 * @param {string} root the repository
 * @param {string} dist where the build goes
 * @returns esbuild's metafiles of all bundles
 */
export async function bundle(root, dist) {
  const earlier = existsSync(dist) ? readdirSync(dist) : [];
  // A project that uses this clone needs the type declarations, and only `npm run build` makes them.
  for (const name of earlier.filter((each) => each !== "types")) rmSync(join(dist, name), { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { index: "src/index.ts", cli: "src/cli/main.ts", container: "src/cli/container.ts" },
    outdir: dist,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // ES modules where a package has both: what is not used is left out.
    mainFields: ["module", "main"],
    // OpenTelemetry loads these in a detector that is left out; esbuild would make a file of each.
    external: ["./getMachineId-*"],
    // Bundled CommonJS packages call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire as createRequireForBundle } from "node:module"; const require = createRequireForBundle(import.meta.url);',
    },
    metafile: true,
    logLevel: "warning",
  });
  const metafiles = [metafile, ...(await buildDashboard(root, dist))];
  // Also for a build without type declarations, because the container image ships it.
  writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(root, metafiles));
  return metafiles;
}
