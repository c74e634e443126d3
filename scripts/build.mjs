// Builds dist/: the bundles, and the type declarations of the library.
// `--quick` leaves out the type declarations; `--out FOLDER` builds elsewhere, for tests. `--pack` says how to use
// the build, and packs what a project installs, business-payments-sandbox.tgz, unless one of the others is given.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "./bundle.mjs";
import { keepDeclarationsOf } from "./declarations.mjs";
import { importScripts } from "./import-scripts.mjs";
import { findFurtherLicences } from "./third-party-notices.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: { quick: { type: "boolean" }, out: { type: "string" }, pack: { type: "boolean" } },
});
const dist = values.out ?? join(root, "dist");
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// Without the version, so that documents can name it, and no older one stays beside it.
const packed = join(root, `${name}.tgz`);
const packs = values.pack && !values.quick && values.out === undefined;

// Nobody installs an earlier one after a build that failed.
if (packs) rmSync(packed, { force: true });

const outputs = await bundle(root, dist);
if (!values.quick) {
  findFurtherLicences(outputs);
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
if (packs) pack();
if (values.pack) {
  console.log(`Built. In any folder, a sandbox for one command:
  node ${word(join(dist, "cli.js"))} run -- pytest`);
}
if (packs) {
  console.log(`In a project of Node.js, the command and the library:
  cp ${word(packed)} . && npm install --save-dev ./${name}.tgz`);
}

/** Packs without `prepack`, which builds, and without npm's cache, which may be closed to this user. */
function pack() {
  const work = mkdtempSync(join(tmpdir(), "pack-"));
  try {
    execFileSync("npm", ["pack", "--ignore-scripts", "--loglevel", "error"], {
      cwd: root,
      env: {
        ...process.env,
        npm_config_cache: work,
        npm_config_pack_destination: work,
        // With an empty cache, npm asks the registry for its newest version.
        npm_config_update_notifier: "false",
      },
      stdio: ["ignore", "ignore", "inherit"],
      // On Windows, npm is a script that needs a shell.
      shell: process.platform === "win32",
    });
    copyFileSync(join(work, `${name}-${version}.tgz`), packed);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A path as it is typed into a shell. */
function word(path) {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `"${path}"`;
}
