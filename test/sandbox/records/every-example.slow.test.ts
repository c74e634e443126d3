import { everyFaultIsRecorded } from "./every-fault.js";
import { exampleRules } from "./rules.js";

/** Each example on each operation; in every way: every-example.night.test.ts. */
everyFaultIsRecorded(exampleRules, () => [["the first of three", true]]);
