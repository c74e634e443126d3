import { describe, expect, it } from "vitest";
import { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { certificatePeer } from "../api/harness.js";

const ended = expect.objectContaining({ arrivedAt: 1, releasedAt: 2, ordinal: 3, keptOpen: true, isBroken: false });
const passage = { arrivedAt: 1, releasedAt: 2, ordinal: 3, keptOpen: true, isBroken: false };

function listening() {
  const calls: unknown[] = [];
  const listener = {
    over: ({ passage, delivered, page }: Exchange, id: number) => {
      calls.push([id, passage, delivered, page]);
    },
  };
  const exchange = new Exchange(certificatePeer("demo"), "GET", "/v1/payments", [], 0);
  exchange.answeredPage({ rows: 1, cursor: "next" });
  return { calls, listener, exchange };
}

describe("a listener for the end of an exchange", () => {
  it("is called once, with the id in the journal, the passage, and the page", () => {
    const { calls, listener, exchange } = listening();
    exchange.recorded(7, listener);
    expect(calls).toEqual([]);
    exchange.closed(true, passage);
    expect(calls).toEqual([[7, ended, true, { rows: 1, cursor: "next" }]]);
    expect(exchange.passage?.overAt).toBeGreaterThan(2);
    expect(Object.isFrozen(exchange)).toBe(true);
    expect(() => exchange.passed(1)).toThrow(TypeError);
  });

  it("is called at once if the client did not wait", () => {
    const { calls, listener, exchange } = listening();
    exchange.closed(false, passage);
    exchange.recorded(7, listener);
    expect(calls).toEqual([[7, ended, false, { rows: 1, cursor: "next" }]]);
  });
});

it("an exchange has the machine's time of its arrival, and the full duration", () => {
  const now = Date.UTC(2026, 5, 1);
  const one = new Exchange(certificatePeer("demo"), "GET", "/v1/ping", [], now);
  expect([one.receivedAt, one.duration]).toEqual([now, 0]);
  one.answered(200, {}, "");
  one.recordedAt(now - 5000, 0);
  expect(one.receivedAt).toBe(now - 5000 - Math.round(one.duration));
  const { duration } = one;
  one.closed(true);
  expect(one.duration).toBeGreaterThanOrEqual(duration);
});
