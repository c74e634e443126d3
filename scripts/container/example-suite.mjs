// Runs the clients of examples/ that need only Node.js against a sandbox that runs already, for example in another
// container. Every case has its own client, so cases run in parallel and do not disturb other users of the sandbox.
//
//   docker compose run --rm test                      every recipe
//   docker compose run --rm test openid-client        this one
//   docker compose run --rm test --case unauthorized  the cases whose name contains this
//
// Environment: SANDBOX_URL, SANDBOX_ADMIN_URL, and SANDBOX_ADMIN_TOKEN if one is required.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { connectSandbox } from "business-payments-sandbox";
import { cases, checkAlways } from "../examples/cases.mjs";
import { nodeRecipes } from "../examples/recipes.mjs";
import { arrange } from "./shared-sandbox.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const examples = join(root, "examples");
const vitestExample = "vitest";

/** How long to wait for the sandbox, in milliseconds: not every engine waits for its health check. */
const patience = 30_000;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { case: { type: "string" } } });
const known = [...nodeRecipes, vitestExample];
const chosen = positionals.length > 0 ? positionals : known;
const chosenCases = cases.filter(({ name }) => name.includes(values.case ?? ""));
if (chosen.some((name) => !known.includes(name)) || chosenCases.length === 0) {
  console.error(`recipes: ${known.join(", ")}\ncases: ${cases.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const tally = { passed: 0, failed: 0, skipped: 0 };
const work = mkdtempSync(join(tmpdir(), "suite-"));
const url = process.env["SANDBOX_URL"] || "https://localhost:8443";
try {
  const sandbox = await connect();
  console.log(`${url}, admin ${sandbox.adminUrl}, Node.js ${process.version}`);
  await testRecipes(sandbox);
  if (chosen.includes(vitestExample) && values.case === undefined) testVitestExample();
  await sandbox.close();
} catch (error) {
  console.error(error.message);
  tally.failed += 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exitCode = tally.failed > 0 ? 1 : 0;

async function connect() {
  for (const deadline = Date.now() + patience; ; ) {
    try {
      return await connectSandbox();
    } catch (error) {
      if (error.code !== "UNREACHABLE" || Date.now() > deadline) throw error;
    }
    await sleep(250);
  }
}

/** Runs every case of every chosen recipe, a few at a time, because most of them wait for something. */
async function testRecipes(sandbox) {
  const uploaded = await uploadScenarios(sandbox);
  const waiting = chosen
    .filter((name) => name !== vitestExample)
    .flatMap((recipe) => chosenCases.map((each) => [recipe, each]));
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await testCase(sandbox, uploaded, ...next);
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() * 2 }, worker));
  } finally {
    for (const name of uploaded.values()) await sandbox.removeScenario(name);
  }
}

/**
 * Uploads the suite's own scenarios, under unique names.
 * @returns these, by the names that the cases use
 */
async function uploadScenarios(sandbox) {
  const folder = join(root, "test", "examples", "scenarios");
  const uploaded = new Map();
  for (const file of readdirSync(folder)) {
    const name = basename(file, ".yaml");
    await sandbox.defineScenario(`suite-${process.pid}-${name}`, readFileSync(join(folder, file), "utf8"));
    uploaded.set(name, `suite-${process.pid}-${name}`);
  }
  return uploaded;
}

async function testCase(sandbox, uploaded, recipe, each) {
  const title = `${recipe}: ${each.name}`;
  const client = await sandbox.createClient({ seed: each.seed });
  const folder = join(work, client.clientId);
  mkdirSync(folder);
  let outcome = { requests: [], stdout: "", stderr: "" };
  try {
    const { skipped, environment, check } = await arrange(each, { client, folder, url, uploaded });
    if (skipped !== undefined) {
      tally.skipped += 1;
      console.log(`- ${title}: skipped, ${skipped}`);
      return;
    }
    const started = performance.now();
    const ended = await run([process.execPath, "main.mjs"], join(examples, recipe), environment);
    outcome = { ...ended, requests: (await client.requests()).reverse() };
    checkAlways(outcome);
    check(outcome);
    tally.passed += 1;
    console.log(`✓ ${title} (${Math.round(performance.now() - started)} ms)`);
  } catch (error) {
    tally.failed += 1;
    const sent = outcome.requests.map(({ method, target, status, code }) => `${method} ${target} ${status} ${code}`);
    console.log(`✗ ${title}: ${error.message}\n${outcome.stdout}${outcome.stderr}${sent.join("\n")}\n`);
  } finally {
    await client.delete();
  }
}

/**
 * Runs a program to its end. Its environment does not have the variables of the sandbox's operator, such as the admin
 * token.
 */
function run([program, ...args], cwd, environment) {
  const { PATH } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, ...environment }, timeout: 60_000 });
  const outcome = { stdout: "", stderr: "", error: undefined };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (text) => {
      outcome[name] += text;
    });
  }
  return new Promise((resolve) => {
    child.on("error", (error) => {
      outcome.error = error.message;
    });
    child.on("close", (status, signal) => resolve({ ...outcome, status, signal }));
  });
}

/**
 * This example starts a sandbox in its own process, with the library of the image, like a test suite in a container.
 */
function testVitestExample() {
  const folder = join(examples, vitestExample);
  // Nothing is written next to the configuration: the file system is read-only here.
  const args = [join("node_modules", "vitest", "vitest.mjs"), "run", "--configLoader", "runner", "--no-cache"];
  const env = { ...process.env, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env });
  const passed = status === 0 && / 100 passed \(100\)/.test(stdout);
  tally[passed ? "passed" : "failed"] += 1;
  console.log(passed ? "✓ vitest: 100 tests on a sandbox in their own process" : `✗ vitest:\n${stdout}${stderr}`);
}
