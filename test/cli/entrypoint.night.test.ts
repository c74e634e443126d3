import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, it } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { isRoot } from "../support/users.js";
import { workFolder } from "./command.js";

const script = fileURLToPath(new URL("../../scripts/container/entrypoint.sh", import.meta.url));
const namespaces = ["--pid", "--fork", "--kill-child", "--mount-proc"];
/** What the compose file permits: root without KILL, which may not send a signal to another user's process. */
const confined = ["setpriv", "--bounding-set", "-all,+setuid,+setgid", "--no-new-privs"];
const canBeFirst = isRoot && spawnSync("unshare", [...namespaces, "true"]).status === 0;

/** The entry point as process 1 of its own namespace, as in a container. */
class FirstProcess {
  output = "";
  readonly certs: string;
  readonly ended: Promise<number | null>;
  readonly #unshare: ChildProcess;

  constructor(owner: number, command = [process.execPath, inject("built").container, "start"]) {
    this.certs = join(workFolder(), "certs");
    spawnSync("install", ["-d", "-m", "755", join(this.certs, ".."), this.certs]);
    chownSync(this.certs, owner, owner);
    this.#unshare = spawn("unshare", [...namespaces, ...confined, "sh", script, ...command], {
      cwd: "/",
      env: {
        PATH: process.env["PATH"],
        SANDBOX_CERTS: this.certs,
        SANDBOX_PORT: "0",
        SANDBOX_ADMIN_PORT: "0",
        SANDBOX_KEY_TYPE: "ec",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#unshare.stdout, this.#unshare.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    this.ended = new Promise((resolve) => this.#unshare.once("close", resolve));
    afterFile(() => this.#unshare.kill("SIGKILL"));
  }

  /** Its process id outside the namespace; 0 until it exists. */
  get pid(): number {
    return childOf(this.#unshare.pid ?? 0);
  }

  /** Whether the process handles SIGTERM. Until then the kernel does not deliver it to process 1. */
  get handlesSignals(): boolean {
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(textOf(`/proc/${this.pid}/status`))?.[1] ?? "0";
    const name = textOf(`/proc/${this.pid}/cmdline`);
    return name.startsWith("sh") && (BigInt(`0x${caught}`) & (1n << BigInt(constants.signals.SIGTERM - 1))) !== 0n;
  }

  /** The process id of its child. */
  get child(): number {
    return childOf(this.pid);
  }
}

function childOf(pid: number): number {
  return Number(textOf(`/proc/${pid}/task/${pid}/children`).trim().split(" ")[0]);
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

describe.skipIf(!canBeFirst).each([
  ["root's", 0],
  ["another user's", 4321],
])("process 1 of a container with %s folder (needs root and unshare)", (_name, owner) => {
  it.each<[string, (first: FirstProcess) => unknown]>([
    ["as soon as it has started Node.js", (first) => first.handlesSignals && first.child > 0],
    ["when the first file exists", (first) => readdirSync(first.certs).length > 0],
    ["when it is ready", (first) => first.output.includes("Ready on")],
  ])("obeys SIGTERM %s", async (_when, reached) => {
    const first = new FirstProcess(owner);
    await expect.poll(() => reached(first), { interval: 1 }).toBeTruthy();
    process.kill(first.pid, "SIGTERM");
    expect([await first.ended, first.output.includes("bug")]).toEqual([0, false]);
    // The number of the generation stays, and no folder in which files are made.
    const hidden = readdirSync(first.certs).filter((name) => name.startsWith("."));
    expect(hidden.filter((name) => !/^\.generation-\d+$/.test(name))).toEqual([]);
  });

  // A program that is being started is still a copy of the shell. An earlier version lost one signal in fifty.
  it("obeys SIGTERM at any moment of its start", async () => {
    for (let moment = 0; moment < 150; moment++) {
      const first = new FirstProcess(owner, ["sleep", "60"]);
      while (!(first.handlesSignals && first.child > 0)) await nextTurn();
      for (const end = performance.now() + moment * 0.02; performance.now() < end; );
      process.kill(first.pid, "SIGTERM");
      expect(await first.ended).toBe(143);
    }
  });

  it("passes on the exit status of the program", () => {
    const ran = (command: string) =>
      spawnSync("unshare", [...namespaces, "sh", script, "sh", "-c", command], { input: "said", encoding: "utf8" });
    expect(ran("exit 7").status).toBe(7);
    expect(ran("cat; exit 0")).toMatchObject({ status: 0, stdout: "said" });
  });
});
