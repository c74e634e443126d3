import { Refusal } from "../journal/refusal.js";
import type { Step } from "./service.js";

/** §7 INVALID_CORRELATION_ID. */
export const correlationStep: Step = {
  name: "correlation-id",
  checks: "the correlation ID, where one is sent, has the required format",
  refuses: ["INVALID_CORRELATION_ID"],
  run({ service, exchange }) {
    const problem = service.correlation.problemIn(exchange.rawHeaders);
    if (problem === undefined) return;
    throw new Refusal("INVALID_CORRELATION_ID", { kind: "correlation-id", reason: problem });
  },
};
