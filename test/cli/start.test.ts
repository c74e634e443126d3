import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { makeReadOnly, needsOrdinaryUser, ordinaryUser } from "../support/users.js";
import { CommandProcess, clientOf, copyOfCerts, run, start, workFolder } from "./command.js";
import { inProcess } from "./in-process.js";

describe("a start in an empty folder", () => {
  it("makes everything, serves on free ports, and prints them", async () => {
    const cwd = workFolder();
    const sandbox = await start(["--key-type", "ec", "--certs", "certs"], { cwd });
    expect(sandbox.stderr).toBe("");
    expect(sandbox.stdout).toContain(`Certs     ${join(cwd, "certs")}  (ca.pem`);
    expect(sandbox.stdout).toContain("Config    defaults");
    expect(existsSync(join(cwd, "certs/clients/demo/client.p12"))).toBe(true);
    expect(readFileSync(join(cwd, "certs/clients/demo/client.env"), "utf8")).toContain(`SANDBOX_URL=${sandbox.url}\n`);
    // On loopback, the admin API requires no token.
    expect(sandbox.stdout).not.toContain("token:");
    expect((await fetch(`${sandbox.adminUrl}/ca.pem`)).status).toBe(200);
    expect((await sandbox.stop()).code).toBe(0);
  });

  it("says which clients refuse a CA of an earlier form, unless the user chose it", { tags: "slow" }, async () => {
    const options = { cwd: workFolder() };
    const chosen = await start(["--key-type", "ec", "--certs", "certs", "--name-constraints", "strict"], options);
    expect(chosen.stdout).not.toContain("BoringSSL");
    await chosen.stop();
    const found = await start(["--certs", "certs"], options);
    expect(found.stdout).toContain(
      "Clients on BoringSSL (Bun) and mbedTLS refuse its CA: for these, start with --fresh-certs.\n",
    );
    await found.stop();
  });

  it("prints no secrets", { tags: "slow" }, async () => {
    const sandbox = await start(["--log", "requests"]);
    const client = clientOf(sandbox);
    const body = "grant_type=client_credentials&client_id=demo&scope=read";
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await client.send("/oauth/v2/oauth-token", { method: "POST", headers, body });
    const token = String(answer.json.access_token);
    await client.send("/v1/ping", { headers: { Authorization: `Bearer ${token}` } });
    await client.send(`/v1/ping?access_token=${token}`);
    await client.send("/v1/ping", { headers: { Authorization: `Basic ${token}` } });
    await client.send("/oauth/v2/oauth-token", { method: "POST", headers, body: `${body}&client_secret=hunter2` });
    await sandbox.waitFor(/client_secret|secret/);
    const { stdout, stderr } = await sandbox.stop();
    const output = stdout + stderr;
    expect(output).not.toContain(token.slice(-40));
    expect(output).not.toContain("hunter2");
    expect(output).not.toContain("PRIVATE KEY");
  });
});

describe.skipIf(!ordinaryUser)(`a read-only certificates folder ${needsOrdinaryUser}`, () => {
  it("can be used with another port, and the files that cannot be written are named", { tags: "slow" }, async () => {
    const certs = copyOfCerts();
    makeReadOnly(certs);
    const before = readFileSync(join(certs, "clients/demo/client.env"), "utf8");
    const sandbox = await start(["--certs", certs], { cwd: "/", ...ordinaryUser });
    expect(sandbox.stderr).toMatch(
      /^payments-sandbox: Cannot write \S+\/clients\/demo\/client\.env, .*\(E[A-Z]+\)\. .*\n$/,
    );
    expect(sandbox.stderr).toContain(`another address than ${sandbox.url}.\n`);
    expect((await clientOf({ url: sandbox.url, certs }).send("/v1/ping")).status).toBe(401);
    expect((await sandbox.stop()).code).toBe(0);
    expect(readFileSync(join(certs, "clients/demo/client.env"), "utf8")).toBe(before);
  });
});

it("finds a folder of scenarios that is made later, and says that a written sandbox.yaml needs a restart", {
  tags: "slow",
}, async () => {
  const cwd = workFolder();
  const [file, scenario] = [join(cwd, "sandbox.yaml"), join(cwd, "scenarios", "mine.yaml")];
  writeFileSync(file, "log: none\n");
  const sandbox = await start([], { cwd });
  mkdirSync(join(cwd, "scenarios"));
  writeFileSync(scenario, "description: Mine.\nrules: 1\n");
  await eventually(() => sandbox.stderr.includes("mine.yaml:2"));
  writeFileSync(scenario, "description: Mine.\n");
  const found = () => fetch(`${sandbox.adminUrl}/scenarios/mine`).then(({ status }) => status === 200);
  await eventually(found);
  expect(sandbox.stderr).not.toContain("sandbox.yaml");
  writeFileSync(file, "log: requests\n");
  await eventually(() =>
    sandbox.stderr.includes("sandbox.yaml was written. It is read at the start: restart the sandbox to use it.\n"),
  );
  expect((await sandbox.stop()).code).toBe(0);
});

it("continues when the reader of its output has gone", { tags: "slow" }, async () => {
  const sandbox = await start(["--log", "requests"]);
  const client = clientOf(sandbox);
  sandbox.stopReading();
  for (let i = 0; i < 20; i += 1) expect((await client.send("/v1/ping")).status).toBe(401);
  expect((await sandbox.stop()).code).toBe(0);
});

describe("help and version", () => {
  it("--help names every setting with its variable, in 80 columns", async () => {
    const { code, stdout } = await inProcess(["start", "--help"]);
    expect(code).toBe(0);
    for (const flag of ["--port", "--admin-port", "--host", "--admin-host", "--admin-token", "--admin-auth", "--certs"])
      expect(stdout).toContain(flag);
    for (const variable of ["SANDBOX_PORT", "SANDBOX_CONFIG", "SANDBOX_HOSTNAME", "SANDBOX_FRESH_CERTS"])
      expect(stdout).toContain(variable);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("--version prints the version, and the help is printed without a command", async () => {
    expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { code, stdout, stderr } = await inProcess([]);
    expect([code, `${stdout}${stderr}`.startsWith("Usage: payments-sandbox")]).toEqual([2, true]);
  });
});

it("a command without a reader of its output ends silently", { tags: "slow" }, async () => {
  const process = new CommandProcess(["scenarios", "--json"]);
  process.stopReading();
  expect((await process.ended).code).toBe(0);
});
