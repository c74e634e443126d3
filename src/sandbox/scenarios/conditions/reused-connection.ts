import * as z from "zod";
import { defineCondition } from "../define-condition.js";

export const reusedConnection = defineCondition({
  name: "reusedConnection",
  schema: z.boolean("give true or false").meta({
    description:
      "Whether the connection has carried a request before: `true` holds for each of its requests but the first. With `connection: close` or `reset`, what a client sees whose pool keeps a connection that the server has closed.",
    examples: [true],
  }),
  holds: (isReused, facts) => facts.isReused === isReused,
  words: (isReused) => (isReused ? "on a connection that was used before" : "first on its connection"),
});
