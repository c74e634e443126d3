import { describe, expect, it } from "vitest";
import { Exchange } from "../../src/journal/exchange.js";
import { certificatePeer } from "../api/harness.js";

const passage = { arrivedAt: 1, releasedAt: 2, ordinal: 3, keptOpen: true, isBroken: false };

function told() {
  const calls: unknown[] = [];
  const listener = {
    over: (exchange: Exchange, id: number, how: unknown) =>
      calls.push([id, how, exchange.delivered, exchange.pageAnswered()]),
  };
  const exchange = new Exchange(certificatePeer("demo"), "GET", "/v1/payments", [], 0);
  exchange.answeredPage({ rows: 1, cursor: "next" });
  return { calls, listener, exchange };
}

describe("who listens for the end of an exchange", () => {
  it("is told once, with the id in the journal, how it went, and the page", () => {
    const { calls, listener, exchange } = told();
    exchange.recorded(7, listener);
    expect(calls).toEqual([]);
    exchange.closed(true, passage);
    expect(calls).toEqual([[7, passage, true, { rows: 1, cursor: "next" }]]);
    expect(exchange.pageAnswered()).toBeUndefined();
  });

  it("is told at once where the client did not wait", () => {
    const { calls, listener, exchange } = told();
    exchange.closed(false, passage);
    exchange.recorded(7, listener);
    expect(calls).toEqual([[7, passage, false, { rows: 1, cursor: "next" }]]);
  });
});
