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

  it("takes a page of HTML for the answer of a ping", async () => {
    const { code, found } = await verdicts("credulous", "ping/not-json,list.payouts.middle/not-json");
    expect(code).toBe(0);
    expect(found).toEqual({
      ...all("wrong", "ping/not-json"),
      ...all("failed-clearly", "list.payouts.middle/not-json"),
    });
  });

  it("does not wait as long as Retry-After says", async () => {
    const { code, found } = await verdicts("hasty", "*/error-429,ping/error-500");
    expect(code).toBe(1);
    expect(found).toEqual({
      ...all("misbehaved", "ping/error-429", "list.payouts.first/error-429", "list.payouts.middle/error-429"),
      ...all("misbehaved", "list.payouts.last/error-429", "token.first/error-429"),
      ...all("recovered", "ping/error-500"),
    });
  });

  it("tries again at once, without end", async () => {
    const { code, found } = await verdicts("endless", "ping/reset-always,ping/slow", "--timeout", "1s");
    expect(code).toBe(1);
    expect(found).toEqual({
      ...all("misbehaved", "ping/reset-always"),
      ...all("recovered", "ping/slow"),
    });
  });

  it("never renews a refused token", async () => {
    const { code, found } = await verdicts("stubborn", "*/unauthorized,ping/reset");
    expect(code).toBe(0);
    expect(found).toEqual({
      ...all("gave-up", "ping/unauthorized", "list.payouts.first/unauthorized", "list.payouts.middle/unauthorized"),
      ...all("gave-up", "list.payouts.last/unauthorized"),
      ...all("recovered", "ping/reset"),
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
