import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { root } from "../documentation/markdown.js";
import { afterTest } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/ports.js";
import { workFolder } from "./command.js";

/** Whether processes can have their own numbers here, as in a container. */
const hasNamespaces = (() => {
  try {
    execFileSync("unshare", ["--pid", "--fork", "--mount-proc", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const entrypoint = join(root, "scripts/container/entrypoint.sh");

it.skipIf(!hasNamespaces)("the image's health check asks at the port that the container was started with", async () => {
  const folder = workFolder();
  const [byFlag, byFile] = [await freePort(), await freePort()];
  const config = join(folder, "own.yaml");
  mkdirSync(join(folder, "certs"));
  writeFileSync(config, `adminPort: ${byFile}\n`);
  const node = [process.execPath, inject("built").container];
  const env = {
    PATH: process.env["PATH"],
    SANDBOX_CERTS: join(folder, "certs"),
    SANDBOX_PORT: "0",
    SANDBOX_KEY_TYPE: "ec",
  };
  for (const [flags, port] of [
    [["--admin-port", String(byFlag)], byFlag],
    [[`--config=${config}`], byFile],
  ] as const) {
    const words = ["--pid", "--fork", "--mount-proc", "--kill-child", "sh", entrypoint, ...node, "start", ...flags];
    const container = spawn("unshare", words, { env, stdio: ["ignore", "pipe", "inherit"], cwd: folder });
    const ended = new Promise((resolve) => container.once("close", resolve));
    afterTest(() => container.kill("SIGKILL"));
    let printed = "";
    container.stdout.on("data", (text) => {
      printed += text;
    });
    await eventually(() => printed.includes("Ready on"));
    expect(printed).toContain(`http://localhost:${port}`);
    const first = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, "utf8").trim();
    const health = await new Promise<readonly [number, string]>((resolve) => {
      const inside = ["--target", first, "--pid", "--mount", ...node, "health"];
      execFile("nsenter", inside, { env, cwd: folder }, (error, stdout, stderr) =>
        resolve([error ? Number(error.code) : 0, stdout + stderr]),
      );
    });
    expect(health).toEqual([0, expect.stringContaining("ready")]);
    process.kill(Number(first), "SIGTERM");
    await ended;
  }
});
