// Every test there is, one step after the other. Steps that need what is not on this machine are skipped, and say so.
//
//   npm run test:all
//   npm run test:all -- --short                  soak and fuzz for a minute each, the recipes under six scenarios and drills
//   npm run test:all -- --only soak --only fuzz  these steps
//   npm run test:all -- --skip quick             every step but this one
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    skip: { type: "string", multiple: true, default: [] },
  },
});

/** Each with the npm script that it is. The tests of a suite are counted; any other step counts as one. */
const steps = [
  { name: "quick", script: "test", suite: true },
  { name: "slow", script: "test:slow", suite: true },
  { name: "browser", script: "test:browser", suite: true },
  { name: "examples", script: "test:examples", args: flags.short ? ["--short"] : [] },
  { name: "openapi", script: "test:openapi" },
  { name: "soak", script: "soak", args: ["--minutes", flags.short ? "1" : "10"] },
  { name: "fuzz", script: "fuzz", args: ["--seconds", flags.short ? "60" : "600"] },
];
const unknown = [...(flags.only ?? []), ...flags.skip].filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(", ")}. The steps: ${steps.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), "test-all-"));
const total = { passed: 0, failed: 0 };
const failures = [];
try {
  for (const step of steps) {
    if (flags.skip.includes(step.name) || !(flags.only ?? [step.name]).includes(step.name)) continue;
    const { passed, failed } = runStep(step);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) failures.push(step.name);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (failures.length > 0) console.log(`FAILED: ${failures.join(", ")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Runs the script of a step, shows what it says, and counts. */
function runStep({ name, script, args = [], suite = false }) {
  console.log(`\n== ${name}: npm run ${[script, ...args].join(" ")}`);
  const report = join(work, `${name}.json`);
  const reporters = suite ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] : [];
  const started = performance.now();
  // npm is a script of the shell on Windows.
  const npm = process.platform === "win32" ? { command: "npm.cmd", shell: true } : { command: "npm", shell: false };
  const { status } = spawnSync(npm.command, ["run", "--silent", script, "--", ...args, ...reporters], {
    cwd: root,
    stdio: "inherit",
    shell: npm.shell,
  });
  const counts = suite ? countsIn(report) : { passed: status === 0 ? 1 : 0, failed: 0 };
  // A suite that breaks off has failed, whatever it counted.
  if (status !== 0 && counts.failed === 0) counts.failed = 1;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
  return counts;
}

/** What vitest has counted. Nothing where it did not come to the end. */
function countsIn(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
