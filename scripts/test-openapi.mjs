// Tests that are too slow for `npm test`: Redocly's lint of the served OpenAPI document, and a client with types
// generated from it, which is compiled and run against a sandbox. Their packages are installed in a temporary folder.
//
//   npm run test:openapi
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildShipped } from "./shipped.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const work = mkdtempSync(join(tmpdir(), "openapi-"));

const packages = {
  "@redocly/cli": "2.77.0",
  "openapi-typescript": "7.13.0",
  "openapi-fetch": "0.17.0",
  typescript: "5.9.3",
  undici: "7.30.2",
  "@types/node": "20.19.43",
};

/** Redocly's strictest set of rules, except one: a sandbox is a server on localhost. */
const lint = ["lint", "--extends", "recommended-strict", "--skip-rule", "no-server-example.com"];

try {
  const cli = buildShipped(join(work, "sandbox"));
  writeFileSync(join(work, "package.json"), JSON.stringify({ private: true, type: "module", dependencies: packages }));
  step("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel", "error"]);

  fetchDocument(cli, "openapi.json", []);
  fetchDocument(cli, "configured.json", ["--config", join(root, "scripts", "openapi", "sandbox.yaml")]);
  step("npx", ["redocly", ...lint, "openapi.json", "configured.json"]);

  step("npx", ["openapi-typescript", "openapi.json", "--output", "schema.ts"]);
  cpSync(join(root, "scripts", "openapi", "client.ts"), join(work, "client.ts"));
  const strict = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--skipLibCheck"];
  step("npx", ["tsc", "--module", "nodenext", "--target", "es2023", "--types", "node", ...strict, "client.ts"]);
  const said = step(process.execPath, [cli, "run", "--", process.execPath, "client.js"]);
  const expected = /^ping: OK\nexample error: 400 EXAMPLE_ERROR\npaid payouts: 18, the newest over [A-Z]{3}$/m;
  if (!expected.test(said)) throw new Error("The generated client did not print the expected output.");
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/**
 * Runs a program in the work folder, and shows its output.
 * @returns its standard output;
 * @throws Error when it fails
 */
function step(program, args) {
  console.log(`$ ${[program, ...args].join(" ")}`);
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: work, encoding: "utf8" });
  process.stdout.write(stdout + stderr);
  if (status !== 0) throw new Error(`${program} ${args[0]} failed`);
  return stdout;
}

/** The document of a sandbox with these settings, as it is served. */
function fetchDocument(cli, name, settings) {
  const script = `
    const answer = await fetch(process.env.SANDBOX_ADMIN_URL + "/openapi.json");
    (await import("node:fs")).writeFileSync(${JSON.stringify(name)}, await answer.text());`;
  const command = [process.execPath, "--input-type=module", "-e", script];
  execFileSync(process.execPath, [cli, "run", ...settings, "--", ...command], { cwd: work, stdio: "ignore" });
}
