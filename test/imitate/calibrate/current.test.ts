import { expect, it } from "vitest";
import { currentAt, isSame } from "../../../src/imitate/calibrate/current.js";
import { emptyFile } from "../../../src/sandbox/config/file.js";

it("a list with dateField: null has no date field", () => {
  const configuration = { ...emptyFile, lists: { things: { dateField: null } } };
  const place = ["lists", "things", "dateField"];
  const current = currentAt(place, configuration);
  expect(current).toBeNull();
  expect(isSame(place, current, null)).toBe(true);
  expect(isSame(place, current, "createdAt")).toBe(false);
  expect(currentAt(place, { ...emptyFile, lists: { things: {} } })).toBe("createdAt");
});
