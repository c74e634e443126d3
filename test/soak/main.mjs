// `npm run soak`: mixed traffic of many clients, and a check for leaks. `--minutes N`, 10 by default, `--seed N`. Exit
// status 1 when a request was not answered, a handle was left, or memory grew.
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { slope } from "../bench/lib/slope.mjs";
import { loadTypeScript } from "../support/load-typescript.mjs";

const { values: flags } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string", default: "1" } },
});
const milliseconds = Number(flags.minutes) * 60_000;
const seed = Number(flags.seed);
if (!(milliseconds > 0) || !Number.isInteger(seed)) {
  console.error("--minutes takes a number above 0, --seed a whole number.");
  process.exit(2);
}

const { soak } = await loadTypeScript(new URL("soak.ts", import.meta.url));
const { startSandbox } = await loadTypeScript(new URL("../../src/index.ts", import.meta.url));

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
// The journal contains the last ten thousand requests, and the judges of the exam remember the last few hundred of each
// client. Both must be full before growth means anything. A few clients fill them quickly.
const load = { warmUp: 20_000, pieces: 3_000_000, clients: 8, workers: 32, halfOpen: 100 };
console.log(`${load.clients} clients, ${load.warmUp} pieces of traffic to warm up`);
console.log(`then ${flags.minutes} minutes or ${load.pieces} pieces, seed ${seed}`);
const { outcomes, failures, heap, handlesLeft } = await soak(startSandbox, { ...load, milliseconds, seed, collect });

const mebibytes = heap.map((bytes) => bytes / 2 ** 20);
const half = mebibytes.slice(Math.floor(mebibytes.length / 2));
const mean = half.reduce((sum, value) => sum + value, 0) / half.length;
const growth = (slope(half) * half.length) / mean;
for (const [outcome, count] of Object.entries(outcomes)) console.log(`${count} ${outcome}`);
console.log(`${failures.length} unanswered or answered wrongly`);
for (const failure of new Set(failures)) console.log(`  ${failure}`);
console.log(`heap after collections, MiB: ${mebibytes.map((value) => value.toFixed(0)).join(" ")}`);
console.log(`growth in the last half: ${(growth * 100).toFixed(1)} %`);
console.log(`handles left: ${handlesLeft.length === 0 ? "none" : handlesLeft.join(", ")}`);

/** The size of a full journal varies slightly. */
const noise = 0.05;
process.exit(failures.length > 0 || handlesLeft.length > 0 || growth > noise ? 1 : 0);
