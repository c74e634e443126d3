import { describe, expect, it } from "vitest";
import { commonPoints, pointsIn } from "../../src/explore/points.js";
import { delivered } from "./exchanges.js";

const token = { operation: "token", tokenRole: "first" } as const;
const page = (cursor: string | undefined, next: string | undefined, number: number) =>
  ({
    operation: "list",
    list: "payouts",
    listQuery: { page: number },
    page: { cursor: next, rows: 1 },
    cursor,
  }) as never;

const ids = (...facts: Parameters<typeof delivered>[0][]) =>
  pointsIn(facts.map((each, index) => delivered(each, index + 1)));

describe("the points of a conversation", () => {
  it("are named by roles, and count their requests", () => {
    const found = ids(
      token,
      { operation: "ping" },
      { operation: "ping" },
      page(undefined, "b", 1),
      page("b", "c", 2),
      page("c", undefined, 3),
    );
    expect(found.map(({ id, requests }) => `${id} ${requests}`)).toEqual([
      "token.first 1",
      "ping 2",
      "list.payouts.first 1",
      "list.payouts.middle 1",
      "list.payouts.last 1",
    ]);
  });

  it.each([
    ["was disturbed by a scenario", { injected: "outage/rule-1#1" }],
    ["was refused", { status: 401 }],
    ["failed", { status: 503 }],
    ["did not arrive whole", { delivered: false }],
    ["is of no operation", { operation: undefined }],
  ])("have no request that %s", (_what, facts) => {
    expect(ids({ operation: "ping", ...facts })).toEqual([]);
    expect(ids({ operation: "ping" }, { operation: "ping", ...facts })).toMatchObject([{ id: "ping", requests: 1 }]);
  });

  it("know whether a request came over HTTP/2", () => {
    expect(ids({ operation: "ping", connection: { httpVersion: "HTTP/2" } as never })).toMatchObject([{ http2: true }]);
    expect(ids({ operation: "ping" })).toMatchObject([{ http2: false }]);
  });
});

describe("two references", () => {
  const [one, other] = [ids(token, { operation: "ping" }), ids({ operation: "ping" }, page(undefined, undefined, 1))];

  it("have in common what both reached; the rest is unstable", () => {
    const { points, unstable } = commonPoints([one, other]);
    expect(points.map(({ id }) => id)).toEqual(["ping"]);
    expect(unstable).toEqual(["token.first", "list.payouts.only"]);
  });

  it("are one, if one alone ended with 0", () => {
    expect(commonPoints([one])).toEqual({ points: one, unstable: [] });
  });
});
