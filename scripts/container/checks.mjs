// The checks of the sandbox under docker-compose.yml. Each one returns what it measured, or throws.
import assert from "node:assert/strict";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { docker, run, Service } from "./engine.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Milliseconds from SIGTERM to the end of an idle sandbox, including the engine's own work. */
const stopTime = 1000;

export const checks = [
  { name: "is healthy", check: isHealthy },
  { name: "has only the privileges that it needs", check: isConfined },
  { name: "runs as the owner of ./certs", check: runsAsOwner },
  { name: "leaves files that the owner of ./certs can use", check: leavesOwnedFiles },
  { name: "serves a client on the host that reads ./certs", check: servesTheHost },
  { name: "contains only production files", check: holdsProductionFiles },
  { name: "reloads a saved scenario", check: reloadsScenarios },
  { name: "takes its settings from the environment", check: takesSettings },
  { name: "passes the example suite, run in another container", check: passesSuite },
  { name: "stops within a second", check: stopsSoon },
];

async function isHealthy({ service }) {
  await service.healthy();
  return "";
}

function isConfined({ service }) {
  const { HostConfig, Mounts } = service.facts;
  const capabilities = (names) => (names ?? []).map((name) => name.replace(/^CAP_/, "")).sort();
  assert.equal(HostConfig.ReadonlyRootfs, true, "the root file system is read-only");
  assert.equal(HostConfig.Privileged, false);
  // It would run as root, and could not pass SIGTERM on.
  assert.ok(!HostConfig.Init, "no init process");
  assert.deepEqual(capabilities(HostConfig.CapDrop), ["ALL"]);
  assert.deepEqual(capabilities(HostConfig.CapAdd), ["SETGID", "SETUID"]);
  assert.match(HostConfig.SecurityOpt.join(" "), /no-new-privileges(:true)?/);
  const writable = Mounts.filter(({ RW }) => RW).map(({ Destination }) => Destination);
  assert.deepEqual(writable, ["/certs"]);
  const code = service.evaluate(`
    let code = "written";
    try { require("node:fs").writeFileSync("/app/dist/x", "x"); } catch (error) { code = error.code; }
    console.log(JSON.stringify(code));`);
  assert.match(code, /EROFS|EACCES/, "nothing can be written next to the program");
  return "read-only, no-new-privileges, ALL dropped except SETUID and SETGID";
}

function runsAsOwner({ service }) {
  const { uid, gid } = lstatSync(service.mounted("/certs"));
  const status = service.evaluate(`
    const { readdirSync, readFileSync } = require("node:fs");
    const own = readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).map((pid) => {
      try {
        const line = readFileSync("/proc/" + pid + "/cmdline", "utf8").split("\\0").join(" ");
        return /^node .*container\\.js start/.test(line) ? readFileSync("/proc/" + pid + "/status", "utf8") : undefined;
      } catch { return undefined; }
    });
    console.log(JSON.stringify(own.find((text) => text !== undefined) ?? ""));`);
  const line = (name) => new RegExp(`^${name}:\\s*(.*?)\\s*$`, "m").exec(status)?.[1].split(/\s+/);
  assert.deepEqual(line("Uid"), Array(4).fill(String(uid)));
  assert.deepEqual(line("Gid"), Array(4).fill(String(gid)));
  assert.deepEqual(line("NoNewPrivs"), ["1"]);
  // Root keeps the two capabilities; any other user has none.
  const [effective = ""] = line("CapEff");
  assert.equal(Number.parseInt(effective, 16), uid === 0 ? 0xc0 : 0, "capabilities in effect");
  return `uid ${uid}, gid ${gid}, capabilities ${effective}`;
}

function leavesOwnedFiles({ service }) {
  const certs = service.mounted("/certs");
  const { uid, gid } = lstatSync(certs);
  const files = readdirSync(certs, { recursive: true }).filter((name) => !/^(README\.md|\.gitignore)$/.test(name));
  for (const name of files) {
    const found = lstatSync(join(certs, name));
    assert.deepEqual([name, found.uid, found.gid], [name, uid, gid]);
  }
  assert.ok(files.includes(join("clients", "demo", "key.pem")));
  return `${files.length} files and folders of uid ${uid}`;
}

