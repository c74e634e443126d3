import { expect, it } from "vitest";
import { formatReport } from "../../../src/exam/formats/format.js";
import { hostileReport, mixedReport } from "./sample.js";

it("is the report, and ends with a line break", () => {
  const text = formatReport(".json", mixedReport(), "must");
  expect(JSON.parse(text)).toEqual(mixedReport());
  expect(text.endsWith("}\n")).toBe(true);
});

it("is the report also where that has hostile text, and nothing that a terminal acts on", () => {
  const text = formatReport(".json", hostileReport(), "must");
  expect(JSON.parse(text)).toEqual(hostileReport());
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});
