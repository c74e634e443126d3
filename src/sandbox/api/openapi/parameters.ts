import { namePattern } from "../../../base/text/name.js";
import type { AssumptionSettings } from "../../assumptions.js";
import { longestCorrelationId } from "../correlation.js";
import type { Operation } from "../service.js";
import { assumed, type Json, type OpenApiWriter } from "./source.js";

/** The parameters of an operation's path, except those that it describes itself. */
export function pathParameters({ path }: Operation, described: readonly Json[]): readonly Json[] {
  return path.parameters
    .filter((name) => !described.some((one) => one["in"] === "path" && one["name"] === name))
    .map((name) => ({ name, in: "path", required: true, schema: { type: "string", minLength: 1 } }));
}

/** The parameters that every operation has: the correlation ID, if it is checked, and the sandbox's own. */
export function commonParameters({ steps }: Operation, { assumptions, component }: OpenApiWriter): readonly Json[] {
  const checked = steps.some(({ refuses }) => refuses.includes("correlation.format"));
  return [
    ...(checked ? [component("parameters", "CorrelationId", correlationId(assumptions))] : []),
    component("parameters", "SandboxScenario", {
      name: "Sandbox-Scenario",
      in: "header",
      description: "A scenario for this one request. The real service does not have this header.",
      "x-sandbox": true,
      schema: { type: "string", pattern: namePattern.source },
    }),
    component("parameters", "SandboxReplay", {
      name: "Sandbox-Replay",
      in: "header",
      description: "The value of a Sandbox-Fault: the same fault again. The real service does not have this header.",
      "x-sandbox": true,
      schema: { type: "string" },
    }),
    component("parameters", "SandboxExpected", {
      name: "Sandbox-Expected",
      in: "header",
      description:
        "Error codes that the request provokes on purpose, separated by commas: the report on the client does not count them. The real service does not have this header.",
      "x-sandbox": true,
      schema: { type: "string" },
    }),
  ];
}

function correlationId({ values }: AssumptionSettings): Json {
  const format = values["correlation.format"];
  return {
    name: values["correlation.header"],
    in: "header",
    description: "Identifies the request in logs on both sides; the answer carries it as well (§7 rule 3).",
    required: values["correlation.required"],
    ...assumed("correlation.header", "correlation.format", "correlation.required"),
    schema:
      format === "uuid"
        ? { type: "string", format: "uuid" }
        : { type: "string", pattern: `^(?:${format})$`, maxLength: longestCorrelationId },
  };
}
