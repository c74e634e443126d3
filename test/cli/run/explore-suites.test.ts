import { describe, expect, it } from "vitest";
import { all, verdictsOfSuite } from "./explored.js";

// The whole matrix: explore-suites.night.test.ts.
describe("a suite of several tests", { tags: "slow" }, () => {
  it("whose client swallows errors loses pages and answers, although other tests send the same", async () => {
    const { code, found, counts } = await verdictsOfSuite({ WEAKNESS: "swallowing" }, "list.*/reset,ping/error-500");
    expect(code).toBe(1);
    expect(new Set(Object.values(found))).toEqual(new Set(["wrong"]));
    expect(counts).toEqual({
      ...all("must", "list.payments.first/reset", "list.payouts.first/reset"),
      ...all("must", "list.payouts.middle/reset", "list.payouts.last/reset"),
      ...all("should", "ping/error-500"),
    });
  });

  it("that ends with 0 when it gets no token loses all", async () => {
    const { must, messages } = await verdictsOfSuite({ WEAKNESS: "exiting" }, "token.first/reset,ping/reset");
    expect(must).toEqual(["token.first/reset"]);
    expect(messages[0]).toMatch(/1 walk of payouts never came to its end\. Report the failure/);
  });

  it("whose client tries nothing again is not taken for one that does, because of its other tests", async () => {
    const weak = { WEAKNESS: "resigned" };
    const { found, messages } = await verdictsOfSuite(
      weak,
      "ping/reset,list.payments.first/reset,*.last/forbidden-always",
    );
    expect(found).toEqual({
      ...all("gave-up", "ping/reset", "list.payments.first/reset"),
      ...all("failed-clearly", "list.payouts.last/forbidden-always"),
    });
    expect(messages[0]).toMatch(/it did not send the request again\. After a failure that passes, repeat/);
  });

  it("that counts requests fails after recovery; cut short, nobody knows", async () => {
    const whole = await verdictsOfSuite({ SUITE: "counting" }, "ping/reset");
    expect(whole.found).toEqual(all("failed-after-recovery", "ping/reset"));
    const { found, messages } = await verdictsOfSuite({ SUITE: "counting", BAIL: "yes" }, "ping/reset");
    expect(found).toEqual(all("gave-up", "ping/reset"));
    expect(messages[0]).toMatch(/it is not known whether the request was sent again: another test sends the same\.$/);
  });

  it.each<[string, string, string, "must" | "should" | "good"]>([
    ["hasty-at-token", "token.first/error-429", "misbehaved", "should"],
    ["bursting", "list.payouts.middle/error-500", "misbehaved", "should"],
    ["renewing", "ping/unauthorized-always", "misbehaved", "must"],
    ["restarting", "list.payouts.last/reset", "delivered", "good"],
  ])("whose client is %s at %s: %s (%s)", async (weakness, cell, verdict, level) => {
    for (const SUITE of ["shared", "apart"]) {
      const { found, counts } = await verdictsOfSuite({ WEAKNESS: weakness, SUITE }, cell);
      expect({ SUITE, found, counts }).toMatchObject({ found: all(verdict, cell), counts: all(level, cell) });
    }
  });

  it("is not judged by a check that is ignored", async () => {
    const { found } = await verdictsOfSuite(
      { WEAKNESS: "renewing" },
      "ping/unauthorized-always",
      "--ignore",
      "token.renewed",
    );
    expect(found).toEqual(all("not-judged", "ping/unauthorized-always"));
  });

  it("that polls, or hedges, has no finding", async () => {
    for (const env of [{ SUITE: "polling" }, { WEAKNESS: "hedging" }]) {
      const { counts } = await verdictsOfSuite(env, "list.payouts.*/slow,list.payouts.*/reset,ping/reset");
      expect(Object.entries(counts).filter(([, level]) => level === "must" || level === "should")).toEqual([]);
    }
  });
});
