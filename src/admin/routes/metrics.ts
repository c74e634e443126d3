import { route } from "../route.js";

export const metricRoutes = [
  route({
    method: "GET",
    path: "/metrics",
    needsSandbox: true,
    summary: "Metrics for Prometheus",
    answer: { status: 200, description: "The metrics.", contentType: "text/plain" },
    async handle(_input, { metrics }) {
      const { contentType, body } = await metrics.expose();
      return new Response(body, { headers: { "Content-Type": contentType } });
    },
  }),
];
