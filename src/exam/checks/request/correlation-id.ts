import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import { failRefused } from "../../refused.js";
import { isAccepted } from "./values.js";

export const correlationId = defineCheck({
  id: "request.correlation-id",
  level: "should",
  source: "§7 rule 3",
  assumptions: ["correlation.format", "correlation.header", "correlation.required"],
  exercisedBy: "a request with a correlation ID",
  failsWhen: "a request gets INVALID_CORRELATION_ID, not from a scenario",
  excuses: [],
  fix: "Send the correlation ID once, in the required format: a UUID, unless configured otherwise.",
  exchange(observed, { finding }) {
    const { id, refusal, correlationId } = observed;
    if (refusal?.code === "INVALID_CORRELATION_ID")
      failRefused(finding, observed, "The correlation ID of a request was refused (INVALID_CORRELATION_ID)");
    else if (correlationId !== undefined && isAccepted(observed)) finding.exercise(id);
  },
  fails: {
    steps: [
      ping({
        correlationId: "7",
        status: 400,
        refusal: { code: "INVALID_CORRELATION_ID", kind: "correlation-id", assumption: "correlation.format" },
      }),
    ],
  },
  innocent: { steps: [ping({ correlationId: "7", status: 400, code: "INVALID_CORRELATION_ID" })] },
});
