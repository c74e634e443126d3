// `npm run calibrate:proof`: calibrates against sandboxes with assumptions drawn at random, imitates them, and compares
// the answers of both. `--seeds N`, 300 by default, from `--first N` on. A seed takes about a second. Exit status 1
// when one is not recovered.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "300" }, first: { type: "string", default: "1000" } },
});
if (![values.seeds, values.first].every((text) => /^\d{1,9}$/.test(text))) {
  console.error("--seeds and --first take a number.");
  process.exit(2);
}
const { status } = spawnSync("npx", ["vitest", "run", "test/imitate/calibrate/recovery.night.test.ts"], {
  cwd: fileURLToPath(new URL("../../..", import.meta.url)),
  env: { ...process.env, CALIBRATE_SEEDS: `${values.first},${values.seeds}` },
  stdio: "inherit",
});
process.exit(status ?? 1);
