// Every test there is, one step after the other; the last ones, which wait as often as they work, two at a time. Steps that need what is
// not on this machine are skipped, and say so.
//
//   npm run test:all
//   npm run test:all -- --short                  soak and fuzz for a minute each, the recipes under six scenarios and drills
//   npm run test:all -- --only soak --only fuzz  these steps
//   npm run test:all -- --skip quick             every step but this one
import { spawn } from "node:child_process";
import { once } from "node:events";
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

/** Each with the npm script that it is. The tests of a suite are counted; any other step counts as one, and can run beside another one. */
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
const chosen = steps.filter(({ name }) => !flags.skip.includes(name) && (flags.only ?? [name]).includes(name));
try {
  for (const step of chosen.filter(({ suite }) => suite)) await count(step, "inherit");
  const queue = chosen.filter(({ suite }) => !suite);
  const takeTurns = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) await count(step, "pipe");
  };
  await Promise.all([takeTurns(), takeTurns()]);
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (failures.length > 0) console.log(`FAILED: ${failures.join(", ")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function count(step, output) {
  const { passed, failed } = await runStep(step, output);
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) failures.push(step.name);
}

/**
 * Runs the script of a step, and counts.
 * @param output where its output goes: "inherit" shows it at once, "pipe" once the step is over, so that steps side by side do not mix
 */
async function runStep({ name, script, args = [], suite = false }, output) {
  const title = `\n== ${name}: npm run ${[script, ...args].join(" ")}`;
  if (output === "inherit") console.log(title);
  const report = join(work, `${name}.json`);
  const reporters = suite ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] : [];
  const started = performance.now();
  // npm is a script of the shell on Windows.
  const npm = process.platform === "win32" ? { command: "npm.cmd", shell: true } : { command: "npm", shell: false };
  const child = spawn(npm.command, ["run", "--silent", script, "--", ...args, ...reporters], {
    cwd: root,
    stdio: ["inherit", output, output],
    shell: npm.shell,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  }
  const [status] = await once(child, "close");
  if (output === "pipe") console.log(`${title}\n${printed.trimEnd()}`);
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
