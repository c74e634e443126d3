import { describe, it } from "vitest";
import { calls, failForGood, failOnce } from "./half-done.js";

// More of half-done.test.ts. In the short form of `npm run test:all`, it is one operation of three, others each time.
const every = process.env["TEST_SHORT"] ? 3 : 1;
const places = { first: 1 + Math.floor(Math.random() * every), every };

describe.each(Object.entries(calls))("%s", (_name, call) => {
  it("changes everything or nothing, whichever file operation fails, and says which", () => failOnce(call, places));

  it("leaves what a start or the next call completes, whichever file operation fails for good", () =>
    failForGood(call, places));
});
