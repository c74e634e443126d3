import type { AssumptionSettings } from "../assumptions.js";
import { hasBody } from "../connection/wire-answer.js";
import { Refusal } from "../journal/refusal.js";
import { operations } from "../operations.js";
import { bearerStep, scopeStep } from "./access.js";
import { jsonAnswer } from "./answer.js";
import { correlationStep } from "./correlation.js";
import { markOf } from "./mark.js";
import type { OpenApiWriter, OperationFacts } from "./openapi/source.js";
import { PathTemplate } from "./path.js";
import type { Operation, Step } from "./service.js";
import { takeUnknownParameters } from "./unknown-parameters.js";

const isKnown = (name: string) => name === "produceError";

/** §4.2: the optional boolean `produceError`. */
const produceErrorStep: Step = {
  name: "parameters",
  section: "4.2",
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

type PingResponse = AssumptionSettings["values"]["ping.response"];

/** The connectivity check, §4.2. Its answer is an assumption, `ping.response`. */
export function pingOperation(response: PingResponse): Operation {
  const json = hasBody(response.status) ? JSON.stringify(response.body) : null;
  return {
    name: "ping",
    method: operations.ping.method,
    path: new PathTemplate(operations.ping.path),
    summary: "Connectivity check",
    steps: [bearerStep, scopeStep, correlationStep, produceErrorStep],
    answer: (call) => jsonAnswer(call, response.status, json, mark),
    explain: ({ client }) => `Ping was answered for ${client?.id}.`,
    openApi: (writer) => describePing(response, writer),
  };
}

function describePing({ status, body }: PingResponse, { component, assumed, schemaOf }: OpenApiWriter): OperationFacts {
  return {
    tag: { name: "ping", description: "The connectivity check (§4.2)." },
    section: "4.2",
    assumed: ["checks.order"],
    parameters: [
      {
        name: "produceError",
        in: "query",
        description: "With `true`, the answer is 400 EXAMPLE_ERROR.",
        schema: { type: "boolean" },
      },
    ],
    answer: {
      status,
      description: "The service can be reached, and the token is valid.",
      assumed: ["ping.response"],
      body: hasBody(status)
        ? {
            schema: component("schemas", "Pong", { title: "Pong", ...assumed("ping.response"), ...schemaOf([body]) }),
            examples: { pong: { value: body } },
          }
        : undefined,
    },
  };
}
