import { describe } from "vitest";
import { areCaught } from "./caught.js";
import { slowOnes } from "./table.js";

describe("a client that is wrong in one thing, and waits or is in an exam, fails one check", () => {
  areCaught(slowOnes, true);
});
