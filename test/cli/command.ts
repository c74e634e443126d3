import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { inject } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { copyFolder } from "../support/copy-folder.js";
import { eventually } from "../support/eventually.js";
import { HttpsClient } from "../support/https-client.js";
import { openTcp, openTls, type RawClient } from "../support/raw-client.js";

/** How a process ended. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From its start to its end, in milliseconds. */
  readonly duration: number;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly program?: "cli" | "container";
  /** The limit of the process on open files (`ulimit -n`). */
  readonly openFiles?: number;
  /** The path of Node; that of the tests if it is left out. */
  readonly node?: string;
}

/** A process of the built command. It is killed when the tests of its file are over. */
export class CommandProcess {
  stdout = "";
  stderr = "";
  readonly ended: Promise<Outcome>;
  readonly #child: ChildProcess;

  constructor(
    args: readonly string[],
    { env = {}, cwd = workFolder(), program = "cli", openFiles, node = process.execPath, ...identity }: RunOptions = {},
  ) {
    const startedAt = performance.now();
    const words = [node, inject("built")[program], ...args];
    const limited = openFiles === undefined ? [] : ["/bin/sh", "-c", `ulimit -n ${openFiles}; exec "$@"`, "sh"];
    const [file = "", ...rest] = [...limited, ...words];
    const child = spawn(file, rest, {
      cwd,
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...identity,
    });
    this.#child = child;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) =>
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr, duration: performance.now() - startedAt });
      child.once("close", end);
      // It could not be started.
      child.once("error", ({ message }) => {
        this.stderr += message;
        end(null, null);
      });
    });
    afterFile(() => {
      child.kill("SIGKILL");
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /**
   * Waits for a line of the output.
   * @throws when the process ends without it
   */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    let ended = false;
    this.ended.then(() => {
      ended = true;
    });
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match) return match;
      if (ended) throw new Error(`The process ended before it printed ${pattern}.\n${this.stdout}${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Sends a signal, and returns how the process ended, with the time since the signal. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Outcome> {
    const at = performance.now();
    this.#child.kill(signal);
    const outcome = await this.ended;
    return { ...outcome, duration: performance.now() - at };
  }

  /** Closes the reading ends of its output. */
  stopReading(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** Runs the command to its end. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return new CommandProcess(args, options).ended;
}

/** A sandbox that the command started, and its addresses. */
export class StartedSandbox extends CommandProcess {
  url = "";
  adminUrl = "";
  readonly certs: string;

  constructor(args: readonly string[], certs: string, options: RunOptions) {
    super(args, options);
    this.certs = certs;
  }

  async ready(): Promise<this> {
    const [, url = "", adminUrl = ""] = await this.waitFor(/Ready on (\S+) \(admin (\S+)\)/);
    this.url = url;
    this.adminUrl = adminUrl;
    // The last identities may not have been written to the folder yet.
    while (!(await fetch(`${adminUrl}/health`)).ok) await new Promise((resolve) => setTimeout(resolve, 10));
    return this;
  }
}

/**
 * Starts a sandbox on free ports, with a copy of the certificates, unless said otherwise, and waits until it is ready.
 */
export async function start(args: readonly string[] = [], options: RunOptions = {}): Promise<StartedSandbox> {
  const certs = copyOfCerts();
  const own = (flag: string, ...values: string[]) => (args.includes(flag) ? [] : [flag, ...values]);
  const all = ["start", ...own("--port", "0"), ...own("--admin-port", "0"), ...own("--certs", certs), ...args];
  return new StartedSandbox(all, certs, options).ready();
}

/** A client of a started sandbox, with the identity `demo`. */
export function clientOf({ url, certs }: Pick<StartedSandbox, "url" | "certs">): HttpsClient {
  const client = new HttpsClient(url, identityIn(certs));
  afterFile(() => client.close());
  return client;
}

/** A connection to a started sandbox for raw bytes, with the identity `demo`. */
export function connectionOf({ url, certs }: StartedSandbox): Promise<RawClient<TLSSocket>> {
  const { ca, identity } = identityIn(certs);
  return openTls({ port: Number(new URL(url).port), ca, ...identity });
}

const form = "grant_type=client_credentials&client_id=demo&scope=read";

/**
 * Starts a token request, and waits until the sandbox says that it has read its head (RFC 9110 §10.1.1).
 * @returns the rest of the request
 */
export async function beginTokenRequest(client: RawClient): Promise<string> {
  const headers = [
    "Host: localhost",
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${form.length}`,
    "Expect: 100-continue",
  ];
  client.send(`POST /oauth/v2/oauth-token HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
  await client.waitFor("HTTP/1.1 100");
  return form;
}

/** A folder with these files, removed after the tests. */
export function workFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "cli-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A complete certificates folder with P-256 keys. */
export function copyOfCerts(): string {
  const certs = join(workFolder(), "certs");
  copyFolder(inject("built").certs, certs);
  return certs;
}

/** A port of 127.0.0.1 on which something else listens until the tests end. */
export async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export function identityIn(certs: string) {
  const file = (name: string) => readFileSync(join(certs, name), "utf8");
  return { ca: file("ca.pem"), identity: { cert: file("clients/demo/cert.pem"), key: file("clients/demo/key.pem") } };
}

/** Waits until the API port accepts no new connection: the process has handled its signal. */
export function refusesConnections({ url }: StartedSandbox): Promise<boolean> {
  const port = Number(new URL(url).port);
  return eventually(() =>
    openTcp(port).then(
      ({ socket }) => socket.destroy() && false,
      ({ code }) => code === "ECONNREFUSED",
    ),
  );
}
