import { operationNames, operations } from "../../operations.js";
import { defineCondition } from "../define-condition.js";
import { oneOf } from "../schema-values.js";

export const method = defineCondition({
  name: "method",
  schema: oneOf(["GET", "POST"], "method").meta({
    description: "Only the token endpoint takes `POST`.",
    examples: ["GET"],
  }),
  operations: (value) => operationNames.filter((name) => operations[name].method === value),
  holds: (value, facts) => facts.method === value,
  words: (value) => `by ${value}`,
});
