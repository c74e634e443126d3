import { Gauge, type OpenMetricsContentType, Registry } from "prom-client";
import type { Distribution, Metric } from "./table.js";

/** The formats of a scrape: Prometheus' text format 0.0.4, and OpenMetrics 1.0.0. */
export type MetricsFormat = "text" | "openmetrics";

/** The answer to a scrape. */
export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

type AnyRegistry = Registry | Registry<OpenMetricsContentType>;
type Described = Awaited<ReturnType<Gauge["get"]>>;

/** @returns a function that answers scrapes of these metrics */
export function createExposition(metrics: readonly Metric[]): (format: MetricsFormat) => Promise<Exposition> {
  const text = new Registry();
  const openmetrics = new Registry<OpenMetricsContentType>();
  openmetrics.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const metric of metrics) {
    new ReadMetric(metric, metric.facts.name, text);
    // OpenMetrics names a counter without the suffix of its sample, which prom-client adds.
    new ReadMetric(metric, metric.facts.name.replace(/_total$/, ""), openmetrics);
  }
  const registries = { text, openmetrics };
  return async (format) => {
    const { contentType } = registries[format];
    return { contentType, body: await registries[format].metrics() };
  };
}

/**
 * A metric whose values are read for each scrape. prom-client's own histogram accepts values one by one; these values
 * were counted before the package was loaded.
 */
class ReadMetric extends Gauge {
  readonly #metric: Metric;
  readonly #name: string;

  constructor(metric: Metric, name: string, registry: AnyRegistry) {
    const { help, labels = [] } = metric.facts;
    super({ name, help, labelNames: [...labels], registers: [registry] });
    this.#metric = metric;
    this.#name = name;
  }

  override async get(): Promise<Described> {
    const { facts, read } = this.#metric;
    const values = read().flatMap(({ labels, value }) => {
      const named = Object.fromEntries(facts.labels?.map((name, index) => [name, labels[index] ?? ""]) ?? []);
      return typeof value === "number" ? [{ labels: named, value }] : series(this.#name, named, value);
    });
    // prom-client declares the types as numbers, but uses their names.
    return { ...(await super.get()), type: facts.type as unknown as Described["type"], values };
  }
}

/** The series of a histogram. Each bucket also counts all smaller values. */
function series(name: string, labels: Readonly<Record<string, string>>, { bounds, counts, sum }: Distribution) {
  let count = 0;
  const buckets = counts.map((each, index) => {
    count += each;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: boundText(bounds[index]) }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/** OpenMetrics writes every bound with a fraction, even a whole number. */
function boundText(bound: number | undefined): string {
  if (bound === undefined) return "+Inf";
  return Number.isInteger(bound) ? `${bound}.0` : `${bound}`;
}
