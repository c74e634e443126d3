// Runs the client recipes of examples/, each against its own sandbox (`payments-sandbox run`), with many scenarios, and
// checks what they print and send. Then each recipe takes the exam (`payments-sandbox exam`), and must fail no check, and
// is explored with a few single failures (`payments-sandbox explore`). The programs of docs/guide/exam.md have no cases.
// Clients of HTTP/2 repeat a few cases and the exam against sandboxes that have it turned off. A recipe whose toolchain
// is not installed is skipped, and reported. Only the npm packages that recipes name are installed, in a temporary
// folder.
//
//   npm run test:examples                          every recipe
//   npm run test:examples -- python go             these
//   npm run test:examples -- --case unauthorized   the cases whose name contains this
//   npm run test:examples -- --case exam           only the exam
//   npm run test:examples -- --case explore        only the single failures
//   npm run test:examples -- --short               one case, five drills of the exam, and three single failures; one
//                                                  program takes the whole exam
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  cases,
  casesOverBoth,
  checkAlways,
  checkVersion,
  exploredCells,
  overHttp1,
  shortCases,
  shortDrills,
  shortOnly,
} from "./examples/cases.mjs";
import { prepare, recipes, versionOf } from "./examples/recipes.mjs";
import { buildShipped } from "./shipped.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const observer = join(root, "scripts", "examples", "observe.mjs");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { case: { type: "string" }, short: { type: "boolean" } },
});
const chosenCases = cases.filter(
  ({ name }) => name.includes(values.case ?? "") && (!values.short || shortCases.includes(name)),
);
const chosenRecipes = positionals.length > 0 ? positionals : Object.keys(recipes);
const unknown = chosenRecipes.filter((name) => !Object.hasOwn(recipes, name));
const takesExam = "exam".includes(values.case ?? "");
const isExplored = "explore".includes(values.case ?? "");
if (unknown.length > 0 || (chosenCases.length === 0 && !takesExam && !isExplored)) {
  const names = [...cases.map(({ name }) => name), "exam", "explore"];
  console.error(`recipes: ${Object.keys(recipes).join(", ")}\ncases: ${names.join(", ")}`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), "examples-"));
const tally = { passed: 0, failed: 0, skipped: [] };
try {
  const cli = buildShipped(join(work, "sandbox"));
  const foreign = chosenCases.some((each) => each.foreign) ? copyOfOtherCertificates(cli) : undefined;
  for (const name of chosenRecipes) testRecipe(name, cli, foreign);
} finally {
  rmSync(work, { recursive: true, force: true });
}
const skipped = tally.skipped.length > 0 ? `; skipped ${tally.skipped.join(", ")}` : "";
console.log(`${tally.passed} passed, ${tally.failed} failed${skipped}`);
process.exitCode = tally.failed > 0 ? 1 : 0;

function testRecipe(name, cli, foreign) {
  const versions = recipes[name].needs.map((need) => [need[0], versionOf(need)]);
  const missing = versions
    .filter(([, version]) => version === undefined)
    .map(([program]) => recipes[name].called ?? program);
  if (missing.length > 0) {
    console.log(`- ${name}: skipped, there is no ${missing.join(", no ")} here`);
    tally.skipped.push(name);
    return;
  }
  console.log(`${name} (${[...versions.map(([, version]) => version), ...packagesOf(name)].join("; ")})`);
  const { folder, command } = prepare(name, join(root, "examples"), work);
  const { speaksHttp2, isForExam } = recipes[name];
  const repeats = speaksHttp2 && (!values.short || name === shortOnly.overHttp1);
  const again = repeats ? chosenCases.filter((each) => casesOverBoth.includes(each.name)).map(overHttp1) : [];
  for (const each of isForExam ? [] : [...chosenCases, ...again]) {
    const started = performance.now();
    const outcome = runCase(each, folder, command, cli, foreign);
    try {
      checkAlways(outcome);
      checkVersion(outcome, speaksHttp2 && !again.includes(each) ? "HTTP/2" : "HTTP/1.1");
      each.check(outcome);
      tally.passed += 1;
      console.log(`  ✓ ${each.name} (${Math.round(performance.now() - started)} ms)`);
    } catch (error) {
      tally.failed += 1;
      const sent = outcome.requests.map(
        ({ method, target, status, code }) => `${method} ${target} ${status} ${code ?? ""}`,
      );
      console.log(`  ✗ ${each.name}: ${error.message}\n${outcome.stdout}${outcome.stderr}${sent.join("\n")}\n`);
    }
  }
  if (takesExam) {
    takeExam("exam", name, folder, command, cli);
    if (speaksHttp2 && !values.short)
      takeExam("exam, over HTTP/1.1", name, folder, command, cli, ["--alpn", "http/1.1"]);
  }
  if (isExplored) explore(folder, command, cli);
}

