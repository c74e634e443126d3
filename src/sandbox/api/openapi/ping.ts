import { hasBody } from "../../connection/wire-answer.js";
import { inferredSchema } from "./row-schema.js";
import { assumed, type Components, component, type OpenApiSource, type OperationFacts } from "./source.js";

/** §4.2: ping. */
export function pingFacts({ assumptions }: OpenApiSource, components: Components): OperationFacts {
  const { status, body } = assumptions.values["ping.response"];
  return {
    tag: "ping",
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
            schema: component(components, "schemas", "Pong", {
              title: "Pong",
              ...assumed("ping.response"),
              ...inferredSchema([body]),
            }),
            examples: { pong: { value: body } },
          }
        : undefined,
    },
  };
}
