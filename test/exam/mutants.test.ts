import { describe, expect, it } from "vitest";
import { checkIds } from "../../src/exam/checks.js";
import { mutants } from "./mutants.js";
import { failOneCheck } from "./one-mistake.js";

describe("a client with one mistake fails one check", () => {
  // Other variants are in mutants.slow.test.ts.
  failOneCheck(mutants.filter(({ fails }, index) => mutants.findIndex((mutant) => mutant.fails === fails) === index));

  it("each check has such a client", () => {
    expect(checkIds.filter((id) => !mutants.some(({ fails }) => fails === id))).toEqual([]);
  });
});
