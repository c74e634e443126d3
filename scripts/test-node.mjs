// Runs npm test on other versions of Node.js, each in a temporary folder.
//
//   npm run test:node                  on the version of the container image
//   npm run test:node -- 22 26         on these versions
//   npm run test:node -- 26 --quick    what can differ by version: TLS, HTTP, certificates, the package
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installNode } from "./install-node.mjs";

/** What depends on Node's own TLS, HTTP and OpenSSL, and on what the package needs of Node. */
const quick = [
  ...["base/x509", "library", "package"],
  ...["connection", "records", "tls"].map((folder) => `sandbox/${folder}`),
  // The others are about files.
  ...["authority", "chained", "defective-server", "pkcs12"].map((name) => `sandbox/pki/${name}`),
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false } },
});
const versions = positionals.length > 0 ? positionals : [versionOfImage()];

const work = mkdtempSync(join(tmpdir(), "test-node-"));
try {
  for (const version of versions) if (!test(version)) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

function versionOfImage() {
  const [, version] = /^FROM node:(\d+)/m.exec(readFileSync(join(root, "Dockerfile"), "utf8")) ?? [];
  if (version === undefined) throw new Error("The Dockerfile names no version of Node.js.");
  return version;
}

/** @returns whether everything passed */
function test(version) {
  let bin;
  try {
    bin = installNode(version, join(work, version));
  } catch (error) {
    console.error(`FAILED: ${error.message}`);
    return false;
  }
  // The children of tests use it, too.
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const run = (...given) => spawnSync(join(bin, "node"), given, { cwd: root, env, stdio: "inherit" }).status === 0;
  run("-p", "`== Node.js `.concat(process.version, ` `, process.release.lts ?? `without long-term support`)");
  const projects = ["alone", "parts"].flatMap((name) => ["--project", name]);
  const files = flags.quick ? quick.map((path) => `test/${path}`) : [];
  return run(join(root, "node_modules/vitest/vitest.mjs"), "run", "--tags-filter=!slow", ...projects, ...files);
}
