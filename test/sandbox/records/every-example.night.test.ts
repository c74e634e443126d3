import { everyFaultIsRecorded } from "./every-fault.js";
import { exampleRules, preferred } from "./rules.js";

/** On a list, which has the longest answer, in each way; on the others, among others. */
everyFaultIsRecorded(exampleRules, ({ operation }) =>
  operation === preferred[0]
    ? [
        ["alone", false],
        ["the first of three", false],
        ["the first of three", true],
        ["the second of three", true],
        ["three of three", true],
      ]
    : [["the first of three", true]],
);
