import { type MetricFacts, metricTables as metrics } from "../../src/admin/metrics/table.js";
import { spanAttributes } from "../../src/admin/spans.js";
import { codes, table } from "../markdown.js";

/** Metrics and spans. */
export const metricTables = {
  "metrics-sandbox": () => ofMetrics(metrics.sandbox),
  "metrics-shared": () => ofMetrics(metrics.shared),
  spans,
};

function ofMetrics(facts: Readonly<Record<string, MetricFacts>>): string {
  return table(
    ["metric", "type", "labels", "what it is"],
    Object.values(facts).map(({ name, type, labels = [], help }) => [`\`${name}\``, type, codes(labels), help]),
  );
}

function spans(): string {
  return table(
    ["attribute", "what it is"],
    Object.entries(spanAttributes).map(([name, { is }]) => [`\`${name}\``, is]),
  );
}
