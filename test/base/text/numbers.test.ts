import { expect, test } from "vitest";
import { thousands } from "../../../src/base/text/numbers.js";

test.each([0, 9, 999, 1000, 12_345, 100_000, 999_999, 1_000_000, 1_000_000_000, -1000, -999])(
  "%i in English notation",
  (count) => {
    expect(thousands(count)).toBe(count.toLocaleString("en"));
  },
);
