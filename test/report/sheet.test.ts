import { expect, it } from "vitest";
import { countsText, named, partOf } from "../../src/report/sheet.js";

it.each([
  [1, 1, "the one drill"],
  [2, 2, "both drills"],
  [71, 71, "all 71 drills"],
  [1, 2, "1 of the 2 drills"],
  [2, 71, "2 of the 71 drills"],
  [0, 71, "none of the 71 drills"],
  [1200, 2400, "1,200 of the 2,400 drills"],
])("%d of %d is said as %s", (count, total, words) => {
  expect(partOf(count, total, "drill")).toBe(words);
});

it("counts have no zeros, and say if there is nothing", () => {
  expect(
    countsText({
      what: "Drills",
      of: [
        ["failed", 0, "bad"],
        ["passed", 1200, "good"],
      ],
    }),
  ).toBe("Drills: 1,200 passed.");
  expect(countsText({ what: "Drills", of: [["failed", 0, "bad"]] })).toBe("Drills: none.");
});

it("names are named up to a number", () => {
  expect(named(["a", "b", "c"], 2)).toBe("a, b, c");
  expect(named(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
});
