import { spawnSync } from "node:child_process";
import { closeSync, cpSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { HttpsClient } from "../support/https-client.js";
import { isRoot, makeReadOnly, needsOrdinaryUser, ordinaryUser } from "../support/users.js";
import { copyOfCerts, identityIn, type StartedSandbox, start, workFolder } from "./command.js";
import { inProcess } from "./in-process.js";

// What half-done.test.ts tries with each file operation, with a real file system.

/** A small file system of its own; undefined where this user may mount none. */
function mounted(size: string): string | undefined {
  const folder = workFolder();
  const mount = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0755`, "tmpfs", folder]);
  if (mount.status !== 0) return undefined;
  afterFile(() => {
    spawnSync("umount", ["-l", folder]);
  });
  cpSync(inject("built").certs, join(folder, "certs"), { recursive: true });
  return folder;
}

const canMount = isRoot && mounted("1m") !== undefined;

async function admin({ adminUrl }: StartedSandbox, method: string, path: string, body?: object | string) {
  const isText = typeof body === "string";
  const headers = { "Content-Type": isText ? "application/yaml" : "application/json" };
  const answer = await fetch(adminUrl + path, {
    method,
    ...(body !== undefined && { headers, body: isText ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** A ping as `demo`, with the files in the folder. */
async function ping({ url, certs }: Pick<StartedSandbox, "url" | "certs">) {
  const client = new HttpsClient(url, identityIn(certs));
  const body = "grant_type=client_credentials&client_id=demo&scope=read";
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const token = await client.send("/oauth/v2/oauth-token", { method: "POST", headers, body });
  const answer = await client.send("/v1/ping", {
    headers: { Authorization: `Bearer ${token.json.access_token}` },
  });
  client.close();
  return answer;
}

const renewing = `description: Of a test.
rules:
  - when: { operation: ping }
    then: { certificate: { renew: { overlap: 0s } } }
`;

const calls = [
  ["POST", "/clients/demo/rotate", {}],
  ["POST", "/server/next-ca", {}],
  ["POST", "/server/certificate", { issuer: "next-ca" }],
  ["PUT", "/scenario", { name: "server-ca-changes" }],
] as const;

/** Each call that writes is refused, and has changed nothing. */
async function expectNothingHalfDone(sandbox: StartedSandbox, code: string): Promise<void> {
  const read = async (path: string) => (await admin(sandbox, "GET", path)).text;
  const state = async () => ({
    certificates: JSON.parse(await read("/clients/demo")).certificates,
    others: await Promise.all(["/ca.pem", "/server/certificate", "/scenario"].map(read)),
  });
  const before = await state();
  for (const [method, path, body] of calls) {
    const { status, text } = await admin(sandbox, method, path, body);
    expect([path, status, text]).toEqual([path, 503, expect.stringContaining("CANNOT_ISSUE")]);
    expect(text).toMatch(new RegExp(`Cannot write \\S+/certs: .* \\(${code}\\)\\..* Nothing has changed\\.`));
    expect([path, await state()]).toEqual([path, before]);
    expect([path, (await ping(sandbox)).status]).toEqual([path, 200]);
  }
  const rotated = await inProcess(["rotate", "demo", "--admin-url", sandbox.adminUrl]);
  expect([rotated.code, rotated.stdout]).toEqual([1, ""]);
  expect(rotated.stderr).toContain("Nothing has changed.");
  await admin(sandbox, "PUT", "/scenarios/renewing", renewing);
  await admin(sandbox, "PUT", "/clients/demo/scenario", { name: "renewing" });
  const { status, headers } = await ping(sandbox);
  expect([status, headers["sandbox-fault"]]).toEqual([503, expect.stringMatching(/^renewing\/rule-1#/)]);
  await admin(sandbox, "DELETE", "/clients/demo/scenario");
  expect((await ping(sandbox)).status).toBe(200);
  expect(await state()).toEqual(before);
}

describe("a certificates folder that cannot be written any more", () => {
  it.skipIf(!ordinaryUser)(`by permission ${needsOrdinaryUser}`, { tags: "slow" }, async () => {
    const certs = copyOfCerts();
    makeReadOnly(certs);
    const sandbox = await start(["--certs", certs], { ...ordinaryUser, ...(isRoot && { cwd: "/" }) });
    await expectNothingHalfDone(Object.assign(sandbox, { certs }), "EACCES");
  });

  it.skipIf(!canMount)("on a read-only mount (run as root, where root may mount)", { tags: "slow" }, async () => {
    const folder = mounted("4m") ?? "";
    const certs = join(folder, "certs");
    const sandbox = await start(["--certs", certs]);
    expect(spawnSync("mount", ["-o", "remount,ro", folder]).status).toBe(0);
    await expectNothingHalfDone(Object.assign(sandbox, { certs }), "EROFS");
  });

  it.skipIf(!canMount)(
    "on a full disk, until there is space again (run as root, where root may mount)",
    { tags: "slow" },
    async () => {
      const folder = mounted("4m") ?? "";
      const certs = join(folder, "certs");
      const sandbox = Object.assign(await start(["--certs", certs]), { certs });
      const filler = join(folder, "filler");
      const file = openSync(filler, "w");
      for (const size of [65_536, 4096])
        try {
          for (;;) writeSync(file, Buffer.alloc(size));
        } catch {
          // It is full.
        }
      closeSync(file);
      await expectNothingHalfDone(sandbox, "ENOSPC");
      rmSync(filler);
      expect((await admin(sandbox, "POST", "/clients/demo/rotate", {})).status).toBe(200);
      expect((await ping(sandbox)).status).toBe(200);
    },
  );
});
