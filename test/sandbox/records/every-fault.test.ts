import { everyFaultIsRecorded } from "./every-fault.js";
import { exampleRules } from "./rules.js";

// The first example of each fault, and the codes that no table has; what acts on the answer, over one version of HTTP.
// `npm run night` tries every example on every operation, in every way, over both.
everyFaultIsRecorded(
  exampleRules
    .filter(({ isFirst }) => isFirst)
    .map((rule) => (/^(connection|stream): /.test(rule.fault) ? rule : { ...rule, http: rule.http ?? 2 })),
  () => [["the second of three", true]],
);
