import { describe, expect, it } from "vitest";
import { References } from "../../src/explore/lost.js";
import type { Exchange } from "../../src/sandbox/journal/exchange.js";
import { page, requests } from "./exchanges.js";

type Run = readonly Partial<Exchange>[];

const walk: Run = [page("", "b"), page("cursor=b", "c"), page("cursor=c")];
const ping: Partial<Exchange> = {};
const refused = page("pageSize=9999", undefined, { status: 400, code: "INVALID_PAGE_SIZE" });
const cut = { delivered: false };

/** What a run lost, and how much of it. */
function lost(run: Run, ...references: Run[]): readonly string[] {
  return compared(run, references).lost.map(
    ({ what, list, operation, count }) => `${count} ${what} ${list ?? operation}`,
  );
}

function compared(run: Run, references: readonly Run[]) {
  const seen = requests(...run);
  return new References(references.map((each) => requests(...each))).compare(seen, seen[0]);
}

describe("what is lost", () => {
  it("is nothing where everything came, and more", () => {
    expect(lost([...walk, ping], [...walk, ping], [...walk, ping])).toEqual([]);
    expect(lost([page("", "b", cut), ...walk, ping, ping], [...walk, ping], [...walk, ping])).toEqual([]);
  });

  it("is an answer, a page of a call that reads only the beginning, and a refusal that was wanted", () => {
    const usual = [ping, ping, page("", "b"), refused];
    expect(lost([ping, { ...ping, ...cut }, page("", "b"), refused], usual, usual)).toEqual(["1 answer ping"]);
    expect(lost([ping, ping, page("", "b", cut), refused], usual, usual)).toEqual(["1 page payouts"]);
    expect(lost([ping, ping, page("", "b")], usual, usual)).toEqual(["1 refusal payouts"]);
  });

  it("is a page by its depth, also of a walk that is left early", () => {
    const early = walk.slice(0, 2);
    expect(lost([...walk, page("", "b")], [...walk, ...early], [...walk, ...early])).toEqual(["1 page payouts"]);
  });

  it("is a walk that did not come to its end, although another one did", () => {
    const usual = [...walk, ...walk];
    expect(lost([...walk, ...walk.slice(0, 2)], usual, usual)).toEqual(["1 page payouts", "1 walk payouts"]);
  });

  it("is what never began, wherever the fault was", () => {
    const usual = [...walk, ping, ping];
    expect(lost([], usual, usual)).toEqual([
      ...Array.from({ length: 3 }, () => "1 page payouts"),
      "2 answer ping",
      "1 walk payouts",
    ]);
  });

  it("is counted once where a page was read again, because its client gave it up", () => {
    const again = [...walk, page("cursor=c")];
    expect(lost(walk, [...walk, page("cursor=c", undefined, cut)], again)).toEqual([]);
  });

  it("is no refusal of a token that was renewed, and one that nobody answers", () => {
    const renewed = [{ status: 401 }, ping];
    expect(lost([ping], renewed, renewed)).toEqual([]);
    expect(lost([{ ...ping, ...cut }], [{ status: 401 }], [{ status: 401 }])).toEqual(["1 refusal ping"]);
  });
});

describe("parameters that differ in each run", () => {
  const from = (value: string) => page(`from=${value}`);

  it("are compared by their kind", () => {
    const usual = [from("2026-11-28T20:00:00Z")];
    expect(lost([from("2026-11-28T21:00:00Z")], usual, usual)).toEqual([]);
    expect(lost([], usual, usual)).toEqual(["1 page payouts", "1 walk payouts"]);
  });

  it("are left out if they have no kind", () => {
    expect(lost([from("zebra")], [from("apple")], [from("pear")])).toEqual([]);
    expect(lost([], [from("apple")], [from("pear")])).toEqual(["1 page payouts", "1 walk payouts"]);
  });
});

describe("what cannot be counted", () => {
  const polls = (count: number) => Array.from({ length: count }, () => page("", "b"));

  it("proves only its absence: a suite that polls", () => {
    expect(
      compared(
        [ping, ...polls(3)],
        [
          [ping, ...polls(5)],
          [ping, ...polls(9)],
        ],
      ),
    ).toEqual({ lost: [], isUnclear: false });
    expect(lost([ping], [ping, ...polls(5)], [ping, ...polls(9)])).toEqual(["5 page payouts"]);
    expect(new References([requests(...polls(5)), requests(...polls(9))]).unstable).toEqual([
      "GET /v1/payouts, page 1",
    ]);
  });

  it("is unclear where the disturbed request is such a one", () => {
    expect(compared(polls(3), [polls(5), polls(9)])).toEqual({ lost: [], isUnclear: true });
    expect(compared(polls(5), [polls(5), polls(9)])).toEqual({ lost: [], isUnclear: false });
  });

  it("is what only one run got", () => {
    expect(lost([], [ping], [])).toEqual([]);
  });

  it("is unclear among equal requests that one worker has open at once: it may hedge", () => {
    const open = (from: number, id = "t") => ({ receivedAt: from, duration: 100, token: { id } }) as Partial<Exchange>;
    const hedged = [open(0), open(40)];
    expect(compared([open(0)], [hedged, hedged])).toEqual({ lost: [], isUnclear: true });
    expect(lost([], hedged, hedged)).toEqual(["2 answer ping"]);
    const hedgedWalk = [...walk, page("cursor=c", undefined, { receivedAt: 31 })].map((each, place) =>
      place < 2 ? each : { ...each, duration: 100 },
    );
    const unhedged = hedgedWalk.slice(0, 3);
    expect(compared([...unhedged, ...walk.slice(0, 1)], [[...hedgedWalk, ...walk.slice(0, 1)]])).toEqual({
      lost: [],
      isUnclear: true,
    });
    // Two workers, and one after the other.
    const apart = [open(0), open(40, "other")];
    expect(lost([open(0)], apart, apart)).toEqual(["1 answer ping"]);
    const inTurn = [open(0), open(99)];
    expect(lost([open(0)], inTurn, inTurn)).toEqual(["1 answer ping"]);
  });
});
