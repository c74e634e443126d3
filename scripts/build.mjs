// Builds dist/: the command and the library, each bundled with all that it imports, so that a start loads a few files instead of
// hundreds. What a start does not need (forge, yaml, zod) stays in chunks of its own, loaded when it is first used.
// `--quick` leaves out the type declarations.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { cli: "src/cli/main.ts", container: "src/cli/container.ts" },
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
if (!process.argv.includes("--quick")) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], { cwd: root, stdio: "inherit" });
}
