import { route } from "../route.js";

export const metricRoutes = [
  route({
    method: "GET",
    path: "/metrics",
    summary: "Counts, durations and the state of the process, for Prometheus",
    description: "In the text format of Prometheus. Counters count since the start; nothing resets them.",
    answer: { status: 200, description: "The metrics.", contentType: "text/plain" },
    async handle(_input, { metrics }) {
      const { contentType, body } = await metrics.expose();
      return new Response(body, { headers: { "Content-Type": contentType } });
    },
  }),
];
