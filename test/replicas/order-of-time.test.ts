import { describe, expect, it } from "vitest";
import { OrderOfTime } from "../../src/replicas/order-of-time.js";

function ordered(...items: readonly (readonly [name: string, overAt: number])[]) {
  const order = new OrderOfTime<string>();
  for (const [name, overAt] of items) order.add(name, overAt);
  return { order, until: (instant: number) => order.takeUntil(instant) };
}

describe("the order of time", () => {
  it("is the order of ends, not of arrivals", () => {
    const { until } = ordered(["late", 30], ["early", 10], ["between", 20]);
    expect(until(Number.POSITIVE_INFINITY)).toEqual(["early", "between", "late"]);
  });

  it("is the order of arrivals for the same instant", () => {
    const { until } = ordered(["second", 20], ["first", 10], ["third", 20], ["fourth", 20]);
    expect(until(20)).toEqual(["first", "second", "third", "fourth"]);
  });

  it("keeps later items until they are requested", () => {
    const { order, until } = ordered(["c", 30], ["a", 10]);
    expect([until(9), until(10)]).toEqual([[], ["a"]]);
    order.add("b", 20);
    expect([until(29), until(30), until(30)]).toEqual([["b"], ["c"], []]);
  });

  it("can drop waiting items", () => {
    const { order, until } = ordered(["a", 10]);
    order.clear();
    expect(until(10)).toEqual([]);
  });
});
