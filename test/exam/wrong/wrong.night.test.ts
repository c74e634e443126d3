import { describe } from "vitest";
import { areCaught } from "./caught.js";
import { wrongClients } from "./table.js";

describe("a client that is wrong in one thing fails one check, in every variant and over each version of HTTP", () => {
  areCaught(wrongClients, true);
});
