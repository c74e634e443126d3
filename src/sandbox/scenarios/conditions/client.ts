import * as z from "zod";
import { namePattern } from "../../../base/text/name.js";
import { defineCondition } from "../define-condition.js";

export const client = defineCondition({
  name: "client",
  schema: z
    .string("give a text")
    .regex(namePattern, "give a client id")
    .meta({ description: "The `client_id` of the connection's certificate.", examples: ["demo"] }),
  holds: (id, facts) => facts.client === id,
  words: (id) => `of the client ${id}`,
});
