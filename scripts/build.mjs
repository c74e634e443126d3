// Builds dist/: the bundles, and the type declarations of the library.
// `--quick` leaves out the type declarations; `--out FOLDER` builds elsewhere, for tests.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "./bundle.mjs";
import { keepDeclarationsOf } from "./declarations.mjs";
import { importScripts } from "./import-scripts.mjs";
import { findFurtherLicences } from "./third-party-notices.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { quick: { type: "boolean" }, out: { type: "string" } } });
const dist = values.out ?? join(root, "dist");

const metafiles = await bundle(root, dist);
if (!values.quick) {
  findFurtherLicences(root, metafiles);
  const types = join(dist, "types");
  rmSync(types, { recursive: true, force: true });
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.types.json", "--outDir", types], {
    cwd: root,
    stdio: "inherit",
  });
  const [{ writePackageTypes }] = await importScripts(root, ["package-types.ts"]);
  writePackageTypes(types, root);
  keepDeclarationsOf(join(types, "index.d.ts"), types);
}
// Not for the builds of tests, and not while npm packs.
if (process.env.npm_lifecycle_event === "build") {
  console.log(`Built. In any folder, a sandbox for one command:
  node ${word(join(dist, "cli.js"))} run -- pytest
In a project of Node.js, the command and the library:
  npm install ${word(root)}`);
}

/** A path as it is typed into a shell. */
function word(path) {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `"${path}"`;
}
