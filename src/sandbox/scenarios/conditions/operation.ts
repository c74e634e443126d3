import * as z from "zod";
import { enumerated } from "../../../base/text/enumerated.js";
import { operationNames } from "../../operations.js";
import { defineCondition } from "../define-condition.js";
import { oneOf } from "../schema-values.js";

const name = oneOf(operationNames, "operation");

export const operation = defineCondition({
  name: "operation",
  schema: z.union([name, z.array(name).min(1, "give at least one operation")]).meta({
    description: "One, or several: `[ping, list]`. Every list endpoint is `list`.",
    examples: ["list", ["list", "ping"]],
  }),
  begins: true,
  compile: (written) => [written].flat(),
  operations: (names) => names,
  holds: (names, facts) => names.includes(facts.operation),
  subject: (names) => enumerated(names, "or"),
});
