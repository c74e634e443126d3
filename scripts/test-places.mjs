// Runs README's two commands, `npm ci && npm start` and `npm test`, where they could fail and not here: in a fresh clone
// of HEAD, in a folder with a space and an ö in its name, below a folder that only its owner may enter, with the umask
// 077, in another time zone, and with a folder in PATH that may not be read. As an ordinary user on each version of
// Node.js that docs/guide/ci.md promises, and then as root on this one. Root runs the first parts as `nobody`, who gets a
// home in a temporary folder. Other users do not run the last part.
//
//   npm run test:places               about five times as long as npm test
//   npm run test:places -- 24 26      as an ordinary user on these versions only
//   npm run test:places -- --quick    as an ordinary user on this version only
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installNode } from "./install-node.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false } },
});
/** The versions that docs/guide/ci.md names. */
const versions = ["20", "22", "24", "26"];
const nobody = { uid: 65_534, gid: 65_534 };

process.umask(0o077);
let hasFailed = false;
for (const part of parts()) {
  const folder = mkdtempSync(join(tmpdir(), "places-"));
  try {
    await tryCommands(part, folder);
  } catch (error) {
    hasFailed = true;
    console.log(`FAILED as ${part.who}, on Node.js ${part.version ?? process.version}: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exitCode = hasFailed ? 1 : 0;

/** Who runs the commands, in which time zone, and on which version of Node.js; on this one if none is named. */
function parts() {
  const isWhole = !flags.quick && positionals.length === 0;
  const asRoot = isWhole ? [{ who: "root", user: {}, zone: "America/St_Johns" }] : [];
  const chosen = flags.quick ? [undefined] : isWhole ? versions : positionals;
  const onEach = (who, user) => chosen.map((version) => ({ who, user, zone: "Asia/Kolkata", version }));
  if (process.getuid?.() !== 0) {
    if (isWhole) console.log("SKIPPED: as root, because this user is not root");
    return onEach("this user", {});
  }
  if (spawnSync("npm", ["--version"], { ...nobody, cwd: tmpdir(), env: environment() }).status !== 0) {
    console.log("SKIPPED: as an ordinary user, because nobody else may run this npm, or enter the temporary folder");
    return asRoot;
  }
  return [...onEach("nobody", nobody), ...asRoot];
}

/** The variables of this process that another user can use: npm adds the paths and settings of the user who runs it. */
function environment() {
  const kept = /^(LANG|LC_\w+|TERM|CI|NO_COLOR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(https?|all|no)_proxy)$/i;
  const path = process.env.PATH.split(delimiter).filter((each) => !each.includes("node_modules"));
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name))),
    PATH: path.join(delimiter),
  };
}

/**
 * @param folder empty, and for this part only
 * @throws Error when one of the commands fails
 */
async function tryCommands({ who, user, zone, version }, folder) {
  const [clone, closed, home] = ["a clone, ö", "closed", "home"].map((name) => join(folder, name));
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", root, clone], { stdio: "inherit" });
  const node = version === undefined ? [] : [installNode(version, join(folder, "node"))];
  mkdirSync(closed, { mode: 0o000 });
  mkdirSync(home);
  if (user.uid !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, folder]);
  const own = environment();
  const env = { ...own, ...registry(), HOME: home, TZ: zone, PATH: [closed, ...node, own.PATH].join(delimiter) };
  const options = { ...user, cwd: clone, env };
  const where = `as ${who}, on Node.js ${nodeOf(options)}, in ${clone}`;

  try {
    console.log(`\n== ${where}: npm ci && npm start`);
    await run("npm", ["ci"], options);
    await start(options);
    console.log(`\n== ${where}: npm test`);
    await run("npm", ["test"], options);
    console.log(`PASSED ${where}`);
  } finally {
    // From Node.js 24 on, a folder that is closed to its owner cannot be removed.
    chmodSync(closed, 0o700);
  }
}

/** The version of the Node.js that runs npm. */
function nodeOf(options) {
  return execFileSync("node", ["--version"], { ...options, encoding: "utf8" }).trim();
}

/** Where npm finds packages. A home of its own has no settings. */
function registry() {
  const value = (name) => execFileSync("npm", ["config", "get", name], { cwd: root, encoding: "utf8" }).trim();
  const cafile = value("cafile");
  return { npm_config_registry: value("registry"), ...(cafile !== "null" && { npm_config_cafile: cafile }) };
}

async function run(program, args, options) {
  const [status, signal] = await once(spawn(program, args, { ...options, stdio: "inherit" }), "close");
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${signal ?? status}`);
}

/** Starts a sandbox on free ports, waits until it is healthy, and ends it with Ctrl+C: no process may be left. */
async function start(options) {
  const env = { ...options.env, SANDBOX_PORT: "0", SANDBOX_ADMIN_PORT: "0" };
  const child = spawn("npm", ["start"], { ...options, env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  let printed = "";
  const ready = new Promise((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      process.stdout.write(text);
      printed += text;
      const [, admin] = /^Ready on \S+ \(admin (\S+)\)/m.exec(printed) ?? [];
      if (admin !== undefined) resolve(admin);
    });
  });
  const admin = await Promise.race([ready, ended.then(() => undefined)]);
  if (admin === undefined) throw new Error("npm start ended before the sandbox was ready");
  while (!(await fetch(`${admin}/health`)).ok) await new Promise((resolve) => setTimeout(resolve, 50));
  process.kill(-child.pid, "SIGINT");
  await ended;
  if (runs(child.pid)) throw new Error("npm start has ended, and a process of it still runs");
}

/** Whether a process of a group still runs. */
function runs(group) {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
