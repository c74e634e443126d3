// Builds dist/: the command and the library, each bundled with all that it imports, so that a start loads a few files instead of
// hundreds. What a start does not need (forge, yaml, zod) stays in chunks of its own, loaded when it is first used. Beside them the
// dashboard's files, for browsers, and the licences of the packages that are inside.
// `--quick` leaves out the type declarations; `--out FOLDER` builds elsewhere, for tests.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { buildDashboard } from "./dashboard.mjs";
import { keepDeclarationsOf } from "./declarations.mjs";
import { findFurtherLicences, thirdPartyNotices } from "./third-party-notices.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { quick: { type: "boolean" }, out: { type: "string" } } });
const dist = values.out ?? join(root, "dist");

rmSync(dist, { recursive: true, force: true });
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
  // Bundled CommonJS packages call `require` for Node's own modules.
  banner: {
    js: 'import { createRequire as createRequireForBundle } from "node:module"; const require = createRequireForBundle(import.meta.url);',
  },
  metafile: true,
  logLevel: "warning",
});
const metafiles = [metafile, ...(await buildDashboard(root, dist))];
// Also with `--quick`: the container image ships that build.
writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(root, metafiles));
if (!values.quick) {
  findFurtherLicences(root, metafiles);
  const types = join(dist, "types");
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.types.json", "--outDir", types], {
    cwd: root,
    stdio: "inherit",
  });
  keepDeclarationsOf(join(types, "index.d.ts"), types);
}
