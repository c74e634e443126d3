import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { base32, decimal, uuid } from "../../../src/sandbox/lists/row-text.js";
import type { FieldSettings } from "../../../src/sandbox/lists/settings.js";
import { ask } from "./walking.js";

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

describe("the text of a row's values", () => {
  it("a UUID has version 4, the variant of RFC 9562 and the given first word", () => {
    fc.assert(
      fc.property(word, (bits) => {
        const text = uuid(bits);
        expect(text).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(text.slice(0, 8), 16) | 0).toBe(bits);
      }),
    );
  });

  it("a base32 text has the requested length, and is a prefix of every longer one", () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 8, max: 64 }), (bits, length) => {
        const text = base32(bits, length);
        expect(text).toMatch(/^[0-9A-HJKMNP-TV-Z]+$/);
        expect(text).toHaveLength(length);
        expect(base32(bits, 64).startsWith(text)).toBe(true);
      }),
    );
  });

  it("a decimal is as exact as integers", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 9 }), (scaled, decimals) => {
        const text = decimal(scaled, decimals);
        expect(text).toMatch(decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`));
        expect(BigInt(text.replace(".", ""))).toBe(BigInt(scaled));
      }),
    );
    expect([decimal(-5, 2), decimal(0, 2), decimal(150, 2)]).toEqual(["-0.05", "0.00", "1.50"]);
  });
});

it("rows of every generator have the same bytes in every version", () => {
  const fields: FieldSettings = {
    "2": { type: "uuid" },
    "1": { type: "id", prefix: 'tr"ü_', length: 33 },
    integer: { type: "integer", min: 0, max: Number.MAX_SAFE_INTEGER - 1 },
    decimal: { type: "decimal", min: -1.5, max: 0.25, decimals: 3 },
    number: { type: "decimal", min: -2, max: 9, as: "number" },
    choice: { type: "choice", values: ["é", 1, true, null, 'x"y'], weights: [1, 2, 3, 4, 5] },
    boolean: { type: "boolean", weights: [3, 1] },
    constant: { type: "constant", value: { a: [1, "ü"] } },
    text: { type: "text", template: "{{{number}}} of {p} – {number}" },
    parameter: { type: "parameter", name: "p" },
    object: { type: "object", fields: { empty: { type: "object", fields: {} }, at: { type: "createdAt" } } },
  };
  const anchor = "2026-01-01T00:00:00Z";
  const list = compileList("x", { path: "/v1/{p}/x", fields, dateField: "object.at", anchor, spacing: 77_777 });
  const { body } = ask(list, { pageSize: "100" }, { pathParameters: { p: 'a"ü\u0001😀' } });
  const rows = body.slice(0, body.lastIndexOf(',"nextCursor"'));
  expect(rows).toContain('"number":7.10,');
  expect(createHash("sha256").update(rows).digest("hex")).toBe(
    "75481eecc2d426740baa794eb44aeec4b3e4be6f45e63265e4b614389c13902b",
  );
});
