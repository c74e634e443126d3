import { Refusal } from "../journal/refusal.js";
import { bodiless, jsonAnswer } from "./answer.js";
import { bearerStep, scopeStep } from "./bearer.js";
import { correlationStep } from "./correlation.js";
import { PathTemplate } from "./path.js";
import type { Operation, Step } from "./service.js";
import { takeUnknownParameters } from "./unknown-parameters.js";

/** §4.2: the optional boolean `produceError`. */
const produceErrorStep: Step = {
  name: "parameters",
  checks: "produceError, where it is sent, is true or false; true asks for the example error",
  parameters: ["produceError"],
  refuses: ["EXAMPLE_ERROR", "ping.produce-error", "request.unknown-parameters"],
  judgesAlone: () => true,
  run(call) {
    takeUnknownParameters(call, (name) => name === "produceError");
    const values = call.parameters.get("produceError");
    if (!values) return;
    const [value] = values;
    if (values.length === 1 && value === "true") throw new Refusal("EXAMPLE_ERROR", { kind: "example" });
    if (values.length === 1 && value === "false") return;
    throw new Refusal("ping.produce-error", {
      kind: "parameter",
      name: "produceError",
      reason: values.length > 1 ? "it was sent more than once" : "it is neither true nor false",
    });
  },
};

/** The connectivity check, §4.2. Its answer is an assumption, `ping.response`. */
export function pingOperation(response: { readonly status: number; readonly body: unknown }): Operation {
  const json = bodiless.has(response.status) ? null : JSON.stringify(response.body);
  return {
    name: "ping",
    method: "GET",
    path: new PathTemplate("/v1/ping"),
    summary: "Connectivity check",
    steps: [bearerStep, scopeStep, correlationStep, produceErrorStep],
    answer(call) {
      const ignored = call.exchange.unknownParameters.length > 0;
      const mark = ignored ? "ping.response, request.unknown-parameters" : "ping.response";
      return jsonAnswer(call, response.status, json, mark);
    },
  };
}
