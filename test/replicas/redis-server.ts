import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createClient } from "@redis/client";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/ports.js";

/** Whether Debian's package is installed. Without it, tests that need a Redis are skipped, and say so. */
export const hasRedis = isThere("redis-server");

/** Whether a program can be run. */
export function isThere(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A separate Redis for a test, on a free port of loopback. */
export class RedisServer {
  readonly folder: string = mkdtempSync(join(tmpdir(), "sandbox-redis-"));
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly options: readonly string[],
  ) {}

  /** @param options additional ones, such as `--appendonly yes` */
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
    const log = join(this.folder, "redis.log");
    const options = ["--port", String(this.port), "--bind", "127.0.0.1", "--save", "", "--dir", this.folder];
    const running = spawn("redis-server", [...options, "--logfile", log, ...this.options], { stdio: "ignore" });
    this.#process = running;
    await eventually(async () => {
      if (running.exitCode !== null) throw new Error(`redis-server has ended:\n${readFileSync(log, "utf8")}`);
      return answers(this.port);
    });
  }

  /** A connection of another client. */
  async connect() {
    const client = createClient({ url: this.url, RESP: 2 });
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  /** Runs a command of another client. */
  async command(...args: readonly string[]): Promise<unknown> {
    const client = await this.connect();
    try {
      return await client.sendCommand(args);
    } finally {
      client.destroy();
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  /** Like `kill -9`. Resolves once it has ended. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await gone;
  }

  /** Kills it and removes its files, so that it restarts empty. */
  async lose(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder);
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether a Redis answers. One that requires a password counts as well. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.setTimeout(1000, () => socket.destroy());
    socket.once("data", (data) => {
      socket.destroy();
      resolve(/^(\+PONG|-NOAUTH)/.test(data.toString()));
    });
    socket.once("error", () => {});
    socket.once("close", () => resolve(false));
  });
}
