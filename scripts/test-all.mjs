// Runs all tests, and checks format, lint, types and unused code. Two steps run at a time, because each often waits. A
// step whose programs are not installed is skipped, and says so.
//
//   npm run test:all
//   npm run test:all -- --only openapi --only fuzz  these steps
//   npm run test:all -- --skip quick                every step except this one
//   npm run night                                   what takes a night, and a machine of its own: longer forms of the
//                                                   same, soak and bench
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: {
    night: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    skip: { type: "string", multiple: true, default: [] },
  },
});

/**
 * The steps, each with its npm script: long ones first. The tests of a suite are counted; any other step counts as one.
 * What measures runs alone, after the others.
 */
const steps = flags.night
  ? [
      { name: "tests", script: "test:night", suite: true },
      { name: "browser", script: "test:browser", args: ["--tags-filter=night"], suite: true },
      { name: "examples", script: "test:examples" },
      { name: "soak", script: "soak" },
      { name: "fuzz", script: "fuzz", args: ["--seconds", "3600"] },
      { name: "proof", script: "calibrate:proof" },
      { name: "bench", script: "bench", measures: true },
    ]
  : [
      { name: "quick", script: "test", suite: true },
      { name: "slow", script: "test:slow", suite: true },
      { name: "browser", script: "test:browser", args: ["--tags-filter=!night"], suite: true },
      { name: "examples", script: "test:examples", args: ["--short"] },
      { name: "tagged", script: "test:tagged", files: filesWithTag("slow"), suite: true },
      { name: "openapi", script: "test:openapi" },
      { name: "fuzz", script: "fuzz", args: ["--seconds", "20"] },
      ...["format", "lint", "types", "knip"].map((script) => ({ name: script, script })),
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
  const queue = chosen.filter(({ measures }) => !measures);
  const output = queue.length > 1 ? "pipe" : "inherit";
  const takeTurns = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) await count(step, output);
  };
  await Promise.all([takeTurns(), takeTurns()]);
  for (const step of chosen.filter(({ measures }) => measures)) await count(step, "inherit");
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (failures.length > 0) console.log(`FAILED: ${failures.join(", ")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Only these files are loaded: loading all takes longer than the tests with the tag. */
function filesWithTag(tag) {
  return readdirSync(join(root, "test"), { recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join("test", file))
    .filter((file) => readFileSync(join(root, file), "utf8").includes(`tags: "${tag}"`));
}

async function count(step, output) {
  const { passed, failed } = await runStep(step, output);
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) failures.push(step.name);
}

/**
 * Runs the script of a step, and counts.
 * @param output "inherit" shows the output at once; "pipe" shows it when the step has ended, so that parallel steps do
 *   not mix
 */
async function runStep({ name, script, args = [], files = [], suite = false }, output) {
  const title = `\n== ${name}: npm run ${[script, ...args].join(" ")}`;
  if (output === "inherit") console.log(title);
  const report = join(work, `${name}.json`);
  const reporters = suite ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] : [];
  const started = performance.now();
  // On Windows, npm is a script that needs a shell.
  const npm = process.platform === "win32" ? { command: "npm.cmd", shell: true } : { command: "npm", shell: false };
  const child = spawn(npm.command, ["run", "--silent", script, "--", ...args, ...files, ...reporters], {
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
  // A suite that aborts has failed, whatever it counted.
  if (status !== 0 && counts.failed === 0) counts.failed = 1;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
  return counts;
}

/** The counts of vitest; zero if it did not finish. */
function countsIn(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
