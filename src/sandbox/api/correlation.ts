import type { Step } from "./service.js";

/** §7 INVALID_CORRELATION_ID. */
export const correlationStep: Step = {
  name: "correlation-id",
  checks: "the correlation ID, where one is sent, has the required format",
  refuses: ["correlation.header", "correlation.format", "correlation.required"],
  run({ service, exchange }) {
    const refusal = service.correlation.refusalFor(exchange.rawHeaders);
    if (refusal) throw refusal;
  },
};
