import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import type { ExchangeObservation } from "../../observation.js";
import { failRefused } from "../../refused.js";

/** Whether the sandbox read the parameters of a request, and accepted them. */
export function isAccepted({ status, refusal, ending }: ExchangeObservation): boolean {
  return ending === "delivered" && ((status >= 200 && status < 300) || refusal?.code === "EXAMPLE_ERROR");
}

export const values = defineCheck({
  id: "request.values",
  level: "must",
  source: "§7",
  assumptions: ["list.dates", "list.endpoints", "ping.produce-error"],
  exercisedBy: "a request with a date, a filter or produceError",
  failsWhen: "a request gets VALIDATION_ERROR, not from a scenario",
  excuses: ["request.parameters judges unknown parameters"],
  fix: "Send dates as RFC 3339 date-times with an offset, percent-encoded, each filter once, and produceError as true or false.",
  exchange(observed, { finding }) {
    const { id, operation, refusal, hasValues, unknown } = observed;
    if (!hasValues) return;
    const isUnknown = unknown.length > 0 && refusal?.kind === "parameter";
    if (refusal?.code === "VALIDATION_ERROR" && operation !== "token" && !isUnknown)
      failRefused(
        finding,
        observed,
        "A date, a filter or produceError had a value that was refused (VALIDATION_ERROR)",
      );
    // The last step of an operation judges values: a request that got the answer of the operation has passed it.
    else if (isAccepted(observed)) finding.exercise(id);
  },
  fails: {
    steps: [ping({ hasValues: true, status: 400, refusal: { code: "VALIDATION_ERROR", kind: "list" } })],
  },
  innocent: { steps: [ping({ hasValues: true, status: 400, code: "VALIDATION_ERROR" })] },
});
