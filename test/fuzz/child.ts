import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ports } from "./converse.js";
import type { Secrets } from "./secrets.js";

/** How long a start may take, in milliseconds. It includes making a certificates folder. */
export const startPatience = 60_000;

/** How much of the server's output is kept for reports, in characters. */
const keptOutput = 4_000;

/** The server in its own process, started like `npm start`. */
export class ServerProcess {
  readonly folder: string;
  readonly adminToken: string;
  ports: Ports = { api: 0, admin: 0 };
  /** What was printed to standard error; empty if there were no errors. */
  errors = "";
  /** How the process ended; undefined while it runs. */
  ended: string | undefined;
  /** Resolves when the process has ended. */
  readonly exit: Promise<void>;
  /** Names of secrets that were printed. */
  readonly leaked = new Set<string>();
  readonly #child: ChildProcess;
  readonly #secrets: Secrets;
  #output = "";

  private constructor(root: string, adminToken: string, secrets: Secrets) {
    this.folder = mkdtempSync(join(tmpdir(), "sandbox-fuzz-"));
    this.adminToken = adminToken;
    this.#secrets = secrets;
    const settings = ["--port", "0", "--admin-port", "0", "--key-type", "ec", "--certs", this.certs];
    const collector = ["--expose-gc", "--require", join(root, "test/fuzz/collect.cjs")];
    this.#child = spawn(process.execPath, [...collector, ...startCommand(root), ...settings, "--admin-auth", "token"], {
      cwd: root,
      // Not as a flag, because the list of processes shows flags.
      env: { ...process.env, SANDBOX_ADMIN_TOKEN: adminToken, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    // The server ends with this process, whatever the reason.
    const kill = () => this.#kill();
    process.on("exit", kill);
    this.exit = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.ended ??= error.message;
        resolve();
      });
      this.#child.once("exit", (code, signal) => {
        this.ended ??= signal === null ? `exit status ${code}` : `signal ${signal}`;
        process.off("exit", kill);
        resolve();
      });
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (this.errors.length < keptOutput) this.errors += text;
      this.#read(text);
    });
  }

  /**
   * Starts a server on free ports.
   * @throws Error with its output if it does not start
   */
  static async start(root: string, adminToken: string, secrets: Secrets): Promise<ServerProcess> {
    const server = new ServerProcess(root, adminToken, secrets);
    const deadline = performance.now() + startPatience;
    while (server.ended === undefined && performance.now() < deadline) {
      const [, api, admin] =
        /Ready on https:\/\/[^\s:]+:(\d+) \(admin http:\/\/[^\s:]+:(\d+)\)/.exec(server.#output) ?? [];
      if (api !== undefined && admin !== undefined) {
        server.ports = { api: Number(api), admin: Number(admin) };
        return server;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await server.stop();
    throw new Error(`The server did not start (${server.ended}):\n${server.#output}${server.errors}`);
  }

  get certs(): string {
    return join(this.folder, "certs");
  }

  /** The last of what was printed. */
  get output(): string {
    return this.#output.slice(-keptOutput);
  }

  /** Resident memory in bytes; undefined if the system does not report it, or the process has ended. */
  get residentMemory(): number | undefined {
    const status = this.#procFile("status");
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? "")?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  }

  /** Has the server collect its garbage. Its memory shrinks over the next calls, not at once. */
  collectGarbage(): void {
    this.#child.kill("SIGWINCH");
  }

  /** Open file descriptors; undefined if the system does not report them, or the process has ended. */
  get openDescriptors(): number | undefined {
    const folder = `/proc/${this.#child.pid}/fd`;
    return existsSync(folder) && this.ended === undefined ? readdirSync(folder).length : undefined;
  }

  /** Ends the process like a user, by force if that has no effect, and removes its folder. */
  async stop(): Promise<void> {
    if (this.ended === undefined) {
      this.#child.kill("SIGTERM");
      const force = setTimeout(() => this.#child.kill("SIGKILL"), 15_000);
      await this.exit;
      clearTimeout(force);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  #kill(): void {
    this.#child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Looks for secrets, also across the boundary between two pieces of the output. */
  #read(text: string): void {
    const before = this.#output.slice(-500);
    for (const name of this.#secrets.findIn(before + text)) this.leaked.add(name);
    this.#output = (this.#output + text).slice(-2 * keptOutput);
  }

  #procFile(name: string): string | undefined {
    try {
      return readFileSync(`/proc/${this.#child.pid}/${name}`, "utf8");
    } catch {
      return undefined;
    }
  }
}

/**
 * The arguments of Node in `npm start`: V8's flags, the script that builds and becomes the command, and the subcommand.
 */
export function startCommand(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return String(scripts.start).split(/\s+/).slice(1);
}
