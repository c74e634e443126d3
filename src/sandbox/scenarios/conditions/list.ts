import { quote } from "../../../base/text/printable.js";
import { defineCondition } from "../define-condition.js";
import { text } from "../schema-values.js";

export const list = defineCondition({
  name: "list",
  schema: text.meta({ description: "A list's name, such as `payments`.", examples: ["payments"] }),
  begins: true,
  operations: () => ["list"],
  holds: (name, facts) => facts.list === name,
  words: (name) => `of the list ${quote(name)}`,
});
