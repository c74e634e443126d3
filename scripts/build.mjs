// Builds dist/: the command and the library, each bundled with all that it imports, so that a start loads a few files instead of
// hundreds. What a start does not need (forge, yaml, zod) stays in chunks of its own, loaded when it is first used. Beside them the
// dashboard's files, for browsers.
// `--quick` leaves out the type declarations; `--out FOLDER` builds elsewhere, for tests.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { buildDashboard } from "./dashboard.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { quick: { type: "boolean" }, out: { type: "string" } } });
const dist = values.out ?? join(root, "dist");

rmSync(dist, { recursive: true, force: true });
await build({
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
  logLevel: "warning",
});
await buildDashboard(root, dist);
if (!values.quick) {
  const types = join(dist, "types");
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.types.json", "--outDir", types], {
    cwd: root,
    stdio: "inherit",
  });
  keepDeclarationsOf(join(types, "index.d.ts"), types);
}

/**
 * Keeps the declarations that the library's own refer to, and no others. They must stand by themselves: the packages that are bundled
 * are not installed where the library is used.
 */
function keepDeclarationsOf(entry, folder) {
  const kept = new Set();
  const visit = (file) => {
    if (kept.has(file)) return;
    kept.add(file);
    for (const [, specifier] of readFileSync(file, "utf8").matchAll(/(?:from|import|import\() ?"([^"]+)"/g)) {
      if (specifier.startsWith(".")) visit(join(dirname(file), specifier.replace(/\.js$/, ".d.ts")));
      else throw new Error(`${file} needs "${specifier}", which does not come with the package.`);
    }
  };
  visit(entry);
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath, name.name);
    if (name.isFile() && !kept.has(path)) rmSync(path);
  }
  for (const name of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, name.name);
    if (name.isDirectory() && ![...kept].some((file) => file.startsWith(path + sep))) rmSync(path, { recursive: true });
  }
}
