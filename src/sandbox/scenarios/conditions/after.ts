import { longestWindow } from "../defaults.js";
import { defineCondition } from "../define-condition.js";
import { duration, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const after = defineCondition({
  name: "after",
  schema: duration(
    "How long after its activation the rule begins, on the client's clock; with `Sandbox-Scenario`, after the client's first request under the scenario.",
    longestWindow,
  ).meta({ examples: ["10s"] }),
  inHandshake: true,
  compile: (written) => milliseconds(written),
  bounds: (start) => ({ after: start }),
  words: (start) => `from ${time(start)} after the activation`,
});
