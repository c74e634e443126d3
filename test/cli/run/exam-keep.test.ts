import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand } from "./exam-client.js";
import { temporary } from "./sandboxed.js";

const text = (folder: string, ...path: string[]) => readFileSync(join(folder, "kept", ...path), "utf8");

describe("--keep", () => {
  it("keeps journal, output and scenario of a drill in which a check fails, and of no other", {
    tags: "slow",
  }, async () => {
    const folder = workFolder();
    const env = { ...temporary().env, CLIENT: "clinging" };
    const args = ["exam", "--drill", "plain,token-revoked", "--keep", "kept", ...clientCommand()];
    const { code } = await inProcess(args, { cwd: folder, env });
    expect(code).toBe(1);
    expect(readdirSync(join(folder, "kept"))).toEqual(["token-revoked"]);
    // keep.test.ts has those that `open` shows.
    expect(readdirSync(join(folder, "kept", "token-revoked"))).toEqual(
      expect.arrayContaining(["journal.har", "journal.ndjson", "output.txt", "token-revoked.yaml"]),
    );
    const { log } = JSON.parse(text(folder, "token-revoked", "journal.har"));
    expect(log.entries[0].request.url).toMatch(/\/oauth\/v2\/oauth-token$/);
    const entries = text(folder, "token-revoked", "journal.ndjson").trim().split("\n");
    expect(entries.map((line) => JSON.parse(line).status)).toContain(401);
    expect(text(folder, "token-revoked", "output.txt")).toContain("401");
    expect(text(folder, "token-revoked", "token-revoked.yaml")).toContain("A correct client");
    expect(entries.join("")).not.toMatch(/eyJ|PRIVATE/);
  });

  it("is refused if the folder cannot be made, before the command starts", async () => {
    const folder = workFolder({ file: "" });
    const args = ["exam", "--keep", "file/kept", "--", "sh", "-c", "touch ran"];
    const { code, stderr } = await inProcess(args, { cwd: folder, env: temporary().env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/--keep is file\/kept, which cannot be written to/);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it.skipIf(!existsSync("/proc/self"))("is refused in /proc as well, where no folder can be made", async () => {
    const args = ["exam", "--keep", "/proc/kept", "--", "sh", "-c", "touch ran"];
    const { code, stderr } = await inProcess(args, { env: temporary().env });
    expect(code).toBe(2);
    expect(stderr).toContain("--keep is /proc/kept, which cannot be written to");
  });

  it("is made with the folders above it", { tags: "slow" }, async () => {
    const folder = workFolder();
    const args = ["exam", "--drill", "plain", "--keep", "one/two", "--", "true"];
    await inProcess(args, { cwd: folder, env: temporary().env });
    expect(existsSync(join(folder, "one/two"))).toBe(true);
  });
});
