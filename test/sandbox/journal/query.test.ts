import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longestQuery, parseQuery, termText } from "../../../src/sandbox/journal/query.js";
import { queryKeys } from "../../../src/sandbox/journal/query-keys.js";
import { anyText } from "../../support/any-text.js";

const read = (text: string) =>
  parseQuery(text).terms.map(
    ({ key, value, not, quoted }) => `${not ? "not " : ""}${key} ${quoted ? "=" : ""}${value}`,
  );
const problems = (text: string) =>
  parseQuery(text).problems.map(({ at, length, message }) => [text.slice(at, at + length), message]);

describe("a query of the journal", () => {
  it.each([
    ["", []],
    ["  \t ", []],
    ["status:4xx -op:ping client:demo", ["status 4xx", "not op ping", "client demo"]],
    ['code:INVALID_* "two words" -text', ["code INVALID_*", "text =two words", "not text text"]],
    ['list:"with \\"quotes\\" and \\\\"', ['list =with "quotes" and \\']],
    ['-"not this"', ["not text =not this"]],
    ["from:2026-11-22T08:00:00.5Z to:2026-11-23", ["from 2026-11-22T08:00:00.5Z", "to 2026-11-23"]],
    ["STATUS:5XX outcome:Refused", ["status 5XX", "outcome Refused"]],
    ["- --", ["text -", "not text -"]],
    ["/v1/ping?x=1:2 12:30", ["text /v1/ping?x=1:2", "text 12:30"]],
    ["fault:* client:* -op:*", ["fault *", "client *", "not op *"]],
    ["corr:7f3a*\u2028code:X", ["corr 7f3a*", "code X"]],
    ['""', []],
    ['a"b', ['text a"b']],
    ['"a"b', ["text =a", "text b"]],
  ])("reads %j", (text, terms) => {
    expect(parseQuery(text).problems).toEqual([]);
    expect(read(text)).toEqual(terms);
  });

  it.each([
    ["statu:4xx a", "statu:4xx", 'There is no key "statu"'],
    ["a __proto__:x", "__proto__:x", 'There is no key "__proto__"'],
    ["constructor:x", "constructor:x", 'There is no key "constructor"'],
    ["status:", "status:", 'Give a value after "status:"'],
    ["-status: a", "-status:", 'Give a value after "status:"'],
    ["status:999", "status:999", "status: give a status"],
    ["op:pong", "op:pong", "op: give one of token, ping"],
    ["kind:x", "kind:x", "kind: give request or handshake"],
    ["outcome:x", "outcome:x", "outcome: give one of"],
    ["conn:-1", "conn:-1", "conn: give the number"],
    ["from:yesterday", "from:yesterday", "from: give an instant"],
    ["to:2026-13-45", "to:2026-13-45", "to: give an instant"],
    ["to:2026-02-30T00:00:00Z", "to:2026-02-30T00:00:00Z", "to: give an instant"],
    ["to:2026-11-22T08:00:60Z", "to:2026-11-22T08:00:60Z", "to: give an instant"],
    ['a "b c', '"b c', "The quotation mark is not closed."],
    ['code:"b c\\"', 'code:"b c\\"', "The quotation mark is not closed."],
  ])("finds the problem in %j", (text, place, message) => {
    const [[where, said] = [], ...others] = problems(text);
    expect([where, others]).toEqual([place, []]);
    expect(said).toContain(message);
  });

  it("is limited", () => {
    expect(problems("a".repeat(longestQuery))).toEqual([]);
    expect(problems(`${"a ".repeat(longestQuery)}`)[0]?.[1]).toBe("The query is longer than 1000 characters.");
    expect(problems("a ".repeat(20))).toEqual([]);
    expect(problems("a ".repeat(25))).toEqual([["a", "A query has at most 20 terms."]]);
    expect(problems("x:1 ".repeat(200))).toHaveLength(200);
  });

  it("never throws, and each position is in the text", () => {
    const pieces = fc.constantFrom(...'-:"\\* a\u0000\ud800_', ...queryKeys.map(({ key }) => `${key}:`), "__proto__:");
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, anyText()), { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        const parsed = parseQuery(text);
        for (const { at, length } of [...parsed.terms, ...parsed.problems]) {
          expect(length).toBeGreaterThan(0);
          expect(at + length).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("parses a formatted term as the same term", () => {
    const free = queryKeys.filter((row) => !("form" in row)).map(({ key }) => key);
    fc.assert(
      fc.property(
        fc.constantFrom("text" as const, ...free),
        fc.string({ minLength: 1 }),
        fc.boolean(),
        (key, value, not) => {
          const { terms, problems } = parseQuery(`${not ? "-" : ""}${termText(key, value)}`);
          expect(problems).toEqual([]);
          expect(terms).toMatchObject([{ key, value, not }]);
        },
      ),
    );
  });

  it("has an example for each key, which can be parsed", () => {
    for (const { key, example, values } of queryKeys) {
      expect(parseQuery(example)).toMatchObject({ problems: [], terms: [{ key }] });
      for (const value of values) expect(problems(`${key}:${value}`)).toEqual([]);
    }
  });
});
