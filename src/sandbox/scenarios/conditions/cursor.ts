import * as z from "zod";
import { defineCondition } from "../define-condition.js";

export const cursor = defineCondition({
  name: "cursor",
  schema: z.boolean("give true or false").meta({ description: "Whether a cursor is sent.", examples: [true] }),
  operations: () => ["list"],
  holds: (isSent, facts) => facts.cursor() === isSent,
  words: (isSent) => (isSent ? "with a cursor" : "without a cursor"),
});
