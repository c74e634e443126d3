import { describe } from "vitest";
import { mutants } from "./mutants.js";
import { failOneCheck } from "./one-mistake.js";

describe("a client with one mistake fails one check, for every variant of the mistake", () => {
  failOneCheck(mutants);
});
