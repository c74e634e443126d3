import { everyPairIsRecorded } from "./every-fault.js";
import { exampleRules } from "./rules.js";

// Faults that break, delay or divide answers, two at a time.
everyPairIsRecorded(
  exampleRules.filter(
    ({ name, isFirst }) => (isFirst && /^(connection|stream)-/.test(name)) || name === "connection-goaway-1",
  ),
);
