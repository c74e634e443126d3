import { defineCondition } from "../define-condition.js";
import { certificateConditions } from "../request-facts.js";
import { oneOf } from "../schema-values.js";

export const certificate = defineCondition({
  name: "certificate",
  schema: oneOf(certificateConditions, "certificate").meta({
    description:
      "What the client presented. `registered`: a certificate of any client; `replaced`: one that a newer one replaces; the others, but `none`, are misfits, named like their folders. Clients without a registered certificate get only the scenario for all.",
    examples: ["expired"],
  }),
  holds: (presented, facts) => facts.presents(presented),
  words: (presented) => `with the certificate: ${presented}`,
});
