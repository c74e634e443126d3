import { describe } from "vitest";
import { areCaught } from "./caught.js";
import { slowOnes } from "./table.js";

describe("a client that is wrong in one thing fails one check, of each check", () => {
  areCaught(slowOnes, true);
});
