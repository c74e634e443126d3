import { describe, expect, it } from "vitest";
import { compileList } from "../../../src/sandbox/lists/list.js";
import {
  defaultLists,
  type FieldGenerator,
  type ListSettings,
  ListSettingsError,
  listDefaults,
} from "../../../src/sandbox/lists/settings.js";

function pathOf(settings: ListSettings): string {
  try {
    compileList("x", settings);
  } catch (error) {
    if (!(error instanceof ListSettingsError)) throw error;
    expect(error.message).toBe(`${error.path}: ${error.reason}`);
    return error.path;
  }
  return "accepted";
}

const withField = (generator: FieldGenerator): ListSettings => ({ fields: { ...listDefaults.fields, f: generator } });
const longRows = withField({ type: "constant", value: "a".repeat(1600) });
const date = { createdAt: "2026-01-01T00:00:00Z" };
const cyclic: Record<string, unknown> = { ...date };
cyclic["self"] = cyclic;

describe("compileList", () => {
  it("accepts the defaults", () => {
    expect(compileList("x", {}).path).toBe("/v1/x");
    expect(compileList("payments", defaultLists.payments).parameters).toEqual(listDefaults.parameters);
  });

  it.each<[string, ListSettings]>([
    ["lists.x.path", { path: "v1/x" }],
    ["lists.x.path", { path: "/v1/x/" }],
    ["lists.x.path", { path: "/v1//x" }],
    ["lists.x.path", { path: "/v1/../x" }],
    ["lists.x.path", { path: "/v1/x?y" }],
    ["lists.x.path", { path: "/v1/%41" }],
    ["lists.x.path", { path: "/v1/a{b}" }],
    ["lists.x.path", { path: "/{a}/{a}" }],
    ["lists.x.path", { path: "/{__proto__}" }],
    ["lists.x.count", { count: -1 }],
    ["lists.x.count", { count: 1.5 }],
    ["lists.x.spacing", { spacing: 0 }],
    ["lists.x.spacing", { count: 1e9 }],
    ["lists.x.spacing", { count: 1e15, spacing: 1 }],
    ["lists.x.spacing", { anchor: "0001-01-02T00:00:00Z" }],
    ["lists.x.anchor", { anchor: "yesterday" }],
    ["lists.x.anchor", { anchor: "9999-06-01T00:00:00Z" }],
    ["lists.x.cursorLifetime", { cursorLifetime: 0 }],
    ["lists.x.cursorLifetime", { cursorLifetime: Number.NaN }],
    ["lists.x.pageSize.minimum", { pageSize: { minimum: 0 } }],
    ["lists.x.pageSize.minimum", { pageSize: { minimum: 20, maximum: 10 } }],
    ["lists.x.pageSize.maximum", { pageSize: { maximum: 1e6 } }],
    ["lists.x.pageSize.default", { pageSize: { maximum: 5 } }],
    ["lists.x.pageSize.maximum", { ...longRows, pageSize: { maximum: 10_000 } }],
    ["accepted", { ...longRows, pageSize: { maximum: 8_000 } }],
    ["accepted", { ...longRows, pageSize: { maximum: 10_000 }, count: 8_000 }],
    ["accepted", { ...longRows, pageSize: { maximum: 10_000 }, count: 0 }],
    ["lists.x.dateField", { dateField: "status" }],
    ["lists.x.dateField", { fields: { id: { type: "uuid" } } }],
    ["lists.x.filters.ref", { filters: { ref: "reference" } }],
    ["lists.x.filters.nope", { filters: { nope: "nope" } }],
    ["lists.x.filters.cursor", { filters: { cursor: "status" } }],
    ["lists.x.filters.", { filters: { "": "status" } }],
    ["lists.x.filters", { filters: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`s${n}`, "status"])) }],
    ["lists.x.envelope.total", { envelope: { total: "total" }, count: 1_000_001, spacing: 1000 }],
    ["accepted", { envelope: { total: "total" }, count: 1_000_000, spacing: 1000 }],
    ["accepted", { envelope: { total: "total" }, count: 1e9, spacing: 1000, filters: {} }],
    ["lists.x.parameters.cursor", { parameters: { cursor: "" } }],
    ["lists.x.parameters.cursor", { parameters: { cursor: "pageSize" } }],
    ["lists.x.envelope.nextCursor", { envelope: { nextCursor: "items" } }],
    ["lists.x.envelope.nextCursor", { envelope: { nextCursor: "items.next" } }],
    ["lists.x.envelope.items", { envelope: { items: "a..b" } }],
    ["lists.x.envelope.extra.paging", { envelope: { nextCursor: "paging.next", extra: { paging: 1 } } }],
    ["lists.x.envelope.extra.f", { envelope: { extra: { f: () => 1 } } }],
    ["lists.x.fields.f.length", withField({ type: "id", length: 7 })],
    ["lists.x.fields.f.values", withField({ type: "choice", values: [] })],
    ["lists.x.fields.f.values", withField({ type: "choice", values: [1, "1"] })],
    ["lists.x.fields.f.weights", withField({ type: "choice", values: ["a"], weights: [1, 2] })],
    ["lists.x.fields.f.weights", withField({ type: "choice", values: ["a", "b"], weights: [0, 1] })],
    ["lists.x.fields.f.weights", withField({ type: "choice", values: ["a", "b"], weights: [1, 10_000] })],
    ["lists.x.fields.f.weights", withField({ type: "boolean", weights: [1] })],
    ["lists.x.fields.f.min", withField({ type: "integer", min: 2, max: 1 })],
    ["lists.x.fields.f.max", withField({ type: "integer", min: 0, max: 0.5 })],
    ["lists.x.fields.f.max", withField({ type: "integer", min: 0, max: Number.POSITIVE_INFINITY })],
    ["lists.x.fields.f", withField({ type: "integer", min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })],
    ["lists.x.fields.f.min", withField({ type: "decimal", min: 0.001, max: 1 })],
    ["lists.x.fields.f.decimals", withField({ type: "decimal", min: 0, max: 1, decimals: 10 })],
    ["lists.x.fields.f.template", withField({ type: "text", template: "{nope}" })],
    ["lists.x.fields.f.template", withField({ type: "text", template: "}" })],
    ["lists.x.fields.f.template", withField({ type: "text", template: "{0-9:0}" })],
    ["lists.x.fields.f.template", withField({ type: "text", template: "{0-9:257}" })],
    ["lists.x.fields.f.template", withField({ type: "text", template: "{9-0:3}" })],
    ["accepted", withField({ type: "text", template: "{0-9:256}" })],
    ["lists.x.fields.f.template", withField({ type: "createdAt", template: "{week}" })],
    ["lists.x.fields.f.template", withField({ type: "createdAt", template: "{0-9:2}" })],
    ["lists.x.fields.f.template", withField({ type: "createdAt", template: "{year}", as: "date" })],
    ["lists.x.fields.f.name", withField({ type: "parameter", name: "p" })],
    ["lists.x.fields.f.value", withField({ type: "constant", value: 1n })],
    ["lists.x.fields.f.fields.g.length", withField({ type: "object", fields: { g: { type: "id", length: 1 } } })],
    ["lists.x.fields.f", withField({ type: "oops" } as unknown as FieldGenerator)],
    ["lists.x.count", { items: [], count: 1 }],
    ["lists.x.items[1]", { items: [date, "text"] }],
    ["lists.x.items[0]", { items: [[]] }],
    ["lists.x.items[0]", { items: [{ status: "A" }] }],
    ["lists.x.items[0]", { items: [cyclic] }],
    ["lists.x.items[0].createdAt", { items: [{ createdAt: 5 }] }],
    ["lists.x.items[0].createdAt", { items: [{ createdAt: "2026-02-30T00:00:00Z" }] }],
    ["lists.x.items[0].tags", { items: [{ ...date, tags: [] }], filters: { tag: "tags" } }],
    ["lists.x.filters.state", { items: [date], filters: { state: "state" } }],
  ])("names %s", (path, settings) => {
    expect(pathOf(settings)).toBe(path);
  });

  it("says what is accepted", () => {
    expect(() => compileList("x", { count: 1e9 })).toThrow(
      "lists.x.spacing: the oldest rows would be before the year 0001; at most 63082 ms fit this count",
    );
    expect(compileList("x", { count: 1e9, spacing: 63_082 }).dataset.count).toBe(1e9);
  });
});
