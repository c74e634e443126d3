import { randomBytes } from "node:crypto";
import { ServerProcess } from "./child.js";
import { describe, table, writeReport } from "./report.js";
import { runSurface, type SurfaceRun } from "./run-surface.js";
import { Secrets } from "./secrets.js";
import { type AtRest, checkRest, mebibytes, warmUp } from "./settle.js";
import { type Surface, surfaces } from "./surfaces/table.js";
import { Target } from "./target.js";

export interface FuzzOptions {
  /** The folder of the repository. */
  readonly root: string;
  readonly seconds: number;
  readonly seed: string;
  /** Names of surfaces; all of them when empty. */
  readonly only: readonly string[];
  readonly first: number;
  readonly count: number;
}

/** A server, and its resources when it is warm. */
interface Running {
  readonly server: ServerProcess;
  readonly target: Target;
  readonly warm: AtRest;
  readonly secrets: Secrets;
}

/** Sends hostile input, surface by surface, to its own server. */
export class Fuzz {
  readonly #options: FuzzOptions;
  readonly #chosen: readonly Surface[];
  readonly #rows: (string | number)[][] = [];
  #running: Running | undefined;

  /** @throws RangeError for an unknown surface */
  constructor(options: FuzzOptions) {
    this.#options = options;
    const unknown = options.only.find((name) => !surfaces.some((surface) => surface.name === name));
    if (unknown !== undefined) {
      throw new RangeError(`There is no surface ${unknown}. Known are ${surfaces.map(({ name }) => name).join(", ")}.`);
    }
    this.#chosen = surfaces.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  }

  /** @returns how many surfaces failed */
  async run(): Promise<number> {
    const { seed, seconds } = this.#options;
    console.log(
      `seed ${seed}, ${seconds} s for ${this.#chosen.map(({ name }) => name).join(", ")}, Node ${process.version}`,
    );
    let failed = 0;
    try {
      for (const surface of this.#chosen) {
        if (!(await this.#try(surface))) failed += 1;
      }
    } finally {
      await this.#stopServer();
    }
    const heads = [
      "surface",
      "seconds",
      "TLS connections",
      "TCP connections",
      "requests",
      "answers",
      "slowest probe, ms",
      "memory, MiB",
      "result",
    ];
    console.log(table([heads, ...this.#rows]));
    console.log(`${this.#rows.length - failed} passed, ${failed} failed`);
    return failed;
  }

  async #try(surface: Surface): Promise<boolean> {
    const { seed, first, count, seconds } = this.#options;
    this.#running ??= await this.#start();
    const { server, target, warm } = this.#running;
    const milliseconds = (seconds * 1000) / this.#chosen.length;
    const startedAt = performance.now();
    const run = await runSurface(surface, server, target, {
      seed,
      milliseconds,
      first,
      count,
    });
    const elapsed = (performance.now() - startedAt) / 1000;
    if (server.ended === undefined) {
      try {
        for (const problem of await checkRest(server, target, warm)) run.note(problem);
      } catch (error) {
        if (server.ended === undefined) run.note(`After the load: ${error instanceof Error ? error.message : error}`);
      }
    }
    if (server.ended !== undefined) run.note(`The process died: ${server.ended}.`);
    if (server.errors !== "") run.note(`Written to standard error: ${server.errors.slice(0, 500)}`);
    for (const name of server.leaked) run.note(`The output contains ${name}.`);
    const memory = server.residentMemory;
    this.#rows.push([
      surface.name,
      Number(elapsed.toFixed(1)),
      run.tlsConnections,
      run.tcpConnections,
      run.requests,
      run.answers,
      Math.round(run.slowestProbe),
      memory === undefined ? "–" : mebibytes(memory),
      run.problems.length === 0 ? "passed" : `failed (${run.problems.length})`,
    ]);
    if (run.problems.length === 0) return true;
    this.#report(surface, run, this.#running);
    // The next surface starts with a new server.
    await this.#stopServer();
    return false;
  }

  async #start(): Promise<Running> {
    const { root } = this.#options;
    const secrets = new Secrets();
    const adminToken = randomBytes(24).toString("base64url");
    secrets.addText("the admin token", adminToken);
    const server = await ServerProcess.start(root, adminToken, secrets);
    try {
      const target = await Target.meet(server, root, secrets);
      const warm = await warmUp(server, target);
      if (warm.memory === undefined) console.log("SKIPPED: memory and descriptors, which are read from /proc");
      return { server, target, warm, secrets };
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  async #stopServer(): Promise<void> {
    await this.#running?.server.stop();
    this.#running = undefined;
  }

  #report(surface: Surface, run: SurfaceRun, { server, secrets }: Running): void {
    const { seed } = this.#options;
    const problems = run.problems.map((problem) => {
      const where = problem.sent === undefined ? "" : ` [input ${problem.sent.counter}: ${problem.sent.input.title}]`;
      return `${run.timesOf(problem)} × ${problem.text}${where}`;
    });
    console.log(`FAILED ${surface.name}, seed ${seed}:`);
    for (const problem of problems) console.log(`  ${problem}`);
    const shown = run.problems.flatMap(({ text, sent }) =>
      sent === undefined ? [] : [`${text}\n${describe(sent, secrets)}`],
    );
    const path = writeReport(seed, surface.name, [
      `seed ${seed}, surface ${surface.name}, Node ${process.version}`,
      problems.join("\n"),
      "The inputs that showed a problem:",
      ...shown,
      "The last inputs, the newest last:",
      ...run.last.map((sent) => describe(sent, secrets)),
      "The end of the output:",
      server.output,
    ]);
    console.log(`  last inputs: ${path}`);
    console.log(`  again: npm run fuzz -- --seed ${seed} --surface ${surface.name}`);
  }
}
