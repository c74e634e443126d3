import { lastInputs, mostProblems, probeInterval } from "./bounds.js";
import type { ServerProcess } from "./child.js";
import { judge } from "./judge.js";
import { Random } from "./random.js";
import type { Sent } from "./report.js";
import type { Surface } from "./surfaces/table.js";
import type { Target } from "./target.js";

export interface RunOptions {
  readonly seed: string;
  readonly milliseconds: number;
  /** Number of the first input. */
  readonly first: number;
  /** Most inputs. */
  readonly count: number;
}

export interface Problem {
  readonly text: string;
  /** The input that showed it; undefined if that is not known. */
  readonly sent: Sent | undefined;
}

/** The counts and problems of one surface. */
export class SurfaceRun {
  tlsConnections = 0;
  tcpConnections = 0;
  requests = 0;
  answers = 0;
  /** The slowest check of the server's health, in milliseconds. */
  slowestProbe = 0;
  readonly problems: Problem[] = [];
  /** The newest inputs, the newest last. */
  readonly last: Sent[] = [];
  readonly #kinds = new Map<string, number>();

  /** Records a problem; problems that differ only in their numbers count as one. */
  note(text: string, sent?: Sent): void {
    const kind = text.replaceAll(/\d+/g, "0");
    const times = (this.#kinds.get(kind) ?? 0) + 1;
    this.#kinds.set(kind, times);
    if (times === 1) this.problems.push({ text, sent });
  }

  timesOf({ text }: Problem): number {
    return this.#kinds.get(text.replaceAll(/\d+/g, "0")) ?? 0;
  }

  keep(sent: Sent): void {
    this.last.push(sent);
    if (this.last.length > lastInputs) this.last.shift();
  }
}

/**
 * Sends the inputs of a surface to a server, until the time is up, the server has crashed or there are too many
 * problems.
 */
export async function runSurface(
  surface: Surface,
  server: ServerProcess,
  target: Target,
  options: RunOptions,
): Promise<SurfaceRun> {
  const run = new SurfaceRun();
  const deadline = performance.now() + options.milliseconds;
  let next = options.first;
  const isOver = () =>
    performance.now() >= deadline ||
    next >= options.first + options.count ||
    server.ended !== undefined ||
    run.problems.length >= mostProblems;

  const work = async () => {
    while (!isOver()) {
      const counter = next++;
      const stock = await target.stock();
      const input = surface.make(new Random(options.seed, surface.name, counter), counter, stock);
      const sent = { counter, input, stock };
      run.keep(sent);
      run.requests += input.requests;
      if (input.to === "tls") run.tlsConnections += 1;
      else run.tcpConnections += 1;
      const outcome = await target.client.converse(input);
      run.answers += outcome.answers.length;
      for (const { body } of outcome.answers) target.learnFrom(body);
      const problems = judge(input, outcome);
      if (problems.length === 0) continue;
      // A server that crashes breaks all of its connections; then only the crash counts.
      await Promise.race([server.exit, new Promise((resolve) => setTimeout(resolve, 500))]);
      if (server.ended === undefined) for (const problem of problems) run.note(problem, sent);
    }
  };
  const watch = async () => {
    while (!isOver()) {
      try {
        run.slowestProbe = Math.max(run.slowestProbe, await target.probe());
      } catch (error) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        if (server.ended === undefined)
          run.note(`A health check failed: ${error instanceof Error ? error.message : error}`, run.last.at(-1));
      }
      await new Promise((resolve) =>
        setTimeout(resolve, Math.min(probeInterval, Math.max(0, deadline - performance.now()))),
      );
    }
  };
  const failed = (error: unknown) => {
    if (server.ended === undefined) run.note(error instanceof Error ? error.message : String(error), run.last.at(-1));
  };
  await Promise.all([watch().catch(failed), ...Array.from({ length: surface.width }, () => work().catch(failed))]);
  return run;
}
