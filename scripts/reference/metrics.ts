import { type MetricFacts, metricTables as metrics } from "../../src/admin/metrics/table.js";
import { mostWaiting, spanAttributes } from "../../src/admin/spans.js";
import { thousands } from "../../src/base/text/numbers.js";
import { codes, meanings, table } from "../markdown.js";

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
  const attributes = meanings(Object.entries(spanAttributes).map(([name, { is }]) => [`\`${name}\``, is] as const));
  return `${attributes}

Requests never wait for the collector: at most ${thousands(mostWaiting)} spans wait to be sent, and further ones are lost.`;
}
