import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { isRoot } from "../support/users.js";
import { CommandProcess, type RunOptions, run, StartedSandbox, workFolder } from "./command.js";

const owner = 1234;

/** A folder as the host mounts it: owned by its user, in a path that every user may traverse. */
function mounted(uid: number, gid: number = uid): string {
  const folder = workFolder();
  chmodSync(folder, 0o755);
  const certs = join(folder, "certs");
  mkdirSync(certs);
  chownSync(certs, uid, gid);
  return certs;
}

const container = (certs: string, extra: Partial<RunOptions> = {}): RunOptions => ({
  program: "container",
  cwd: "/",
  env: { SANDBOX_CERTS: certs, SANDBOX_PORT: "0", SANDBOX_ADMIN_PORT: "0", SANDBOX_KEY_TYPE: "ec" },
  ...extra,
});

describe.skipIf(!isRoot)("the container's entry point, as root (needs root)", () => {
  it("becomes the owner of the certificates folder before anything is written", async () => {
    const certs = mounted(owner, owner + 1);
    const sandbox = await new StartedSandbox(["start"], certs, container(certs)).ready();
    const status = readFileSync(`/proc/${sandbox.pid}/status`, "utf8");
    // Real, effective, saved and file system identity, so it cannot change back.
    expect(/^Uid:\s+(.*)$/m.exec(status)?.[1]).toBe(Array(4).fill(owner).join("\t"));
    expect(/^Gid:\s+(.*)$/m.exec(status)?.[1]).toBe(
      Array(4)
        .fill(owner + 1)
        .join("\t"),
    );
    expect(/^Groups:\s*(.*?)\s*$/m.exec(status)?.[1]).toBe(String(owner + 1));
    for (const name of ["ca.pem", "ca.key.pem", "clients/demo/key.pem", "clients/demo/client.env"]) {
      const { uid, gid } = statSync(join(certs, name));
      expect([name, uid, gid]).toEqual([name, owner, owner + 1]);
    }
    const port = new URL(sandbox.adminUrl).port;
    const env = { SANDBOX_CERTS: certs, SANDBOX_ADMIN_PORT: port, SANDBOX_ADMIN_HOST: "0.0.0.0" };
    const health = await run(["health"], container(certs, { env }));
    expect([health.code, health.stderr]).toEqual([0, ""]);
    expect((await sandbox.stop()).code).toBe(0);
  });

  it("stays root only if the folder belongs to root", async () => {
    const certs = mounted(0);
    const sandbox = await new StartedSandbox(["start"], certs, container(certs)).ready();
    expect(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${sandbox.pid}/status`, "utf8"))?.[1]).toBe("0");
    expect(statSync(join(certs, "ca.pem")).uid).toBe(0);
  });

  it("a missing folder causes one clear line", async () => {
    const { code, stderr } = await run(["start"], container("/nonexistent/certs"));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^payments-sandbox: .*\/nonexistent\/certs.*\n$/);
  });
});

it.skipIf(existsSync("/certs"))("an empty SANDBOX_CERTS counts as unset: it is the image's folder", async () => {
  const { code, stderr } = await run(["start"], container(""));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^payments-sandbox: .*\/certs\b.*\n$/);
});

it("an interrupted `health` does not succeed", async () => {
  const silent = createServer();
  const asked = new Promise((resolve) => silent.once("connection", resolve));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const port = String((silent.address() as AddressInfo).port);
  const env = { SANDBOX_CERTS: workFolder(), SANDBOX_ADMIN_PORT: port };
  const health = new CommandProcess(["health"], { program: "container", env });
  await asked;
  expect((await health.stop("SIGTERM")).code).toBe(143);
  silent.close();
});

describe.skipIf(!isRoot)("started as another user (--user; needs root)", () => {
  it("stays that user", async () => {
    const certs = mounted(owner);
    const options = container(certs, { uid: owner, gid: owner });
    const sandbox = await new StartedSandbox(["start"], certs, options).ready();
    expect(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${sandbox.pid}/status`, "utf8"))?.[1]).toBe(String(owner));
  });

  it("reports that it may not write to the folder", async () => {
    const certs = mounted(owner);
    const { code, stderr } = await run(["start"], container(certs, { uid: 4321, gid: 4321 }));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^payments-sandbox: Cannot (read|write) .*denied.*\n$/);
  });
});

it("the built command can be run through a link, as npm makes one", async () => {
  const link = join(workFolder(), "payments-sandbox");
  symlinkSync(inject("built").cli, link);
  expect(execFileSync(process.execPath, [link, "--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(readFileSync(inject("built").cli, "utf8").split("\n")[0]).toBe("#!/usr/bin/env node");
});
