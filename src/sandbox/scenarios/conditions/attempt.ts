import { defineCondition } from "../define-condition.js";
import { positive } from "../schema-values.js";
import { ordinal } from "../words.js";

export const attempt = defineCondition({
  name: "attempt",
  schema: positive.meta({
    description:
      "How often in a row the client sends the same request (method, path, query and, for a token, body): 2 is the first repetition. A different request of the same operation starts again at 1; requests of other operations do not.",
    examples: [2],
  }),
  readsBody: true,
  bounds: (count) => ({ attempt: count }),
  words: (count) => `sent for the ${ordinal(count)} time in a row`,
});
