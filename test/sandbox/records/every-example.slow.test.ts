import { everyFaultIsRecorded } from "./every-fault.js";
import { exampleRules } from "./rules.js";

everyFaultIsRecorded(exampleRules, [
  ["alone", false],
  ["alone", true],
  ["the first of three", false],
  ["the first of three", true],
  ["the second of three", true],
  ["three of three", false],
  ["three of three", true],
]);
