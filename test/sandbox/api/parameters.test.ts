import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseParameters, parseQueryParameters, undecodableName } from "../../../src/sandbox/api/parameters.js";

/** Texts of characters with a meaning in a query, and of all others that HTTP permits in a target. */
const query = fc
  .array(
    fc.constantFrom(
      "a",
      "bc",
      "=",
      "&",
      "+",
      "%",
      "%20",
      "%e9",
      "%C3%A9",
      "%zz",
      "\uFFFD",
      "é",
      "cursor",
      "0123456789abcdef",
    ),
  )
  .map((parts) => parts.join(""));

describe("a query and a form", () => {
  it("are decoded alike", () => {
    fc.assert(
      fc.property(query, (text) => {
        expect([...parseQueryParameters(text)]).toEqual([...parseParameters(text)]);
      }),
    );
  });

  it("are read as URLSearchParams reads them, if they are valid", () => {
    const text = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })));
    fc.assert(
      fc.property(text, (pairs) => {
        const sent = new URLSearchParams(pairs);
        const parsed = [...parseQueryParameters(sent.toString())];
        expect(parsed).toEqual([...new Set(sent.keys())].map((name) => [name, sent.getAll(name)]));
      }),
    );
  });
});

it.each([
  ["", []],
  ["&&", []],
  ["a", [["a", [""]]]],
  [
    "a=1&b=2&a=3",
    [
      ["a", ["1", "3"]],
      ["b", ["2"]],
    ],
  ],
  ["=x", [["", ["x"]]]],
  ["a=b=c", [["a", ["b=c"]]]],
  ["a+b=c+d", [["a b", ["c d"]]]],
  ["a=%", [["a", [null]]]],
  ["%=1", [[undecodableName, ["1"]]]],
])("%j", (text, parsed) => {
  expect([...parseQueryParameters(text)]).toEqual(parsed);
});
