import { defineNamedValues } from "../named-values.js";
import { headerName } from "../schema-values.js";

export const headers = defineNamedValues({
  name: "headers",
  keys: headerName,
  description: "Headers, in the same way; the case of names does not matter.",
  examples: [{ "User-Agent": { like: "curl/*" } }],
  nameOf: (written) => written.toLowerCase(),
  valuesOf: (facts, name) => facts.header(name),
  // One that must have a value, or must be sent.
  header: (values) => values.find(([, value]) => value !== false)?.[0],
  what: "the header",
});
