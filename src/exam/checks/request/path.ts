import { defineCheck } from "../../check.js";
import { page, ping } from "../../conversation.js";

export const path = defineCheck({
  id: "request.path",
  level: "must",
  source: "§4",
  exercisedBy: "a request",
  failsWhen: "a request gets 404 or 405, not from a scenario",
  excuses: ["a list may have no parent with the given id"],
  fix: "Use the interface's method and path letter by letter, with one slash after the base URL.",
  exchange({ id, operation, refusal }, { finding }) {
    const kind = refusal?.kind;
    if (kind === "no-such-path") finding.fail("A request was sent to a path that is not part of the interface.", [id]);
    else if (kind === "method") finding.fail("A request was sent with a method that its path does not support.", [id]);
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
