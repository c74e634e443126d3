import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { type Metric, metricsOf, processMetrics, single } from "./table.js";
import { Histograms } from "./tally.js";

/** How often the delay of the event loop is measured, in milliseconds. */
const lagResolution = 20;

/** Upper bounds of the durations of garbage collections, in seconds. */
const gcBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

const gcKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};

/** What Node reports about a garbage collection; its types do not declare the detail. */
interface CollectionEntry extends PerformanceEntry {
  readonly detail: { readonly kind: number };
}

/**
 * Measures the process. It does not use prom-client's default metrics: they count CPU time only after they are loaded,
 * lose garbage collections that Node reports together, read private state of Node, and cannot be stopped.
 */
export class ProcessMetrics {
  readonly #delay = monitorEventLoopDelay({ resolution: lagResolution });
  readonly #collections = new Histograms(gcBounds);
  readonly #observer = new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as CollectionEntry[]) {
      this.#collections.observe(gcKinds[detail.kind] ?? "other", duration / 1000);
    }
  });

  /** Begins to measure the event loop and garbage collections. */
  constructor() {
    this.#delay.enable();
    this.#observer.observe({ entryTypes: ["gc"] });
  }

  close(): void {
    this.#delay.disable();
    this.#observer.disconnect();
  }

  get metrics(): readonly Metric[] {
    return metricsOf(processMetrics, {
      cpu: () => single(cpuSeconds("user") + cpuSeconds("system")),
      cpuUser: () => single(cpuSeconds("user")),
      cpuSystem: () => single(cpuSeconds("system")),
      residentMemory: () => single(process.memoryUsage.rss()),
      heapTotal: () => single(process.memoryUsage().heapTotal),
      heapUsed: () => single(process.memoryUsage().heapUsed),
      externalMemory: () => single(process.memoryUsage().external),
      lagMedian: () => single(lag(this.#delay.percentile(50))),
      lag99: () => single(lag(this.#delay.percentile(99))),
      lagMax: () => {
        const longest = lag(this.#delay.max);
        // This is the last of the three in the table, so the others have been read.
        this.#delay.reset();
        return single(longest);
      },
      gcDuration: () => this.#collections.samples,
    });
  }
}

function cpuSeconds(kind: "user" | "system"): number {
  return process.cpuUsage()[kind] / 1e6;
}

/**
 * Seconds by which a timer was late.
 * @param interval between two of its calls, in nanoseconds; 0 if there were none
 */
function lag(interval: number): number {
  return Math.max(0, interval / 1e9 - lagResolution / 1000);
}
