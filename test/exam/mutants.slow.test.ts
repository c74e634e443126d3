import { describe } from "vitest";
import { firstMutants } from "./mutants.js";
import { failOneCheck } from "./one-mistake.js";

describe("a client that waits, and has one mistake, fails one check", () => {
  failOneCheck(firstMutants(true));
});
