import { setTimeout as sleep } from "node:timers/promises";
import type { startSandbox } from "../../src/index.js";
import { patience } from "../support/patience.js";
import { type Caller, drawPiece, halfOpen, type Outcome, scenarios } from "./traffic.js";

export interface SoakOptions {
  /** Pieces of traffic before the measurement: they fill the journal, however fast the machine is. */
  readonly warmUp: number;
  /** Ends this many milliseconds, or this many pieces of traffic, after the warm-up, whichever is first. */
  readonly milliseconds: number;
  readonly pieces: number;
  readonly clients: number;
  /** Pieces of traffic at a time. */
  readonly workers: number;
  /** TCP connections that stay silent throughout. */
  readonly halfOpen: number;
  readonly seed: number;
  /** Collects garbage, so that only retained memory is left. Without it, memory is not measured. */
  readonly collect?: (() => void) | undefined;
}

export interface SoakReport {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Requests without the expected answer, by the problem. */
  readonly failures: readonly string[];
  /** Heap in use after a collection, in bytes, measured at equal intervals. */
  readonly heap: readonly number[];
  /** Sockets, servers and timers that exist after the end, and did not exist before the start. */
  readonly handlesLeft: readonly string[];
}

/** How often the heap is measured. */
const samples = 20;

/**
 * Starts a sandbox in this process, sends it mixed traffic of many clients, stops it, and reports what is left. The
 * actions of the clients are drawn from the seed; their order depends on the network.
 */
export async function soak(start: typeof startSandbox, options: SoakOptions): Promise<SoakReport> {
  const before = handles();
  const sandbox = await start();
  const outcomes: Record<Outcome, number> = { answered: 0, "broken on purpose": 0, "left by the client": 0 };
  const failures: string[] = [];
  const heap: number[] = [];
  try {
    for (const [name, scenario] of Object.entries(scenarios)) await sandbox.defineScenario(name, scenario);
    const callers: Caller[] = [];
    for (let made = 0; made < options.clients; made++) {
      const client = await sandbox.createClient();
      callers.push({ client, token: await client.token() });
    }
    const [first] = callers;
    if (!first) throw new Error("A soak needs a client.");
    const silent = await Promise.all(Array.from({ length: options.halfOpen }, () => halfOpen(first.client)));

    const random = generator(options.seed);
    let begun = 0;
    let startedAt: number | undefined;
    const share = () => {
      if (begun < options.warmUp) return 0;
      startedAt ??= performance.now();
      return Math.max(
        (performance.now() - startedAt) / options.milliseconds,
        (begun - options.warmUp) / options.pieces,
      );
    };
    const work = async () => {
      while (share() < 1) {
        begun += 1;
        const caller = callers[Math.floor(random() * callers.length)] as Caller;
        try {
          outcomes[await drawPiece(random)(caller, random)] += 1;
        } catch (error) {
          failures.push(error instanceof Error ? error.message : String(error));
        }
        if (options.collect && share() * samples > heap.length + 1) {
          options.collect();
          heap.push(process.memoryUsage().heapUsed);
        }
      }
    };
    await Promise.all(Array.from({ length: options.workers }, work));
    for (const socket of silent) socket.destroy();
  } finally {
    await sandbox.close();
  }
  return { outcomes, failures, heap, handlesLeft: await handlesSince(before) };
}

/** What a sandbox could leave behind, by kind. */
function handles(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (/^(TCP|TLS|Timeout|Pipe|FSEvent|StatWatcher|FSReq)/.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Closing sockets takes some turns of the event loop. */
async function handlesSince(before: ReadonlyMap<string, number>): Promise<string[]> {
  for (const deadline = performance.now() + patience; ; ) {
    const left = [...handles()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
    if (left.length === 0 || performance.now() > deadline)
      return left.map(([kind, count]) => `${count - (before.get(kind) ?? 0)} ${kind}`);
    await sleep(20);
  }
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
