import type { createExposition, Exposition, MetricsFormat } from "./exposition.js";
import type { ProcessMetrics } from "./process.js";
import type { Metric } from "./table.js";

/** Answers scrapes. What only scrapes need is loaded at the first one, and begins to measure then. */
export class Scrapes {
  #exposition: Promise<ReturnType<typeof createExposition>> | undefined;
  #process: ProcessMetrics | undefined;
  #closed = false;

  /** @param metrics of the sandbox, in addition to those of the process */
  constructor(private readonly metrics: readonly Metric[]) {}

  async answer(format: MetricsFormat): Promise<Exposition> {
    this.#exposition ??= this.#begin();
    return (await this.#exposition)(format);
  }

  close(): void {
    this.#closed = true;
    this.#process?.close();
  }

  async #begin(): Promise<ReturnType<typeof createExposition>> {
    const [{ createExposition }, { ProcessMetrics }] = await Promise.all([
      import("./exposition.js"),
      import("./process.js"),
    ]);
    const process = new ProcessMetrics();
    this.#process = process;
    if (this.#closed) process.close();
    return createExposition([...this.metrics, ...process.metrics]);
  }
}
