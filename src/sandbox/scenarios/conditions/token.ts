import { defineCondition } from "../define-condition.js";
import { tokenRoles } from "../request-facts.js";
import { oneOf } from "../schema-values.js";

export const token = defineCondition({
  name: "token",
  schema: oneOf(tokenRoles, "token request").meta({
    description:
      "What a token request is: `first` until the client was issued a token, whether or not the answer arrived; then `renewal`. `POST /reset` does not change that; sandboxes that share their state count together.",
    examples: ["renewal"],
  }),
  begins: true,
  operations: () => ["token"],
  holds: (role, facts) => facts.token === role,
  subject: (role) => (role === "first" ? "the first token of a client" : "a renewed token"),
});
