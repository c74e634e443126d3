import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";

export const parameters = defineCheck({
  id: "request.parameters",
  level: "should",
  source: "§4.2, §8",
  exercisedBy: "a request",
  failsWhen: "a request has a query parameter that the operation does not know",
  excuses: ["token.header judges a token in the URL, token.form the parameters of a form"],
  fix: "Correct the parameter or leave it out: the service ignores what it does not know.",
  exchange({ id, operation, unknown: [first] }, { finding }) {
    if (first !== undefined) {
      const { name, near } = first;
      const end = near === undefined ? "." : `; did you mean "${near}"?`;
      finding.fail(`A request had the unknown query parameter "${name}"${end}`, [id]);
    } else if (operation !== undefined) finding.exercise(id);
  },
  fails: { steps: [ping({ unknown: [{ name: "pagesize", near: "pageSize" }] })] },
  innocent: { steps: [ping({ target: "/v1/ping?produceError=false", hasValues: true })] },
});
