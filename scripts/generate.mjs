// Writes the files that are generated from tables of the source; each scripts/generate-*.ts names its files. A test
// fails when one is outdated.
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = await mkdtemp(join(tmpdir(), "generate-"));
try {
  const generators = (await readdir(join(root, "scripts"))).filter((name) => /^generate-.*\.ts$/.test(name));
  await build({
    absWorkingDir: root,
    entryPoints: generators.map((name) => `scripts/${name}`),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // Bundled CommonJS packages call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire as createRequireForBundle } from "node:module"; const require = createRequireForBundle(import.meta.url);',
    },
    logLevel: "warning",
  });
  for (const name of generators) {
    const { generated } = await import(pathToFileURL(join(folder, name.replace(/\.ts$/, ".mjs"))).href);
    for (const [path, text] of await generated(root)) {
      await writeFile(join(root, path), text);
      process.stdout.write(`${path}\n`);
    }
  }
  const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
  execFileSync(
    process.execPath,
    [
      biome,
      "format",
      "--write",
      "scenarios/scenario.schema.json",
      "sandbox.schema.json",
      "report.schema.json",
      "baseline.schema.json",
    ],
    { cwd: root },
  );
} finally {
  await rm(folder, { recursive: true });
}
