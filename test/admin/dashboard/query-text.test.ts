import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completions, outcomeIn, rangeIn, withTerms } from "../../../src/admin/dashboard/client/requests/query-text.js";
import { parseQuery } from "../../../src/sandbox/journal/query.js";

const seen = (key: string): string[] =>
  ({ client: ["demo", "two words"], code: ["INVALID_CURSOR", "UNAUTHORIZED"] })[key] ?? [];

/** The bar marks the caret. */
const complete = (marked: string) => {
  const caret = marked.indexOf("|");
  return completions(marked.replace("|", ""), caret, seen).map(
    ({ text, caret: at }) => `${text.slice(0, at)}|${text.slice(at)}`,
  );
};

describe("terms of a query", () => {
  it("are replaced, and the rest of the text is unchanged", () => {
    expect(withTerms('outcome:refused  client:demo "a  b"', ["outcome"], [])).toBe('client:demo "a  b"');
    expect(withTerms("client:demo", ["outcome"], ["outcome:refused"])).toBe("client:demo outcome:refused");
    expect(withTerms("from:2027-01-31 x to:2027-02-01", ["from", "to"], [])).toBe("x");
  });

  it("say which outcome and which time are chosen", () => {
    expect(["x", "outcome:refused", "-outcome:refused", "outcome:refused outcome:success"].map(outcomeIn)).toEqual([
      "all",
      "refused",
      undefined,
      undefined,
    ]);
    expect(rangeIn("x from:2027-01-31T00:00:01Z")).toEqual({ from: Date.parse("2027-01-31T00:00:01Z"), to: undefined });
  });
});

describe("the completion of a query", () => {
  it("offers keys", () => {
    expect(complete("st|")).toEqual(["status:|"]);
    expect(complete("client:demo -co|")).toEqual(["client:demo -code:|", "client:demo -corr:|", "client:demo -conn:|"]);
    expect(complete("|").length).toBeGreaterThan(10);
    expect(complete("no-key|")).toEqual([]);
    expect(complete("nokey:x|")).toEqual([]);
  });

  it("offers fixed values, and values that have occurred", () => {
    expect(complete("status:4|")).toEqual(["status:4xx |"]);
    expect(complete("kind:h| x")).toEqual(["kind:handshake |x"]);
    expect(complete("a -code:inv| b")).toEqual(["a -code:INVALID_CURSOR |b"]);
    expect(complete("client:wo|")).toEqual(['client:"two words" |']);
    expect(complete('client:"two w|')).toEqual(['client:"two words" |']);
    expect(complete('"a b" client:de|')).toEqual(['"a b" client:demo |']);
  });

  it("turns any text into one that the query language can parse", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(20), (text, at) => {
        for (const completion of completions(text, Math.min(at, text.length), seen)) {
          expect(completion.caret).toBeLessThanOrEqual(completion.text.length);
          parseQuery(completion.text);
        }
      }),
    );
  });
});
