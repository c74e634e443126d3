import { everyFaultIsRecorded } from "./every-fault.js";
import { bodilessRules } from "./rules.js";

// Answers without a body: there is nothing to cut or to divide.
everyFaultIsRecorded(bodilessRules, () => [["the second of three", true]]);