/** A recipe must survive each failure, and the failure must have acted. */
function explore(folder, command, cli) {
  const started = performance.now();
  const file = join(work, "explored.json");
  rmSync(file, { force: true });
  const wanted = values.short ? exploredCells.slice(0, 3) : exploredCells;
  const settings = ["--fail-on", "should", "--only", ...wanted, "--report", file];
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "explore", ...settings, "--", ...command], {
    cwd: folder,
    encoding: "utf8",
  });
  const { cells } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { cells: [] };
  const survived = cells.filter(({ counts }) => counts === "good");
  if (status === 0 && survived.length === wanted.length) {
    tally.passed += 1;
    console.log(`  ✓ explore (${Math.round(performance.now() - started)} ms)`);
  } else {
    tally.failed += 1;
    console.log(
      `  ✗ explore: exit status ${status}, survived ${survived.length} of ${wanted.length}\n${stderr}${stdout}`,
    );
  }
}

/** How many drills of a report passed the checks of the answer sheet: its rows, its codes. */
function answersIn(file) {
  const { drills } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { drills: [] };
  const passed = drills.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === "pass"));
  return ["answers.rows", "answers.code"].map((id) => passed.filter((check) => check.id === id).length);
}

/** A recipe must not fail a check of either level, and must write an answer sheet. */
function takeExam(title, name, folder, command, cli, settings = []) {
  const started = performance.now();
  const drills = values.short && name !== shortOnly.wholeExam ? ["--drill", ...shortDrills] : [];
  const ignored = (recipes[name].ignores ?? []).flatMap((id) => ["--ignore", id]);
  const file = join(work, "report.json");
  rmSync(file, { force: true });
  const args = [
    cli,
    "exam",
    "--fail-on",
    "should",
    "--report",
    file,
    ...settings,
    ...ignored,
    ...drills,
    "--",
    ...command,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const answers = answersIn(file);
  if (status === 0 && answers.every((count) => count > 0)) {
    tally.passed += 1;
    console.log(`  ✓ ${title} (${Math.round(performance.now() - started)} ms)`);
  } else {
    tally.failed += 1;
    console.log(
      `  ✗ ${title}: exit status ${status}, drills with an answer sheet: ${answers.join(", ")}\n${stderr}${stdout}`,
    );
  }
}

/** The versions of Node.js and the packages, if a recipe runs on Node.js. */
function packagesOf(name) {
  if (recipes[name].needs.length > 0) return [];
  const file = join(root, "examples", name, "package.json");
  const { dependencies = {} } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return [`Node.js ${process.version}`, ...Object.entries(dependencies).map((each) => each.join(" "))];
}

/** Runs the command of a recipe once, against its own sandbox. */
function runCase({ scenario, seed, yaml = "", overrides = {}, foreign: withForeign }, folder, command, cli, foreign) {
  const output = join(work, "outcome.json");
  const config = join(work, "sandbox.yaml");
  writeFileSync(config, yaml);
  rmSync(output, { force: true });
  const changes = withForeign ? { SANDBOX_CA_FILE: foreign.ca, SANDBOX_P12_FILE: foreign.bundle } : overrides;
  const settings = ["--scenarios", join(root, "test", "examples", "scenarios"), "--config", config];
  if (scenario !== undefined) settings.push("--scenario", scenario);
  if (seed !== undefined) settings.push("--seed", seed);
  const observed = [process.execPath, observer, output, JSON.stringify(changes), ...command];
  const { stderr } = spawnSync(process.execPath, [cli, "run", ...settings, "--", ...observed], {
    cwd: folder,
    encoding: "utf8",
  });
  try {
    return JSON.parse(readFileSync(output, "utf8"));
  } catch {
    throw new Error(`The sandbox did not run the command:\n${stderr}`);
  }
}

/** The CA and a bundle of a sandbox that no longer runs: a client that trusts them must not trust another sandbox. */
function copyOfOtherCertificates(cli) {
  const folder = join(work, "foreign");
  mkdirSync(folder);
  const script = `
    const { cpSync } = require("node:fs");
    cpSync(process.env.SANDBOX_CA_FILE, "ca.pem");
    cpSync(process.env.SANDBOX_P12_FILE, "client.p12");`;
  execFileSync(process.execPath, [cli, "run", "--", process.execPath, "-e", script], { cwd: folder, stdio: "ignore" });
  return { ca: join(folder, "ca.pem"), bundle: join(folder, "client.p12") };
}
