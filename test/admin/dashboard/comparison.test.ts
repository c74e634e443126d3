import { h } from "preact";
import { describe, expect, it } from "vitest";
import { toHtml } from "../../../src/admin/dashboard/html.js";
import { ComparisonPanel } from "../../../src/admin/dashboard/view/comparison.js";
import { differences } from "../../../src/sandbox/journal/differences.js";
import { exchangeDetail } from "./detail.js";

const found = (left: object, right: object) =>
  differences(exchangeDetail(left), exchangeDetail(right)).map(({ title, rows }) => [
    title,
    rows.map(({ name, left: one, right: other }) => `${name}: ${one} | ${other}`),
  ]);

const request = (headers: [string, string][]) => ({ line: "GET /v1/ping HTTP/1.1", headers, form: null });
const answer = (body: string) => ({
  status: 200,
  headers: [["Date", String(Math.random())]],
  body,
  length: body.length,
});

describe("the comparison of two exchanges", () => {
  it("shows nothing if they are the same", () => {
    expect(found({ id: "1" }, { id: "2", time: "2027-01-01T00:00:00Z" })).toEqual([]);
  });

  it("shows only what differs, by its name", () => {
    const left = {
      status: 200,
      target: "/v1/payments?a=1&b=%27&a=2",
      request: request([
        ["X-A", "1"],
        ["x-a", "2"],
      ]),
    };
    const right = { status: 400, code: "X_Y", target: "/v1/payments?a=1&b=2", request: request([["x-A", "1"]]) };
    expect(found(left, right)).toEqual([
      ["Outcome", ["Status: 200 | 400", "Error code: undefined | X_Y"]],
      ["Query", ["b: ' | 2", "a (2): 2 | undefined"]],
      ["Request headers", ["x-a (2): 2 | undefined"]],
    ]);
  });

  it("names the paths in JSON, and compares other bodies as a whole", () => {
    const left = { answer: answer('{"data":[{"id":1},{"id":2}],"x":{}}') };
    expect(found(left, { answer: answer('{"data":[{"id":1},{"id":3,"__proto__":1}],"x":{}}') })).toEqual([
      ["Body", ["data[1].id: 2 | 3", "data[1].__proto__: undefined | 1"]],
    ]);
    expect(found(left, { answer: answer("<p>") })[0]?.[1]).toContain("Text: undefined | <p>");
  });

  it("says how many more differences there are", () => {
    const headers = Array.from({ length: 62 }, (_, index): [string, string] => [`X-${index}`, "1"]);
    const panel = h(ComparisonPanel, { left: exchangeDetail({ request: request(headers) }), right: exchangeDetail() });
    expect(toHtml(panel)).toContain("and 2 more<");
  });

  it("says which parameter made the difference", () => {
    const bad = exchangeDetail({
      id: "1",
      status: 400,
      code: "INVALID_PAGE_SIZE",
      target: "/v1/payments?pageSize=500&status=A",
      explanation: "Parameter 'pageSize' must be a whole number from 1 to 100.",
    });
    const good = exchangeDetail({ id: "2", target: "/v1/payments?pageSize=5&status=B" });
    const text = (left: typeof bad, right: typeof bad) =>
      toHtml(h(ComparisonPanel, { left, right })).replaceAll(/<[^>]+>/g, "");
    const sentence = "pageSize made the difference: 500 was refused with INVALID_PAGE_SIZE, 5 was accepted.";
    expect(text(bad, good)).toContain(sentence);
    expect(text(good, bad)).toContain(sentence);
    const without = exchangeDetail({ id: "2", target: "/v1/payments?status=A" });
    expect(text(bad, without)).toContain("without it the request was accepted");
    expect(text(good, without)).not.toContain("made the difference");
  });
});
