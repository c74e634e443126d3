import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { MetricFacts } from "./table.js";

/** One value of a metric, with its labels in the order of the table. */
export type Sample = readonly [value: number, ...labels: string[]];

/** The metrics of one sandbox. Its parts add theirs. */
export class Metrics {
  readonly #registry = new Registry();

  counter({ name, help, labels = [] }: MetricFacts): Counter {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.#registry] });
  }

  /** @param buckets upper bounds, ascending, in the unit of the metric */
  histogram({ name, help, labels = [] }: MetricFacts, buckets: readonly number[]): Histogram {
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.#registry] });
  }

  /** Adds a gauge or counter whose values somebody else keeps: they are read for each scrape. */
  read({ name, help, type, labels = [] }: MetricFacts, samples: () => readonly Sample[]): void {
    const metric = type === "counter" ? Counter : Gauge;
    new metric({
      name,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [value, ...values] of samples()) this.labels(...values).inc(value);
      },
    });
  }

  /** Answers a scrape, in Prometheus' text format 0.0.4. The process is measured from the first one on. */
  async expose() {
    const { processMetrics } = await import("./process.js");
    const parts = await Promise.all([this.#registry.metrics(), processMetrics.metrics()]);
    return { contentType: this.#registry.contentType, body: parts.join("\n") };
  }
}
