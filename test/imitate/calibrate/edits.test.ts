import { expect, it } from "vitest";
import { editsOf, type Findings } from "../../../src/imitate/calibrate/findings.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";

const { lists } = emptyFile;
const payments = {
  ...lists["payments"],
  parameters: { pageSize: "limit", cursor: "after" },
  pageSize: { default: 20, minimum: 5, maximum: 50 },
  filters: { state: "status" },
};

function edited(key: string, value: unknown): unknown {
  const place = ["lists", "payments", key];
  const reading = { place, value, evidence: [], certainty: "certain" as const, remarks: [] };
  const settings = [{ had: undefined, reading, same: false, written: true }];
  const findings: Findings = { settings, remarks: [], unknown: [] };
  return editsOf(findings, { ...emptyFile, lists: { ...lists, payments } })[0]?.value;
}

it("filters stay if none was tried", () => {
  expect(edited("filters", {})).toBeUndefined();
});

it.each([
  ["parameters", { pageSize: "size" }, { pageSize: "size", cursor: "after" }],
  ["pageSize", { default: 25 }, { default: 25, minimum: 5, maximum: 50 }],
  ["pageSize", { default: 100 }, { default: 100, minimum: 5 }],
  ["pageSize", { maximum: 40 }, { minimum: 5, maximum: 40 }],
  ["pageSize", { maximum: 4 }, { default: 4, maximum: 4 }],
  ["pageSize", { minimum: 12 }, { default: 12, minimum: 12, maximum: 50 }],
  ["pageSize", { minimum: 60 }, { default: 60, minimum: 60 }],
])("unseen parts of %s stay, if they fit %o", (key, seen, written) => {
  expect(edited(key, seen)).toEqual(written);
});
