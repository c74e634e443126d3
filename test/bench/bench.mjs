// `npm run bench`: the sandbox next to its peers, each in its own process, round after round. See docs/benchmarks.md.
//   --quick           short rounds, to check that it works: the figures are not measurements
//   --only NAME       one group of rows; may be repeated
//   --cli FILE        the dist/cli.js to measure, instead of a new build
//   --against FILE    another dist/cli.js, to compare two versions
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));

const groups = {
  suite: ["suite", "suite"],
  ping: ["ping", "ping"],
  http2: ["http2", "http2"],
  token: ["token", "token"],
  pages: ["pages", "pages"],
  handshakes: ["handshakes", "handshakes"],
  start: ["start", "start"],
  deep: ["growth", "deepPages"],
  clients: ["growth", "manyClients"],
  rules: ["growth", "manyRules"],
  shared: ["shared", "shared"],
  "shared-clients": ["shared", "sharedClients"],
  endurance: ["endurance", "endurance"],
};

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    cli: { type: "string" },
    against: { type: "string" },
  },
});
for (const name of flags.only ?? []) {
  if (!(name in groups)) {
    console.error(`There is no group "${name}". There are ${Object.keys(groups).join(", ")}.`);
    process.exit(2);
  }
}
if (!existsSync(join(here, "node_modules"))) {
  console.log("Installing the peers in test/bench ...");
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
}

const { Bench } = await import("./lib/bench.mjs");
const { certificateFiles } = await import("./lib/certificates.mjs");
const { describeMachine, printTable } = await import("./lib/report.mjs");
const { identitiesReady, startSandbox } = await import("./contenders.mjs");

const folder = mkdtempSync(join(tmpdir(), "sandbox-bench-"));
try {
  const cli = flags.cli ?? build(folder);
  const certs = certificateFiles(join(folder, "certs"));
  const maker = await startSandbox(cli, certs);
  await identitiesReady(maker);
  await maker.stop();

  const bench = new Bench({ cli, against: flags.against, certs, folder, quick: flags.quick });
  const machine = describeMachine();
  for (const name of flags.only ?? Object.keys(groups)) {
    const [file, group] = groups[name];
    const module = await import(`./rows/${file}.mjs`);
    console.log(`${name} ...`);
    await module[group](bench);
  }
  printTable(bench, machine);
  mkdirSync(join(here, "results"), { recursive: true });
  const file = join(here, "results", `${machine.date.replace(/:/g, "-")}.json`);
  const { rows, figures, notes, quick } = bench;
  writeFileSync(file, `${JSON.stringify({ machine, quick, rows, figures, notes }, undefined, 2)}\n`);
  console.log(`\nWritten to ${file}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The bench has its own build, because `npm start` in another shell replaces dist/. */
function build(folder) {
  execFileSync(process.execPath, [join(root, "scripts", "build.mjs"), "--quick", "--out", join(folder, "dist")], {
    stdio: "inherit",
  });
  cpSync(join(root, "scenarios"), join(folder, "scenarios"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  return join(folder, "dist", "cli.js");
}