/** Uses the paths and the address of client.env, which are valid on the host. */
function servesTheHost({ service }) {
  const text = readFileSync(join(service.mounted("/certs"), "clients", "demo", "client.env"), "utf8");
  const env = Object.fromEntries([...text.matchAll(/^(SANDBOX_\w+)=['"]?(.*?)['"]?$/gm)].map(([, ...pair]) => pair));
  assert.ok(existsSync(env.SANDBOX_KEY_FILE), `${env.SANDBOX_KEY_FILE} is a file of the host`);
  const said = run(process.execPath, [join(root, "examples", "node-https", "main.mjs")], { env });
  assert.match(said, /^ping: ok$/m);
  return `${env.SANDBOX_URL}: ${said.trim().split("\n").join(", ")}`;
}

function holdsProductionFiles({ service }) {
  const files = service.evaluate(`
    const { lstatSync, readdirSync } = require("node:fs");
    const files = readdirSync("/app", { recursive: true }).filter((name) => lstatSync("/app/" + name).isFile());
    console.log(JSON.stringify(files.map((name) => [name, lstatSync("/app/" + name).size])));`);
  const production =
    /^(LICENSE|package\.json|entrypoint\.sh|sandbox\.yaml|dist\/.+\.(js|css|svg|txt)|scenarios\/[^/]+\.(yaml|json))$/;
  const others = files.filter(([name]) => !production.test(name) || /(^|\/)(node_modules|src|test|types)\//.test(name));
  assert.deepEqual(others, []);
  const bytes = files.reduce((sum, [, size]) => sum + size, 0);
  const { Size } = JSON.parse(docker("image", "inspect", service.facts.Image))[0];
  return `${files.length} files, ${megabytes(bytes)}; with Node.js and Debian ${megabytes(Size)}`;
}

async function reloadsScenarios({ service, admin }) {
  const name = `check-container-${process.pid}`;
  const file = join(service.mounted("/scenarios"), `${name}.yaml`);
  const seen = async (description) => {
    const savedAt = performance.now();
    for (;;) {
      const { items } = await admin("/scenarios");
      if (items.find((item) => item.name === name)?.description === description) return performance.now() - savedAt;
      if (performance.now() - savedAt > 10_000) throw new Error(`${file} is not ${description ?? "removed"}`);
      await sleep(10);
    }
  };
  const save = (description) => {
    writeFileSync(file, `description: ${description}\nrules:\n  - then: { error: SERVICE_UNAVAILABLE }\n`);
    return seen(description);
  };
  const times = [];
  try {
    for (const description of ["new", "changed"]) times.push(await save(description));
  } finally {
    rmSync(file, { force: true });
  }
  times.push(await seen(undefined));
  const [added, changed, deleted] = times.map((time) => `${Math.round(time)} ms`);
  return `added after ${added}, changed after ${changed}, deleted after ${deleted}`;
}

/** Compose recreates the container when a variable changes, and again when it has its old value. */
async function takesSettings(context) {
  const env = {
    SANDBOX_SCENARIO: "maintenance",
    SANDBOX_SEED: "from-the-shell",
    SANDBOX_HOSTNAME: "check.internal",
    SANDBOX_LOG: "requests",
    SANDBOX_LOG_FORMAT: "json",
    SANDBOX_ADMIN_AUTH: "token",
    SANDBOX_ADMIN_TOKEN: "of-the-check",
  };
  const recreate = async (variables) => {
    context.service.compose(["up", "--detach", "--no-build", "sandbox"], variables);
    context.service = Service.find("sandbox");
    await context.service.healthy();
  };
  const started = () => docker("logs", context.service.id);
  try {
    await recreate(env);
    assert.match(started(), /^ *Scenario +maintenance +\(seed from-the-shell/m);
    assert.match(started(), /requires a token/);
    const answers = await Promise.all(
      [undefined, env.SANDBOX_ADMIN_TOKEN].map((token) => context.fetch("/scenario", token)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 200],
    );
    assert.equal((await answers[1].json()).name, "maintenance");
  } finally {
    await recreate({});
  }
  assert.doesNotMatch(started(), /from-the-shell/);
  return `${Object.keys(env).length} variables, and without them again`;
}

/**
 * Runs in its own container. The host's network has no names of services, so one recipe is run with names that are
 * added.
 */
function passesSuite({ service }) {
  const names = service.isOnHostNetwork
    ? {
        SANDBOX_TEST_URL: `https://localhost:${service.port(8443)}`,
        SANDBOX_TEST_ADMIN_URL: `http://localhost:${service.port(8090)}`,
      }
    : {};
  service.compose(["build", "test"]);
  const startedAt = performance.now();
  const said = [service.compose(["run", "--rm", "-T", "test"], names)];
  if (service.isOnHostNetwork) {
    const hosts = ["sandbox", "expired.localhost", "wrong-host.localhost"];
    const options = ["--network", "host", ...hosts.flatMap((name) => ["--add-host", `${name}:127.0.0.1`])];
    const urls = ["SANDBOX_URL=https://sandbox:8443", "SANDBOX_ADMIN_URL=http://sandbox:8090"];
    const confined = [
      "--read-only",
      "--tmpfs",
      "/tmp",
      "--cap-drop",
      "ALL",
      "--security-opt",
      "no-new-privileges:true",
    ];
    const env = urls.flatMap((each) => ["--env", each]);
    said.push(docker("run", "--rm", ...options, ...confined, ...env, "business-payments-sandbox-test", "node-https"));
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const ends = said.map((text) => text.trim().split("\n").at(-1));
  if (process.argv.includes("--verbose")) console.log(said.join("\n"));
  return `${ends.join("; by name: ")} (${seconds} s)`;
}

/**
 * Waits until the first process of the container handles SIGTERM, a few milliseconds after its start. Until then the
 * kernel drops the signal, and Docker kills the process after its timeout.
 */
async function handlesSignals(service) {
  const terminate = 1n << BigInt(constants.signals.SIGTERM - 1);
  for (const end = performance.now() + 5000; performance.now() < end; await sleep(2)) {
    const status = `/proc/${service.facts.State.Pid}/status`;
    // Docker Desktop runs the process in a virtual machine.
    if (!existsSync(status)) return sleep(500);
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(status, "utf8"))?.[1];
    if (caught !== undefined && (BigInt(`0x${caught}`) & terminate) !== 0n) return;
  }
}

async function stopsSoon({ service }) {
  const times = [];
  for (const idle of [true, true, true, false]) {
    // In the last round the signal arrives while the sandbox starts.
    if (idle) await service.healthy();
    else await handlesSignals(service);
    const startedAt = performance.now();
    docker("stop", service.id);
    times.push(Math.round(performance.now() - startedAt));
    // Status 0 means that it was not killed: connections were closed, and no incomplete file was left.
    assert.equal(service.facts.State.ExitCode, 0, `exit status, ${idle ? "idle" : "while it starts"}`);
    docker("start", service.id);
  }
  await service.healthy();
  assert.ok(Math.max(...times) < stopTime, `${times.join(", ")} ms`);
  return `${times.join(", ")} ms`;
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
