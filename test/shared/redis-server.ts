import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/ports.js";

/** Whether Debian's package is there. Without it, tests that need a Redis are skipped, and say so. */
export const hasRedis = isThere("redis-server");

/** Whether a program can be run. */
export function isThere(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A Redis of a test's own, on a free port of loopback. */
export class RedisServer {
  readonly folder: string = mkdtempSync(join(tmpdir(), "sandbox-redis-"));
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly options: readonly string[],
  ) {}

  /** @param options further ones, such as `--appendonly yes` */
  static async start(...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options);
    afterFile(() => server.remove());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ["--port", String(this.port), "--bind", "127.0.0.1", "--save", "", "--dir", this.folder];
    this.#process = spawn("redis-server", [...options, ...this.options], { stdio: "ignore" });
    await eventually(() => answers(this.port));
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  /** As `kill -9`. Resolves once it is gone. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await gone;
  }

  /** Removes what it wrote: it comes back empty. */
  async lose(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
    execFileSync("mkdir", ["-p", this.folder]);
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString().startsWith("+PONG"));
    });
    socket.once("error", () => resolve(false));
  });
}
