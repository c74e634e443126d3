import { describe } from "vitest";
import { areCaught } from "./caught.js";
import { firstOfEach } from "./table.js";

describe("a client that waits, and is wrong in one thing, fails one check", () => {
  areCaught(firstOfEach(true), true);
});
