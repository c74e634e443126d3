import { describe, expect, it } from "vitest";
import { completed, fieldsOf } from "../../../src/imitate/calibrate/fields.js";
import { orderedDate } from "../../../src/imitate/calibrate/order.js";
import { sampleOf } from "../../../src/imitate/sample.js";
import type { FieldGenerator } from "../../../src/sandbox/lists/settings.js";

describe("rows keep their shape", () => {
  const items = (values: readonly unknown[]) => values.map((value) => ({ value }));
  const made = (values: readonly unknown[]) => fieldsOf(items(values))["value"];

  it.each([
    [["1234567890", "9876543210"], { min: 1_000_000_000, max: 9_999_999_999 }],
    [["0012", "0345"], { min: 1000, max: 9999 }],
    [["4111111111111111"], { min: 1e15, max: Number.MAX_SAFE_INTEGER }],
    [["12345", "123"], { min: 100, max: 99_999 }],
  ])("digits %j have their length", (values, bounds) => {
    expect(made(values)).toEqual({ type: "decimal", decimals: 0, ...bounds });
    for (let index = 0; index < 50; index += 1) {
      const text = String(sampleOf(made(values) as FieldGenerator, index));
      expect(text).toMatch(/^\d+$/);
      expect(values.map(({ length }) => length)).toContain(text.length);
    }
  });

  it("an id of so few digits that random ones would repeat has another shape, and is distinct", () => {
    expect(fieldsOf([{ id: "10001" }, { id: "10002" }])).toEqual({ id: { type: "text", template: "id {number}" } });
    expect(fieldsOf([{ id: "1000000001" }, { id: "1000000002" }])).toMatchObject({ id: { type: "decimal" } });
  });

  it("letters among them make an identifier, and more digits than a number has, too", () => {
    expect(made(["12345678AB", "98765432CD"])).toMatchObject({ type: "id", length: 10 });
    expect(made(["12345678901234567890"])).toMatchObject({ type: "id", length: 20 });
  });

  it("words and flags are null where null was seen, and only there", () => {
    const row = (status: string | null, paid: boolean | null) => ({ status, paid });
    expect(fieldsOf([row("OPEN", true), row(null, null), row("PAID", false)])).toEqual({
      status: { type: "choice", values: ["OPEN", "PAID", null] },
      paid: { type: "choice", values: [true, false, null] },
    });
    expect(fieldsOf([row("OPEN", true), row("PAID", false)])).toEqual({
      status: { type: "choice", values: ["OPEN", "PAID"] },
      paid: { type: "boolean" },
    });
  });

  it("everything else, too", () => {
    const row = {
      id: "pay_0000000001",
      amount: "12.50",
      count: 7,
      paidAt: "2026-01-31T09:00:00Z",
      payer: { city: "Ghent" },
    };
    const empty = { ...row, id: "pay_0000000002", amount: null, count: null, paidAt: null, payer: null };
    expect(fieldsOf([row, empty])).toEqual({
      id: { type: "id", prefix: "pay_", length: 10 },
      amount: { type: "nullable", of: { type: "decimal", min: 1, max: 100, decimals: 2 } },
      count: { type: "nullable", of: { type: "integer", min: 1, max: 10 } },
      paidAt: { type: "nullable", of: { type: "createdAt" } },
      payer: {
        type: "nullable",
        of: { type: "object", fields: { city: { type: "text", template: "city {number}" } } },
      },
    });
    expect(orderedDate([row, empty])).toBeUndefined();
  });

  it("a list is null where null was seen, and has elements where one had them", () => {
    const list = { type: "constant", value: [{ quantity: 1 }] };
    const [empty, filled] = [{ lines: [] }, { lines: [{ quantity: 7 }] }];
    expect(fieldsOf([{ lines: null }, empty, filled])).toEqual({ lines: { type: "nullable", of: list } });
    expect(fieldsOf([empty, filled])).toEqual({ lines: list });
    expect(fieldsOf([empty])).toEqual({ lines: { type: "constant", value: [] } });
  });

  it("a member that is null on all rows is taken from the document of the service, and stays null on some", () => {
    const documented = { note: { type: "text", template: "x" }, kind: { type: "choice", values: ["A"] } } as const;
    expect(completed(fieldsOf([{ note: null, kind: null }]), documented)).toEqual(documented);
    const some = fieldsOf([{ kind: "some text" }, { kind: null }]);
    expect(completed(some, documented)).toEqual({ kind: { type: "choice", values: ["A", null] } });
  });

  it.each([
    ["rail", ["SEPA", "SWIFT"]],
    ["purposeCode", ["SALA", "TAXS"]],
    ["reason_code", ["limit_exceeded"]],
  ])("the few words of %s are kept, by its name", (name, words) => {
    expect(fieldsOf(words.map((word) => ({ [name]: word })))[name]).toEqual({ type: "choice", values: words });
  });
});
