import { describe, expect, it } from "vitest";
import { OrderOfTime } from "../../src/shared/order-of-time.js";

function ordered(...items: readonly (readonly [name: string, overAt: number])[]) {
  const order = new OrderOfTime<string>();
  for (const [name, overAt] of items) order.add(name, overAt);
  return { order, until: (instant: number) => order.takeUntil(instant) };
}

describe("the order of time", () => {
  it("is when things were over, and not when they came", () => {
    const { until } = ordered(["late", 30], ["early", 10], ["between", 20]);
    expect(until(Number.POSITIVE_INFINITY)).toEqual(["early", "between", "late"]);
  });

  it("is that in which they came where they were over at one instant", () => {
    const { until } = ordered(["second", 20], ["first", 10], ["third", 20], ["fourth", 20]);
    expect(until(20)).toEqual(["first", "second", "third", "fourth"]);
  });

  it("keeps what was over later until it is asked for", () => {
    const { order, until } = ordered(["c", 30], ["a", 10]);
    expect([until(9), until(10)]).toEqual([[], ["a"]]);
    order.add("b", 20);
    expect([until(29), until(30), until(30)]).toEqual([["b"], ["c"], []]);
  });

  it("forgets what waits", () => {
    const { order, until } = ordered(["a", 10]);
    order.clear();
    expect(until(10)).toEqual([]);
  });
});
