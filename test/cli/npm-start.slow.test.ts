import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { programPatience } from "../support/patience.js";
import { workFolder } from "./command.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const building = { timeout: programPatience, interval: 20 };

let clone = "";

// A copy of the sources, because a start replaces dist/, which others may be using.
beforeAll(() => {
  clone = workFolder();
  for (const name of ["package.json", "scripts", "src", "scenarios", "sandbox.yaml"])
    cpSync(join(root, name), join(clone, basename(name)), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
});

class NpmStart {
  output = "";
  readonly #npm: ChildProcess;

  constructor(...args: string[]) {
    // In its own process group, so that everything that it starts can be found.
    this.#npm = spawn("npm", ["start", "--", "--port", "0", "--admin-port", "0", "--key-type", "ec", ...args], {
      cwd: clone,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: clone, npm_config_update_notifier: "false" },
    });
    for (const stream of [this.#npm.stdout, this.#npm.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    afterFile(() => {
      if (this.runs) process.kill(-this.#group, "SIGKILL");
    });
  }

  get #group(): number {
    return this.#npm.pid ?? 0;
  }

  /** Whether npm, or anything that it has started, still runs. */
  get runs(): boolean {
    try {
      return process.kill(-this.#group, 0);
    } catch {
      return false;
    }
  }

  async printed(pattern: RegExp): Promise<string> {
    await expect.poll(() => this.output, building).toMatch(pattern);
    return pattern.exec(this.output)?.[1] ?? "";
  }

  /** A signal to npm only, as `kill $!` sends it. */
  async end(): Promise<void> {
    this.#npm.kill("SIGTERM");
    await expect.poll(() => this.runs, building).toBe(false);
  }
}

describe.skipIf(process.platform === "win32")("npm start", () => {
  it("passes arguments on, and ends all its processes when npm gets the signal", {
    timeout: programPatience,
  }, async () => {
    const certs = join(workFolder(), "elsewhere");
    const start = new NpmStart("--certs", certs);
    const admin = await start.printed(/Ready on \S+ \(admin (\S+)\)/);
    expect(existsSync(join(certs, "ca.pem"))).toBe(true);
    expect((await fetch(`${admin}/health`)).status).toBeLessThan(600);
    await start.end();
    await expect(fetch(`${admin}/health`)).rejects.toThrow();
  });

  it("also ends while it builds", { timeout: programPatience }, async () => {
    const dist = join(clone, "dist");
    rmSync(dist, { recursive: true, force: true });
    const start = new NpmStart("--certs", join(workFolder(), "certs"));
    // The dashboard is bundled after the command.
    await expect.poll(() => existsSync(dist), building).toBe(true);
    await start.end();
    expect(start.output).not.toContain("Ready on");
  });
});
