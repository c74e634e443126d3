import { describe, expect, it } from "vitest";
import type { ReadList } from "../../src/exam/answers/deliveries.js";
import { deliveriesIn, isWhole, missing } from "../../src/explore/deliveries.js";
import type { Exchange } from "../../src/sandbox/journal/exchange.js";
import { delivered } from "./exchanges.js";

const list = {
  name: "payouts",
  parameters: { cursor: "cursor", pageSize: "pageSize" },
  envelope: { members: new Map(["items", "nextCursor"].map((gap) => [gap, { gap }])) },
  fields: undefined,
} as unknown as ReadList;

/** A page of a walk: what asks for it, and the cursor of the next one. */
function page(query: string, next?: string, facts: Partial<Exchange> = {}): Partial<Exchange> {
  const answerBody = JSON.stringify({ items: [{ id: query }], ...(next !== undefined && { nextCursor: next }) });
  return {
    list: "payouts",
    operation: "list",
    target: `/v1/payouts?${query}`,
    answerBody,
    ...facts,
  } as Partial<Exchange>;
}

const found = (...facts: Partial<Exchange>[]) =>
  deliveriesIn(
    facts.map((each, index) => delivered(each, index + 1)),
    [list],
  );
const counts = (...facts: Partial<Exchange>[]) => Object.fromEntries(found(...facts));

const all = "GET /v1/payouts []";
const from = (date: string) => `GET /v1/payouts [["from",["${date}"]]]`;

describe("deliveries", () => {
  it("count good answers by their request, whatever the order of its parameters is", () => {
    const targets = ["/v1/ping?a=1&b=2", "/v1/ping?b=2&a=1", "/v1/ping"];
    expect(counts(...targets.map((target) => ({ target })))).toEqual({
      'GET /v1/ping [["a",["1"]],["b",["2"]]]': 2,
      "GET /v1/ping []": 1,
    });
  });

  it("do not count what was refused, failed or was cut, but the error that a ping asks for", () => {
    const facts = [{ status: 401 }, { status: 503 }, { delivered: false }, { status: 400, code: "EXAMPLE_ERROR" }];
    expect(counts(...facts)).toEqual({ "GET /v1/ping []": 1 });
  });

  it("count a walk at its end, with its filters", () => {
    expect(counts(page("from=1", "b"), page("from=1&cursor=b", "c"), page("from=1&cursor=c"))).toEqual({
      [from("1")]: 1,
    });
    expect(counts(page("", "b"), page("cursor=b", "c"))).toEqual({});
    expect(counts(page("", "b"), page("cursor=b", undefined, { delivered: false }))).toEqual({});
  });

  it("count a walk once if its pages were read again", () => {
    expect(counts(page("", "b"), page("", "b"), page("cursor=b"), page("cursor=b"))).toEqual({ [all]: 1 });
  });

  it("count walks of one page, each", () => {
    expect(counts(page(""), page(""), page("pageSize=5"))).toEqual({ [all]: 3 });
  });

  it("count the walks of two clients, beside each other", () => {
    const [one, other] = ["one", "other"].map((id) => ({ client: { id } }) as Partial<Exchange>);
    const pages = [
      page("", "b", one),
      page("", "b2", other),
      page("cursor=b2", undefined, other),
      page("cursor=b", undefined, one),
    ];
    expect(counts(...pages)).toEqual({ [all]: 2 });
  });
});

describe("what is missing", () => {
  const whole = found(page("", "b"), page("cursor=b"), {}, {});

  it("is compared by request, with the smaller reference", () => {
    expect(missing(all, found({}, {}), [whole, whole])).toBe(1);
    expect(missing("GET /v1/ping []", found({}), [whole, whole])).toBe(1);
    expect(missing("GET /v1/ping []", found({}), [whole, found({})])).toBe(0);
    expect(missing(all, whole, [whole, whole])).toBe(0);
  });

  it("is compared without parameters, if these differ in each run", () => {
    const [one, other, third] = ["1", "2", "3"].map((date) => found(page(`from=${date}`)));
    if (!one || !other || !third) throw new Error("missing");
    expect(missing(from("3"), third, [one, other])).toBe(0);
    expect(isWhole(third, [one, other])).toBe(true);
    expect(missing(from("3"), found({}), [one, other])).toBe(1);
    expect(isWhole(found({}), [one, other])).toBe(false);
  });

  it("is nothing, where a reference has nothing", () => {
    expect(isWhole(found(), [whole, found()])).toBe(true);
  });
});
