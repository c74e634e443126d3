import { everyFaultIsRecorded } from "./every-fault.js";
import { exampleRules } from "./rules.js";

// The first example of each fault, and the codes that no table has. `npm run test:all` tries every example on every
// operation, and `npm run night` in every way.
everyFaultIsRecorded(
  exampleRules.filter(({ isFirst }) => isFirst),
  () => [["the second of three", true]],
);
