import { availableParallelism, cpus, totalmem } from "node:os";
import { monotonicNow } from "../../sandbox/clock.js";

/** How often the load is measured, in milliseconds. */
export const period = 250;

/** So much of a core is idle before one more run begins: about half of what the start of a program needs. */
const leastIdle = 0.5;

/** This process serves all sandboxes on one core. If it takes more of it than this, its answers are late. */
const mostServing = 0.8;

/** So much of the memory stays free. */
const leastMemory = 0.15;

/** A measurement that comes so much later than planned shows a machine that is too busy, whatever its cores say. */
const latest = 2 * period;

/** What is measured, since the machine or the process began. */
export interface Sample {
  /** In milliseconds on the monotonic clock. */
  readonly at: number;
  /** Of all cores together, in milliseconds. */
  readonly busy: number;
  readonly idle: number;
  /** How much of a core this process has taken, in milliseconds. */
  readonly serving: number;
  /** The part of the memory that is free. */
  readonly memory: number;
}

/** Measures the whole machine: what runs beside this process needs its cores, too. */
export function measure(): Sample {
  let [busy, idle] = [0, 0];
  for (const { times } of cpus()) {
    busy += times.user + times.nice + times.sys + times.irq;
    idle += times.idle;
  }
  // A container may have less than the machine.
  const memory = process.availableMemory() / Math.min(totalmem(), process.constrainedMemory() || totalmem());
  const { user, system } = process.cpuUsage();
  return { at: monotonicNow(), busy, idle, serving: (user + system) / 1000, memory };
}

/** How many cores were idle between two measurements. */
function idleCores(before: Sample, now: Sample, cores: number): number {
  const [busy, idle] = [now.busy - before.busy, now.idle - before.idle];
  return (cores * idle) / Math.max(1, busy + idle);
}

/** Whether the machine has had room for more since a measurement, so that it is likely to have it later. */
export function hadRoom(since: Sample): boolean {
  return idleCores(since, measure(), availableParallelism()) >= leastIdle;
}

/** Says how many more runs the machine has room for. */
export class Load {
  #last: Sample;

  /** @param sample the measurement, which tests replace */
  constructor(
    private readonly sample = measure,
    private readonly cores = availableParallelism(),
  ) {
    this.#last = sample();
  }

  /** How many runs may begin now, besides those that run. It is asked once in a period. */
  room(): number {
    const before = this.#last;
    const now = this.sample();
    this.#last = now;
    const passed = now.at - before.at;
    if (passed > latest || now.serving - before.serving > mostServing * passed || now.memory < leastMemory) return 0;
    const idle = idleCores(before, now, this.cores);
    return idle < leastIdle ? 0 : Math.max(1, Math.floor(idle));
  }
}
