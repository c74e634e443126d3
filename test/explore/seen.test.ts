import { describe, expect, it } from "vitest";
import { requestsIn } from "../../src/explore/seen.js";
import type { Exchange } from "../../src/sandbox/journal/exchange.js";
import { compileEnvelope } from "../../src/sandbox/lists/envelope.js";
import { delivered, page, payouts, requests } from "./exchanges.js";

const kinds = (...targets: string[]) => requests(...targets.map((target) => ({ target }))).map(({ kind }) => kind);
const values = (...targets: string[]) => requests(...targets.map((target) => ({ target }))).map((each) => each.values);

describe("a request is known again", () => {
  it("by its path and the names of its parameters, whatever their order is", () => {
    expect(kinds("/v1/ping?b=2&a=1", "/v1/ping?a=1&b=2", "/v1/ping")).toEqual([
      "GET /v1/ping (a, b)",
      "GET /v1/ping (a, b)",
      "GET /v1/ping",
    ]);
    expect(kinds("/v1/accounts/3f2504e0-4f89-41d3-9a0c-0305e82c3301/rows", "/v1/accounts/17/rows")).toEqual([
      "GET /v1/accounts/a UUID/rows",
      "GET /v1/accounts/a number/rows",
    ]);
  });

  it.each([
    ["2026-11-28", "2026-11-29"],
    ["2026-11-28T20:00:00.000Z", "2026-11-28T21:00:00%2B01:00"],
    ["Sat,%2028%20Nov%202026%2020:00:00%20GMT", "Sun,%2029%20Nov%202026%2021:00:00%20GMT"],
    ["1780000000", "1780003600.5"],
    ["3f2504e0-4f89-41d3-9a0c-0305e82c3301", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"],
    ["run-17", "run-18"],
    ["2026-W48", "2027-W01"],
  ])("by the kind of a value that is new in each run: %s, %s", (one, other) => {
    const [first, second] = values(`/v1/ping?x=${one}`, `/v1/ping?x=${other}`);
    expect(first).toBe(second);
  });

  it("by a value that is a word", () => {
    const [open, paid] = values("/v1/ping?state=OPEN", "/v1/ping?state=PAID");
    expect(open).not.toBe(paid);
  });

  it("by the place of its page, and not by its cursor and the size of the page", () => {
    const all = requests(
      page("pageSize=10", "b"),
      page("pageSize=5&cursor=b", "c"),
      page("cursor=c"),
      page("cursor=x"),
    );
    expect(all.map(({ kind, part }) => `${kind} ${part}`)).toEqual(
      ["page 1", "page 2", "page 3", "page ?"].map((part) => `GET /v1/payouts ${part}`),
    );
  });
});

it("a page that is an array alone has the place to which a header has led", () => {
  const list = { ...payouts, envelope: compileEnvelope({ items: null, linkHeader: true }) };
  const arrays = [
    page("pageSize=1", undefined, {
      answerBody: '[{"id":1}]',
      answerHeaders: { Link: '<https://localhost/v1/payouts?pageSize=1&cursor=b>; rel="next"' },
    }),
    page("pageSize=1&cursor=b", undefined, { answerBody: '[{"id":2}]', answerHeaders: {} }),
  ];
  const found = requestsIn(
    arrays.map((facts, index) => delivered(facts, index + 1)),
    [list],
  );
  expect(found.map(({ part, got, isEnd }) => [part, got, isEnd])).toEqual([
    ["page 1", "page", false],
    ["page 2", "page", true],
  ]);
});

describe("what a client got", () => {
  const got = (...facts: readonly Partial<Exchange>[]) => requests(...facts).map((each) => each.got);

  it("is a good answer, a page, or a refusal that no repetition changes", () => {
    expect(got({}, page(""), { status: 400, code: "INVALID_PAGE_SIZE" }, { status: 404 })).toEqual([
      "answer",
      "page",
      "400 INVALID_PAGE_SIZE",
      "404 ",
    ]);
    expect(got({ status: 500, code: "EXAMPLE_ERROR" })).toEqual(["answer"]);
  });

  it("is nothing where the answer was cut, passes, or is no page of the list", () => {
    const cut = [{ delivered: false }, page("", undefined, { delivered: false })];
    const passing = [{ status: 503 }, { status: 429 }, { status: 408 }];
    expect(got(...cut, ...passing, page("", undefined, { answerBody: "<html>" }))).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
  });

  it("is nothing where the fault made the answer", () => {
    const entries = [page("")].map((facts) => ({ number: 1, item: { status: 200, delivered: true, ...facts } }));
    expect(requestsIn(entries as never, [payouts], () => false)).toMatchObject([{ got: undefined }]);
  });
});
