import { execFile, spawnSync } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { clientOf, copyOfCerts, start, workFolder } from "./command.js";

const missing = {
  curl: spawnSync("curl", ["--version"]).status !== 0,
  sh: spawnSync("sh", ["-c", "true"]).status !== 0,
};

describe("a key that another program wrote", () => {
  it("can be used in any place: SEC 1, with a byte order mark and lines that end with CR LF", async () => {
    const certs = copyOfCerts();
    for (const name of ["token-signing.key.pem", "server.key.pem", "ca.key.pem", "clients/demo/key.pem"]) {
      const file = join(certs, name);
      const key = `${createPrivateKey(readFileSync(file)).export({ type: "sec1", format: "pem" })}`;
      const text = `\uFEFF${key.replaceAll("\n", "\r\n")}`;
      rmSync(file);
      writeFileSync(file, text);
    }
    for (const name of ["ca.pem", "server.pem"]) {
      const file = join(certs, name);
      writeFileSync(file, `\uFEFF${readFileSync(file, "utf8")}`);
    }
    const sandbox = await start(["--certs", certs]);
    expect(sandbox.stderr).toBe("");
    const client = clientOf({ url: sandbox.url, certs: certs });
    const body = "grant_type=client_credentials&client_id=demo&scope=read";
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const { json } = await client.send("/oauth/v2/oauth-token", { method: "POST", headers, body });
    const answer = await client.send("/v1/ping", { headers: { Authorization: `Bearer ${json.access_token}` } });
    expect(answer.status).toBe(200);
    // The key of the CA is read when the CA issues for the first time.
    const made = await fetch(`${sandbox.adminUrl}/clients`, { method: "POST" });
    expect(made.status).toBe(201);
  });
});

describe("the two lines of the banner", () => {
  it.skipIf(missing.curl || missing.sh)(
    "work when they are pasted into another shell, for any folder name",
    async () => {
      const certs = join(workFolder(), "it's a $HOME `folder`");
      cpSync(copyOfCerts(), certs, { recursive: true });
      const sandbox = await start(["--certs", certs]);
      const lines = sandbox.stdout.split("\n").filter((line) => line.includes("curl "));
      expect(lines).toHaveLength(2);
      const shell = await promisify(execFile)("sh", ["-c", lines.join("\n")], { cwd: "/" });
      expect([shell.stdout, shell.stderr]).toEqual(['{"status":"OK"}\n', ""]);
      for (const host of ["127.0.0.1", "[::1]"]) {
        const url = `https://${host}:${new URL(sandbox.url).port}`;
        expect((await clientOf({ url, certs }).send("/v1/ping")).status).toBe(401);
      }
    },
  );
});

describe("the first line of the banner, if no token is issued", () => {
  const shells = ["sh", "bash", "zsh"].filter((name) => spawnSync(name, ["-c", "true"]).status === 0);

  it.skipIf(missing.curl).each(shells)("shows the answer and fails, in %s", async (shell) => {
    const sandbox = await start(["--scenario", "invalid-client"]);
    const line = sandbox.stdout.split("\n").find((each) => each.includes("TOKEN=")) ?? "";
    const ended = await promisify(execFile)(shell, ["-c", line]).catch((error) => error);
    expect(ended.code).toBeGreaterThan(0);
    expect(ended.stderr).toContain('"code":"INVALID_CLIENT"');
    expect(ended.stderr).toContain("no token came");
    expect(ended.stdout).toBe("");
    // Nothing answers, and curl says so.
    await sandbox.stop();
    const alone = await promisify(execFile)(shell, ["-c", line]).catch((error) => error);
    expect(alone.code).toBeGreaterThan(0);
    expect(alone.stderr).toMatch(/curl: \(7\)[\s\S]*no token came/);
  });
});

it("a second start uses the same identities; --fresh-certs makes everything again", async () => {
  const certs = copyOfCerts();
  const before = readFileSync(join(certs, "ca.pem"), "utf8");
  const sandbox = await start(["--certs", certs]);
  expect(sandbox.stderr).toBe("");
  expect(readFileSync(join(certs, "ca.pem"), "utf8")).toBe(before);
  await sandbox.stop();
  await start(["--certs", certs, "--fresh-certs", "--key-type", "ec"]);
  expect(readFileSync(join(certs, "ca.pem"), "utf8")).not.toBe(before);
  expect(statSync(join(certs, "ca.key.pem")).mode & 0o777).toBe(0o400);
});
