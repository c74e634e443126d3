import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectPlainly, createServer } from "node:net";
import { connect } from "node:tls";

/**
 * Below the ports that systems use for outgoing connections: the load client could take such a port before the server
 * does.
 */
const firstPort = 20_000;
const lastPort = 32_000;
const given = new Set();

/** A TCP port that is free now, and was not given before. */
export async function freePort() {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    if (given.has(port)) continue;
    const server = createServer().listen(port, "127.0.0.1");
    const free = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!free) continue;
    server.close();
    await once(server, "close");
    given.add(port);
    return port;
  }
}

/** Processes to end if the bench ends early. */
const running = new Set();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** A server in its own process. Its output is kept, and shown if it does not start. */
export class ServerProcess {
  #child;
  #output = "";
  #exited;

  constructor(name, command, args, port) {
    this.name = name;
    this.port = port;
    this.startedAt = performance.now();
    this.#child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    const keep = (chunk) => {
      if (this.#output.length < 4000) this.#output += chunk;
    };
    this.#child.stdout.on("data", keep);
    this.#child.stderr.on("data", keep);
    this.#child.on("error", (error) => keep(error.message));
    running.add(this.#child);
    this.#exited = once(this.#child, "close").finally(() => running.delete(this.#child));
  }

  get pid() {
    return this.#child.pid;
  }

  get output() {
    return this.#output;
  }

  /**
   * Waits for the first answer to a GET over TLS.
   * @returns milliseconds since the process was started
   */
  async firstAnswer(caFile, identity = {}, timeout = 60_000) {
    while (performance.now() - this.startedAt < timeout) {
      if (this.#child.exitCode !== null) break;
      if (await answers(this.port, caFile, identity)) return performance.now() - this.startedAt;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await this.stop();
    throw new Error(`${this.name} does not answer: ${this.#output.trim()}`);
  }

  /** Waits until it accepts connections. */
  async listening(timeout = 10_000) {
    while (performance.now() - this.startedAt < timeout && this.#child.exitCode === null) {
      const socket = connectPlainly(this.port, "127.0.0.1");
      const accepted = await once(socket, "connect").then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (accepted) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await this.stop();
    throw new Error(`${this.name} does not listen: ${this.#output.trim()}`);
  }

  /** Resident memory in bytes. */
  residentMemory() {
    return Number(execFileSync("ps", ["-o", "rss=", "-p", String(this.pid)]).toString()) * 1024;
  }

  /** CPU time so far in milliseconds; NaN if the system has no /proc. */
  cpuTime() {
    try {
      const fields = readFileSync(`/proc/${this.pid}/stat`, "latin1").split(") ").at(-1).split(" ");
      return (Number(fields[11]) + Number(fields[12])) * 10;
    } catch {
      return Number.NaN;
    }
  }

  async stop() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 8000);
    await this.#exited.catch(() => {});
    clearTimeout(timer);
  }
}

/** The CA of a first start exists only after a while, so it is read for each attempt. */
function answers(port, caFile, identity) {
  return new Promise((resolve) => {
    let ca;
    try {
      ca = readFileSync(caFile);
    } catch {
      return resolve(false);
    }
    const socket = connect({ host: "127.0.0.1", servername: "localhost", port, ca, ...identity });
    const end = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(2000, () => end(false));
    socket.once("secureConnect", () => socket.write("GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    socket.once("data", (chunk) => end(chunk.latin1Slice(0, 9) === "HTTP/1.1 "));
    socket.once("error", () => end(false));
    socket.once("close", () => resolve(false));
  });
}
