// `npm run fuzz`: seeded hostile input to a server in its own process. `--seconds N` for all surfaces together, 60 by
// default, `--seed TEXT`, `--surface NAME` (may be repeated); `--first N` and `--count N` repeat a part of a sequence.
// Exit status 1 when a surface failed.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadTypeScript } from "../support/load-typescript.mjs";

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    surface: { type: "string", multiple: true, default: [] },
    first: { type: "string", default: "0" },
    count: { type: "string", default: "1000000000" },
  },
});
const [seconds, first, count] = [flags.seconds, flags.first, flags.count].map(Number);
if (!(seconds > 0) || !(first >= 0) || !(count > 0) || !/^[\w.-]{1,64}$/.test(flags.seed)) {
  console.error("--seconds, --first and --count take a number, --seed letters and digits.");
  process.exit(2);
}

const { Fuzz } = await loadTypeScript(new URL("fuzz.ts", import.meta.url));

const root = fileURLToPath(new URL("../..", import.meta.url));
let fuzz;
try {
  fuzz = new Fuzz({ root, seconds, seed: flags.seed, only: flags.surface, first, count });
} catch (error) {
  console.error(error.message);
  process.exit(2);
}
// The server ends with this process.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));
process.exit((await fuzz.run()) > 0 ? 1 : 0);
