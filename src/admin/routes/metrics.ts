import { parseAccept } from "hono/utils/accept";
import type { MetricsFormat } from "../metrics/exposition.js";
import { type Route, route } from "../route.js";

export const metricRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/metrics",
    summary: "Counts, durations and the state of the process, for Prometheus",
    description:
      "In the text format of Prometheus, or in OpenMetrics 1.0.0 for a client that prefers `application/openmetrics-text`. Counters count since the start; nothing resets them.",
    answer: {
      status: 200,
      description: "The metrics.",
      contentType: ["text/plain", "application/openmetrics-text"],
    },
    async handle({ accept }, { metrics }) {
      const { contentType, body } = await metrics(formatFor(accept));
      return new Response(body, { headers: { "Content-Type": contentType } });
    },
  }),
];

const formats: Readonly<Record<string, MetricsFormat>> = {
  "application/openmetrics-text": "openmetrics",
  "text/plain": "text",
  "text/*": "text",
  "*/*": "text",
};

/** RFC 9110 §12.5.1. A client that accepts neither format also gets the text format. */
function formatFor(accept = "*/*"): MetricsFormat {
  const known = parseAccept(accept).find(({ type, q }) => q > 0 && Object.hasOwn(formats, type.toLowerCase()));
  return formats[known?.type.toLowerCase() ?? ""] ?? "text";
}
