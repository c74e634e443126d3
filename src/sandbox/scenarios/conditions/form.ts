import { defineNamedValues } from "../named-values.js";
import { text } from "../schema-values.js";

export const form = defineNamedValues({
  name: "form",
  keys: text,
  description: "Fields of a token request's form, in the same way.",
  examples: [{ scope: "write" }],
  operations: () => ["token"],
  readsBody: true,
  valuesOf: (facts, name) => facts.form(name),
  what: "the form field",
});
