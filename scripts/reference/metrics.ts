import { type MetricFacts, metricTables as metrics } from "../../src/admin/metrics/table.js";
import { mostWaiting, spanAttributes } from "../../src/admin/spans.js";
import { thousands } from "../../src/base/text/numbers.js";
import { codes, meanings } from "../markdown.js";

/** Metrics and spans. */
export const metricTables = {
  "metrics-sandbox": () => ofMetrics(metrics.sandbox),
  "metrics-shared": () => ofMetrics(metrics.shared),
  spans,
};

/** A metric, its type and its labels; what it is. */
function ofMetrics(facts: Readonly<Record<string, MetricFacts>>): string {
  return meanings(
    Object.values(facts).map(({ name, type, labels = [], help }) => [
      `\`${name}\` (${[type, ...(labels.length === 0 ? [] : [codes(labels)])].join("; ")})`,
      help,
    ]),
  );
}

/** Attributes whose names say everything come first. */
function spans(): string {
  const attributes = Object.entries(spanAttributes);
  const evident = codes(attributes.filter(([, { is }]) => is === undefined).map(([name]) => name));
  const others = attributes.flatMap(([name, { is }]) => (is === undefined ? [] : [[`\`${name}\``, is] as const]));
  return `${meanings([[evident, ""], ...others])}

At most ${thousands(mostWaiting)} spans wait to be sent; further ones are lost. Requests never wait.`;
}
