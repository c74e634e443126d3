import { describe, expect, it } from "vitest";
import { ping, type Step, wait } from "../../src/exam/conversation.js";
import { Random } from "../fuzz/random.js";
import { failures } from "./play.js";

const failing = ping({ status: 500 });

/** A request that fails, and again after each pause, in milliseconds. */
const row = (pauses: readonly number[]): Step[] => [failing, ...pauses.flatMap((pause) => [wait(pause), failing])];

const same = (pause: number, count = 11) => Array.from({ length: count }, () => pause);
const growing = (first: number, factor: number, count = 14, jitter = () => 1) =>
  Array.from({ length: count }, (_, attempt) => first * factor ** attempt * jitter());

/** The level at which retry.bounded fails, where so many calls send the request. */
function levelOf(steps: readonly Step[], calls = 1): string | undefined {
  const plain = Array.from({ length: calls }, () => ping());
  const found = failures({ plain, steps }).find((text) => text.endsWith(" retry.bounded"));
  return found?.split(" ")[0];
}

describe("more than eleven failures of one call fail retry.bounded", () => {
  it.each<[string, readonly number[], string | undefined]>([
    ["ten equal pauses are eleven failures", same(200, 10), undefined],
    ["equal pauses", same(200), "must"],
    ["equal pauses, and many of them", same(150, 80), "must"],
    ["equal pauses of nearly two seconds", same(1900), "must"],
    ["equal pauses of more than two seconds", same(2100), "should"],
    ["pauses that become shorter", [...same(900, 6), ...same(300, 6)], "must"],
    ["pauses that grow a little", Array.from({ length: 20 }, (_, count) => 100 + 10 * count), "must"],
    ["100 ms · 1.3ⁿ", growing(100, 1.3), "should"],
    ["100 ms · 2ⁿ up to a second", growing(100, 2, 20).map((pause) => Math.min(pause, 1000)), "should"],
    ["pauses that double, and are shorter than a second together", [...same(80, 5), ...same(180, 6)], "must"],
    ["pauses that double, and the later ones are a second together", [...same(80, 5), ...same(210, 6)], "should"],
    ["equal pauses at first, which grow before the sixteenth failure", [...same(200, 7), ...same(900, 7)], "should"],
    ["equal pauses that grow after the sixteenth failure", [...same(200, 16), ...same(900, 12)], "must"],
  ])("%s: %j", (_how, pauses, level) => {
    expect(levelOf(row(pauses))).toBe(level);
  });

  it("as a should with any jitter", () => {
    const levels = Array.from({ length: 300 }, (_, seed) => {
      const random = new Random("pauses", "jitter", seed);
      const jitter = () => random.below(1001) / 1000;
      return levelOf(row(growing(100, 1.3, 14, seed % 2 === 0 ? jitter : () => 0.5 + jitter())));
    });
    expect(new Set(levels)).toEqual(new Set(["should"]));
  });

  it("as a should where the answers say how long to wait", () => {
    const told = ping({ status: 429, retryAfter: { wait: 0, grace: 50 } });
    expect(levelOf(Array.from({ length: 15 }, () => told))).toBe("should");
  });

  it("whatever comes later: a row that ended stays too long", () => {
    expect(levelOf([...row(same(200)), ping(), ping()])).toBe("must");
    expect(levelOf([...row(growing(100, 1.3)), ping(), ping()])).toBe("should");
  });

  it("by its pauses, whether they are measured from the end of a given-up attempt or from its arrival", () => {
    const givenUp = (at: number, took: number) =>
      ping({
        status: 0,
        ending: "broken",
        endedByClient: true,
        arrivedAt: at,
        releasedAt: at + took,
        overAt: at + took,
      });
    let now = 1000;
    const steps = [0, ...growing(100, 1.3, 12)].map((pause) => {
      now += pause + 1000;
      return givenUp(now - 1000, 1000);
    });
    expect(levelOf(steps)).toBe("should");
  });
});

describe("where several calls send the request, failures are counted that growing pauses do not allow", () => {
  it.each([
    ["22 of two calls", same(200, 21), 2, undefined],
    ["23 of two calls may belong to one whose pauses grow", same(200, 22), 2, "should"],
    ["one call after the other, whose pauses grow", [...growing(100, 1.3), 0, ...growing(100, 1.3)], 2, "should"],
    ["equal pauses of two calls, for twelve seconds", same(200, 60), 2, "must"],
    ["equal pauses of two calls, for a second", same(20, 50), 2, "must"],
    ["equal pauses of five calls", same(100, 200), 5, "must"],
  ])("%s", (_how, pauses, calls, level) => {
    expect(levelOf(row(pauses), calls)).toBe(level);
  });
});
