import { describe, expect, it } from "vitest";
import { all, verdicts, verdictsOverHttp2 } from "./explored.js";

// Other weaknesses: explore-weak.night.test.ts.
describe("a client with one weakness is found where the weakness lies", { tags: "slow" }, () => {
  it("returns what it has when a later page fails", async () => {
    const { code, found } = await verdicts("partial", "list.*/reset,list.*/error-500,ping/reset");
    expect(code).toBe(1);
    expect(found).toEqual({
      ...all("gave-up", "ping/reset", "list.payouts.first/reset", "list.payouts.first/error-500"),
      ...all("wrong", "list.payouts.middle/reset", "list.payouts.middle/error-500"),
      ...all("wrong", "list.payouts.last/reset", "list.payouts.last/error-500"),
    });
  });

  it("has no time limit", async () => {
    const { code, found } = await verdicts(
      "waiting",
      "*.first/hang,*.last/stall,*.last/hang-always,*.last/reset",
      "--timeout",
      "2s",
    );
    expect(code).toBe(1);
    expect(found).toEqual({
      ...all("hung", "token.first/hang", "list.payouts.first/hang"),
      ...all("hung", "list.payouts.last/stall", "list.payouts.last/hang-always"),
      ...all("recovered", "list.payouts.last/reset"),
    });
  });

  it("a client without one recovers, over HTTP/2", async () => {
    const { code, must, found } = await verdictsOverHttp2("none", "*.middle/goaway,*.last/stream-refused,ping/reset");
    expect({ code, must }).toEqual({ code: 0, must: [] });
    expect(found).toEqual(
      all("recovered", "list.payouts.middle/goaway", "list.payouts.last/stream-refused", "ping/reset"),
    );
  });
});
