import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareInstants, parseInstant } from "../../../src/sandbox/lists/instant.js";
import { anyText } from "../../support/any-text.js";

const ms = (text: string) => {
  const parsed = parseInstant(text);
  return parsed.ok ? parsed.instant.ms : parsed.fault;
};

describe("parseInstant", () => {
  it.each([
    ["2026-01-01T00:00:00Z", Date.UTC(2026, 0, 1)],
    ["2026-01-01T00:00:00+01:00", Date.UTC(2025, 11, 31, 23)],
    ["2026-01-01T00:00:00-23:59", Date.UTC(2026, 0, 1, 23, 59)],
    ["2026-01-01T00:00:00-00:00", Date.UTC(2026, 0, 1)],
    ["2026-01-01t00:00:00z", Date.UTC(2026, 0, 1)],
    ["2026-01-01T00:00:00.5Z", Date.UTC(2026, 0, 1) + 500],
    ["2026-01-01T00:00:00.123456789Z", Date.UTC(2026, 0, 1) + 123],
    ["2024-02-29T12:34:56Z", Date.UTC(2024, 1, 29, 12, 34, 56)],
    ["2000-02-29T00:00:00Z", Date.UTC(2000, 1, 29)],
    ["2016-12-31T23:59:60Z", Date.UTC(2017, 0, 1)],
    ["2016-12-31T15:59:60.25-08:00", Date.UTC(2017, 0, 1) + 250],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000],
    ["0000-01-01T00:00:00Z", -62_167_219_200_000],
    ["9999-12-31T23:59:59.999Z", 253_402_300_799_999],
  ])("reads %s", (text, expected) => {
    expect(ms(text)).toBe(expected);
  });

  it.each([
    ["2026-02-30T00:00:00Z", "no-such-date"],
    ["2026-13-01T00:00:00Z", "no-such-date"],
    ["2026-00-01T00:00:00Z", "no-such-date"],
    ["2026-01-00T00:00:00Z", "no-such-date"],
    ["1900-02-29T00:00:00Z", "no-such-date"],
    ["2026-01-01T24:00:00Z", "no-such-time"],
    ["2026-01-01T00:60:00Z", "no-such-time"],
    ["2026-01-01T00:00:61Z", "no-such-time"],
    ["2026-01-01T00:00:60Z", "leap-second"],
    ["2016-12-31T23:59:60+01:00", "leap-second"],
    ["2026-01-15T23:59:60Z", "leap-second"],
    ["2026-01-01T00:00:00+24:00", "no-such-offset"],
    ["2026-01-01T00:00:00+01:60", "no-such-offset"],
    ["2026-01-01 00:00:00Z", "space-for-t"],
    ["2026-01-01T00:00:00 01:00", "space-for-plus"],
    ["2026-01-01T00:00:00.25 01:00", "space-for-plus"],
    ["2026-01-01", "no-time"],
    ["2026-01-01T00:00:00", "no-offset"],
    ["2026-01-01T00:00Z", "format"],
    ["2026-01-01T00:00:00.Z", "format"],
    ["2026-01-01T00:00:00,5Z", "format"],
    ["2026-01-01T00:00:00+0100", "format"],
    ["2026-01-01T00:00:00Z ", "format"],
    ["2026-01-01T00:00:00Z\n", "format"],
    [" 2026-01-01T00:00:00Z", "format"],
    ["+2026-01-01T00:00:00Z", "format"],
    ["٢٠٢٦-01-01T00:00:00Z", "format"],
    ["1767225600", "format"],
    ["now", "format"],
    ["", "format"],
    [`2026-01-01T00:00:00.${"0".repeat(64)}Z`, "too-long"],
  ])("refuses %j: %s", (text, fault) => {
    expect(ms(text)).toBe(fault);
  });

  it("agrees with Date on every instant that Date can write", () => {
    const range = { min: new Date(-62_135_596_800_000), max: new Date(253_402_300_799_999), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(range), (date) => {
        expect(ms(date.toISOString())).toBe(date.getTime());
      }),
    );
  });

  it("never throws", () => {
    fc.assert(fc.property(anyText(), (text) => void parseInstant(text)));
    fc.assert(fc.property(fc.stringMatching(/^[0-9TtZz:+. -]{0,40}$/), (text) => void parseInstant(text)));
  });

  it("keeps fractions of a millisecond", () => {
    const texts = [".0002", ".00021", ".0010", ".00100001", ".9"].map((fraction) => `2026-01-01T00:00:00${fraction}Z`);
    const instants = texts.map((text) => {
      const parsed = parseInstant(text);
      if (!parsed.ok) throw new Error(parsed.fault);
      return parsed.instant;
    });
    expect([...instants].reverse().sort(compareInstants)).toEqual(instants);
    expect(parseInstant("2026-01-01T00:00:00.1230Z")).toEqual(parseInstant("2026-01-01T00:00:00.123Z"));
  });
});
