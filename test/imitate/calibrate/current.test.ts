import { expect, it } from "vitest";
import type { Reply } from "../../../src/imitate/calibrate/answer.js";
import { differencesOf } from "../../../src/imitate/calibrate/compare.js";
import { currentAt, isSame } from "../../../src/imitate/calibrate/current.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";

const fields = (more: object) => ({
  id: { type: "uuid" as const },
  links: { type: "object" as const, fields: { "@odata.id": { type: "uuid" as const }, ...more } },
});

it("a member whose name has a dot is compared", () => {
  const place = ["lists", "things", "fields"];
  const etag = { "@odata.etag": { type: "uuid" as const } };
  expect(isSame(place, fields({}), fields({}))).toBe(true);
  expect(isSame(place, { ...fields({}), ...etag }, fields({}))).toBe(false);
  expect(isSame(place, fields({}), fields(etag))).toBe(false);
  expect(isSame(place, fields(etag), fields({ "@odata.etag": { type: "boolean" } }))).toBe(false);
  // `a.b` is not the `b` of `a`.
  const [dotted, nested] = [{ "a.b": { type: "uuid" } }, { a: { type: "object", fields: { b: { type: "uuid" } } } }];
  expect(isSame(place, dotted, nested)).toBe(false);
});

it("in the score as well", () => {
  const page = (row: object): Reply => ({
    answer: { status: 200, headers: new Map(), names: [], text: JSON.stringify({ items: [row], next: null }) },
  });
  const request = { method: "GET", path: "/v1/things", headers: {}, identity: "client" } as const;
  const context = { rows: [], first: undefined, correlationHeader: undefined };
  const compared = (service: object, sandbox: object) =>
    differencesOf({ step: { id: "x", says: "x" }, request, outcome: page(service) }, page(sandbox), context);
  expect(compared({ id: "a", "@odata.etag": "b" }, { id: "c", "@odata.etag": "d" })).toEqual([]);
  expect(compared({ id: "a", "@odata.etag": "b" }, { id: "c" })).toEqual([
    { what: "rows", service: "have @odata.etag", sandbox: "do not" },
  ]);
  expect(compared({ id: "a" }, { id: "c", links: { "@odata.id": "d" } })).toMatchObject([
    { service: "do not", sandbox: "have links" },
  ]);
});

it("a list with dateField: null has no date field", () => {
  const configuration = { ...emptyFile, lists: { things: { dateField: null } } };
  const place = ["lists", "things", "dateField"];
  const current = currentAt(place, configuration);
  expect(current).toBeNull();
  expect(isSame(place, current, null)).toBe(true);
  expect(isSame(place, current, "createdAt")).toBe(false);
  expect(currentAt(place, { ...emptyFile, lists: { things: {} } })).toBe("createdAt");
});
