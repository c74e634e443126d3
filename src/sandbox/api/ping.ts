import { hasBody } from "../connection/wire-answer.js";
import { Refusal } from "../journal/refusal.js";
import { operations } from "../operations.js";
import { jsonAnswer } from "./answer.js";
import { bearerStep, scopeStep } from "./bearer.js";
import { correlationStep } from "./correlation.js";
import { markOf } from "./mark.js";
import { PathTemplate } from "./path.js";
import type { Operation, Step } from "./service.js";
import { takeUnknownParameters } from "./unknown-parameters.js";

const isKnown = (name: string) => name === "produceError";

/** §4.2: the optional boolean `produceError`. */
const produceErrorStep: Step = {
  name: "parameters",
  checks: "produceError, where it is sent, is true or false; true asks for the example error",
  parameters: ["produceError"],
  refuses: ["EXAMPLE_ERROR", "ping.produce-error", "request.unknown-parameters"],
  run(call) {
    const values = call.parameters.get("produceError");
    const [value] = values ?? [];
    if (values && (values.length > 1 || (value !== "true" && value !== "false"))) throw badValue(values.length);
    takeUnknownParameters(call, isKnown);
    if (value === "true") throw new Refusal("EXAMPLE_ERROR", { kind: "example" });
  },
};

function badValue(times: number): Refusal {
  const reason = times > 1 ? "it was sent more than once" : "it is neither true nor false";
  return new Refusal("ping.produce-error", { kind: "parameter", name: "produceError", reason });
}

const mark = markOf(["ping.response"]);

/** The connectivity check, §4.2. Its answer is an assumption, `ping.response`. */
export function pingOperation(response: { readonly status: number; readonly body: unknown }): Operation {
  const json = hasBody(response.status) ? JSON.stringify(response.body) : null;
  return {
    name: "ping",
    method: operations.ping.method,
    path: new PathTemplate(operations.ping.path),
    summary: "Connectivity check",
    steps: [bearerStep, scopeStep, correlationStep, produceErrorStep],
    answer: (call) => jsonAnswer(call, response.status, json, mark),
  };
}
