import { defineCheck } from "../../check.js";
import { page, ping } from "../../conversation.js";
import { failRefused } from "../../refused.js";

export const path = defineCheck({
  id: "request.path",
  level: "must",
  source: "§4",
  assumptions: ["http.not-found", "http.head", "http.method-not-allowed", "list.endpoints"],
  exercisedBy: "a request",
  failsWhen: "a request gets 404 or 405, not from a scenario",
  excuses: ["a list may have no parent with the given id"],
  fix: "Use the interface's method and path letter by letter, with one slash after the base URL.",
  exchange(observed, { finding }) {
    const { id, operation, refusal } = observed;
    const kind = refusal?.kind;
    if (kind === "no-such-path")
      failRefused(finding, observed, "A request was sent to a path that is not part of the interface");
    else if (kind === "method")
      failRefused(finding, observed, "A request was sent with a method that its path does not support");
    else if (operation !== undefined) finding.exercise(id);
  },
  fails: {
    steps: [
      ping({
        method: "POST",
        operation: undefined,
        status: 405,
        refusal: { code: "METHOD_NOT_ALLOWED", kind: "method" },
      }),
    ],
  },
  innocent: { steps: [page({}, { status: 404, refusal: { code: "NOT_FOUND", kind: "no-such-parent" } })] },
});
