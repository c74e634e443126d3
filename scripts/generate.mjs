// Writes the files that are generated from tables of the source; each scripts/generate-*.ts names its files. A test
// fails when one is outdated.
import { execFileSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importScripts } from "./import-scripts.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const generators = (await readdir(join(root, "scripts"))).filter((name) => /^generate-.*\.ts$/.test(name));
for (const { generated } of await importScripts(root, generators)) {
  for (const [path, text] of await generated(root)) {
    await writeFile(join(root, path), text);
    process.stdout.write(`${path}\n`);
  }
}
const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
const schemas = ["scenarios/scenario", "sandbox", "report", "baseline", "explore"].map((name) => `${name}.schema.json`);
execFileSync(process.execPath, [biome, "format", "--write", ...schemas], { cwd: root });
