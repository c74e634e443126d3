import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CursorPayload, cursorKeys, openCursor, sealCursor } from "../../../src/sandbox/lists/cursor.js";
import { anyText } from "../../support/any-text.js";
import { keys, now } from "./walking.js";

const payload: CursorPayload = {
  list: "payments",
  clientId: "demo",
  pathParameters: ["a/b"],
  position: 40,
  page: 5,
  filters: [["status", "PENDING"]],
  anchor: now,
  issuedAt: now,
  begunAt: now - 5000,
  pageSize: 10,
};

const payloads: fc.Arbitrary<CursorPayload> = fc.record({
  list: fc.string(),
  clientId: fc.string({ unit: "grapheme" }),
  pathParameters: fc.array(anyText(), { maxLength: 3 }),
  position: fc.maxSafeNat(),
  page: fc.maxSafeNat(),
  filters: fc.array(fc.tuple(fc.string(), fc.string({ unit: "grapheme" })), { maxLength: 4 }),
  anchor: fc.maxSafeInteger(),
  issuedAt: fc.integer({ min: -1e14, max: 1e14 }),
  begunAt: fc.integer({ min: -1e14, max: 1e14 }),
  pageSize: fc.integer({ min: 1, max: 10_000 }),
});

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function flipped(text: string, byte: number, bit: number): string {
  const bytes = Buffer.from(text, "base64url");
  bytes[byte] = (bytes[byte] as number) ^ (1 << bit);
  return bytes.toString("base64url");
}

describe("a cursor", () => {
  it("is opened as it was sealed", () => {
    fc.assert(
      fc.property(payloads, (sealed) => {
        expect(openCursor(keys, sealCursor(keys, sealed))).toEqual({ ok: true, payload: sealed });
      }),
    );
  });

  it("is refused when any bit of it was changed", () => {
    const text = sealCursor(keys, payload);
    const bytes = Buffer.from(text, "base64url").length;
    for (let byte = 0; byte < bytes; byte += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const fault = byte === 0 ? "altered" : byte < 5 ? "wrong-key" : "altered";
        expect(openCursor(keys, flipped(text, byte, bit))).toEqual({ ok: false, fault });
      }
    }
  });

  it("is refused when any character of it was changed, left out, added or moved", () => {
    const text = sealCursor(keys, payload);
    const refused = (other: string) => expect(openCursor(keys, other).ok, other).toBe(false);
    for (let place = 0; place < text.length; place += 1) {
      for (const character of ["A", "z", "-", "_", "=", "+", "%", "é", "\u0000"]) {
        if (character !== text[place]) refused(text.slice(0, place) + character + text.slice(place + 1));
        refused(text.slice(0, place) + character + text.slice(place));
      }
      refused(text.slice(0, place));
      const without = text.slice(0, place) + text.slice(place + 1);
      refused(without);
    }
    for (const character of alphabet) refused(text + character);
    refused(`${text}=`);
    refused(` ${text}`);
    refused(text + text);
  });

  it.each([
    ["", "empty"],
    ["====", "not-canonical"],
    ["a", "not-canonical"],
    ["AB", "not-canonical"],
    ["AA==", "not-canonical"],
    ["AA", "altered"],
    ["AQ", "altered"],
    ["A".repeat(400), "altered"],
    ["A".repeat(16_388), "too-long"],
  ])("is not %j: %s", (text, fault) => {
    expect(openCursor(keys, text)).toEqual({ ok: false, fault });
  });

  it("is not any other text, and no text causes an exception", () => {
    const texts = fc.oneof(
      fc.string(),
      anyText(),
      fc.base64String(),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
      fc.uint8Array({ maxLength: 90 }).map((bytes) => Buffer.concat([keys.header, bytes]).toString("base64url")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(openCursor(keys, text).ok).toBe(false);
      }),
    );
  });
});

describe("cursorKeys", () => {
  it("requires exactly 32 bytes", () => {
    expect(() => cursorKeys(new Uint8Array(31))).toThrow(RangeError);
    expect(() => cursorKeys(new Uint8Array(33))).toThrow(RangeError);
  });
});
