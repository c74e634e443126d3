import { describe, expect, it } from "vitest";
import { differences } from "../../../src/admin/differences.js";
import { exchangeDetail } from "./items.js";

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
});
