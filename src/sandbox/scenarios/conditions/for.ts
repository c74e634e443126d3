import { longestWindow } from "../defaults.js";
import { defineCondition } from "../define-condition.js";
import { duration, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const forTime = defineCondition({
  name: "for",
  schema: duration("How long it holds from `after` or the activation on, on the client's clock.", longestWindow).meta({
    examples: ["30s"],
  }),
  inHandshake: true,
  compile: (written, { after }) => ({
    length: milliseconds(written),
    start: after === undefined ? undefined : milliseconds(after),
  }),
  bounds: ({ length, start }) => ({ until: (start ?? 0) + length }),
  words: ({ length, start }) => `for ${time(length)}${start === undefined ? " from the activation" : ""}`,
});
