import { Refusal } from "../journal/refusal.js";
import type { Step } from "./service.js";

/** §7 INVALID_CORRELATION_ID. */
export const correlationStep: Step = {
  name: "correlation-id",
  checks: "the correlation ID, where one is sent, has the required format",
  refuses: ["correlation.header", "correlation.format", "correlation.required"],
  judgesAlone: () => true,
  run({ service, exchange }) {
    const { correlation } = service;
    const problem = correlation.problemIn(exchange.rawHeaders);
    if (problem === undefined) return;
    const { formatName: format, required } = correlation;
    throw new Refusal(problem.basis, { kind: "correlation-id", reason: problem.reason, format, required });
  },
};
