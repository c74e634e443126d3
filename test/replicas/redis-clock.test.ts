import { expect, it } from "vitest";
import { RedisClock } from "../../src/replicas/redis-clock.js";

/** How far a clock is ahead of a correct one, in milliseconds. */
function ahead(clock: RedisClock, right: RedisClock): number {
  return clock.now() - right.now();
}

it("has no time before Redis has sent it", () => {
  const clock = new RedisClock();
  expect(clock.isSet).toBe(false);
  expect(() => clock.now()).toThrow("Redis has not sent its time yet.");
});

it("uses the answer that arrived fastest, until that is old", () => {
  const right = new RedisClock();
  right.told(1000, 1000, 1000);
  const clock = new RedisClock();
  // The answer took 80 ms, the question no time.
  clock.told(1000, 1000, 1080);
  expect(ahead(clock, right)).toBeCloseTo(-40, 0);
  clock.told(2001, 2000, 2002);
  expect(ahead(clock, right)).toBeCloseTo(0, 0);
  clock.told(3000, 3000, 3080);
  expect(ahead(clock, right)).toBeCloseTo(0, 0);
  clock.told(200_000, 200_000, 200_080);
  expect(ahead(clock, right)).toBeCloseTo(-40, 0);
});
