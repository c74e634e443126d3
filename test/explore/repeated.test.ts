import { describe, expect, it } from "vitest";
import { References } from "../../src/explore/lost.js";
import { repeatedIn } from "../../src/explore/repeated.js";
import type { Exchange } from "../../src/sandbox/journal/exchange.js";
import { page, requests, token } from "./exchanges.js";

type Run = readonly Partial<Exchange>[];
const failed = { status: 0, delivered: false };
const ping: Partial<Exchange> = {};
const other: Partial<Exchange> = { target: "/v1/other" };
const at = (receivedAt: number, facts: Partial<Exchange> = {}) => ({ ...facts, receivedAt });

/** How a run went on after its request with a place, without a fault it being the given one. */
function repeated(run: Run, usual: Run, place = 0, waits?: number) {
  const seen = requests(...run);
  const [disturbed] = seen.slice(place);
  if (disturbed === undefined) throw new Error("missing");
  return repeatedIn(seen, disturbed, new References([requests(...usual), requests(...usual)]), waits);
}

describe("a request is repeated", () => {
  it("if more of its equals are sent than without a fault", () => {
    expect(repeated([failed, ping, other], [ping, other])).toMatchObject({ isRepeated: true, isUnknown: false });
    // The second is that of another test.
    expect(repeated([failed, ping, other], [ping, ping, other])).toMatchObject({ isRepeated: false, isUnknown: false });
    expect(repeated([failed, other], [ping, other])).toMatchObject({ isRepeated: false, isUnknown: false });
  });

  it("or it is not known, if the run was cut short and an equal request followed", () => {
    expect(repeated([failed, ping], [ping, ping, other])).toMatchObject({ isRepeated: false, isUnknown: true });
    expect(repeated([failed, ping], [ping, other, ping])).toMatchObject({ isRepeated: false, isUnknown: true });
    expect(repeated([failed, ping], [ping, ping])).toMatchObject({ isRepeated: false, isUnknown: false });
    expect(repeated([failed], [ping, ping, other])).toMatchObject({ isRepeated: false, isUnknown: false });
  });
});

describe("a walk is restarted", () => {
  const walk = [page("", "b"), page("cursor=b")];

  it("if its first page is read more often than without a fault", () => {
    const cut = page("cursor=b", undefined, { delivered: false });
    expect(repeated([page("", "b"), cut, ...walk], walk, 1).isRestarted).toBe(true);
    expect(repeated([page("", "b"), cut, page("cursor=b")], walk, 1).isRestarted).toBe(false);
    expect(repeated([page("", "b", { delivered: false }), ...walk], walk).isRestarted).toBe(false);
  });
});

describe("a burst", () => {
  const tests = [ping, ping, ping];
  const burst = (...times: number[]) => [at(10, failed), ...times.map((time) => at(time))];

  it("is more repetitions at the same time than ever without a fault", () => {
    expect(repeated(burst(1000, 1000, 1001, 1090), [at(10)]).burst).toBe(4);
    // A request, and another one that a client hedges.
    expect(repeated(burst(1000, 1050), [at(10)]).burst).toBeUndefined();
    expect(repeated(burst(1000, 1100, 1200, 1300), [at(10)]).burst).toBeUndefined();
  });

  it("is none where a suite sends as many anyway", () => {
    expect(repeated([failed, ...tests], tests).burst).toBeUndefined();
    expect(repeated([failed, ...tests, ping], tests).burst).toBeUndefined();
  });
});

describe("a token is requested too soon", () => {
  const on = (id: number) => token({ connection: { id } as never });
  const refused = (id: number) => ({ ...on(id), status: 429 });
  const soon = (run: Run, usual: Run) => repeated(run, usual, 0, 1000).tooSoon;

  it("if it is requested again on its connection, before the wait is over", () => {
    expect(soon([at(0, refused(1)), at(160, on(1))], [at(0, on(1))])).toBe(159);
    expect(soon([at(0, refused(1)), at(1001, on(1))], [at(0, on(1))])).toBeUndefined();
    expect(soon([at(0, refused(1)), at(955, on(1))], [at(0, on(1))])).toBeUndefined();
  });

  it("if more are requested in that time than without a fault", () => {
    expect(soon([at(0, refused(1)), at(160, on(2)), at(170, on(3))], [at(0, on(1)), at(20, on(2))])).toBe(159);
    expect(soon([at(0, refused(1)), at(20, on(2)), at(1001, on(3))], [at(0, on(1)), at(20, on(2))])).toBeUndefined();
  });

  it("not if nothing was repeated", () => {
    expect(soon([at(0, refused(1)), at(20, on(1))], [at(0, on(1)), at(20, on(1))])).toBeUndefined();
  });
});
