import { describe } from "vitest";
import { mutants } from "./mutants.js";
import { failOneCheck } from "./one-mistake.js";

describe("a client that waits, and has one mistake, fails one check", () => {
  failOneCheck(
    ["retry.bounded", "token.expired"].flatMap((id) => mutants.filter(({ fails }) => fails === id).slice(0, 1)),
  );
});
