import { describe, it } from "vitest";
import { calls, failForGood, failOnce } from "./half-done.js";

// More of half-done.test.ts.
const places = { first: 1, every: 1 };

describe.each(Object.entries(calls))("%s", (_name, call) => {
  it("changes everything or nothing, whichever file operation fails, and says which", () => failOnce(call, places));

  it("leaves what a start or the next call completes, whichever file operation fails for good", () =>
    failForGood(call, places));
});
