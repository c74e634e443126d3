import { defineNamedValues } from "../named-values.js";
import { text } from "../schema-values.js";

export const query = defineNamedValues({
  name: "query",
  keys: text,
  description:
    "Query parameters: each an exact value, several in a list, `{ like: … }` with `*` for any characters, or `true` for sent, `false` for not sent.",
  examples: [{ status: "PENDING" }, { status: ["PENDING", "PAID"] }],
  valuesOf: (facts, name) => facts.query(name),
  what: "the parameter",
});
