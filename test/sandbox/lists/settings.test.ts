import { describe, expect, it } from "vitest";
import { configurationFrom } from "../../../src/library/configuration.js";
import type { StartOptions } from "../../../src/library/options.js";
import { listDefaults } from "../../../src/sandbox/lists/defaults.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { completeList, defaultLists } from "../../../src/sandbox/lists/settings.js";
import { problemsOf } from "../config/configuration.js";

/** What a start with these settings of a list says. */
async function refusal(settings: object): Promise<string> {
  try {
    const { lists } = await configurationFrom({ lists: { x: settings } } as StartOptions);
    compileList("x", lists["x"] ?? {});
  } catch (error) {
    return (error as Error).message.replace("startSandbox: ", "");
  }
  return "accepted: ";
}

const { fields: defaultFields } = completeList("x", {});
const withField = (generator: object) => ({ fields: { ...defaultFields, f: generator } });
const longRows = withField({ type: "constant", value: "a".repeat(1600) });
const nested = (depth: number): object =>
  depth === 0 ? { type: "uuid" } : { type: "object", fields: { o: nested(depth - 1) } };
const date = { createdAt: "2026-01-01T00:00:00Z" };
const cyclic: Record<string, unknown> = { ...date };
cyclic["self"] = cyclic;

it("the defaults are accepted", () => {
  expect(compileList("x", {}).path).toBe("/v1/x");
  expect(compileList("payments", defaultLists.payments).parameters).toEqual(listDefaults.parameters);
});

/** With the key that a refusal names. */
const written: readonly (readonly [key: string, settings: object])[] = [
  ["lists.x.path", { path: "v1/x" }],
  ["lists.x.path", { path: "/v1/x//" }],
  ["lists.x.path", { path: "/" }],
  ["lists.x.path", { path: "/v1//x" }],
  ["lists.x.path", { path: "/v1/../x" }],
  ["lists.x.path", { path: "/v1/x?y" }],
  ["lists.x.path", { path: "/v1/%41" }],
  ["lists.x.path", { path: "/v1/a{b}" }],
  ["lists.x.path", { path: "/{a}/{a}" }],
  ["lists.x.path", { path: "/{__proto__}" }],
  ["lists.x.count", { count: -1 }],
  ["lists.x.count", { count: 1.5 }],
  ["lists.x.spacing", { spacing: "0ms" }],
  ["lists.x.spacing", { count: 1e9 }],
  ["lists.x.spacing", { count: 1e15, spacing: "1ms" }],
  ["lists.x.spacing", { anchor: "0001-01-02T00:00:00Z" }],
  ["lists.x.anchor", { anchor: "yesterday" }],
  ["lists.x.anchor", { anchor: "9999-06-01T00:00:00Z" }],
  ["lists.x.cursorLifetime", { cursorLifetime: "0s" }],
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
  ["lists.x.envelope.total", { envelope: { total: "total" }, count: 1_000_001, spacing: "1s" }],
  ["accepted", { envelope: { total: "total" }, count: 1_000_000, spacing: "1s" }],
  ["accepted", { envelope: { total: "total" }, count: 1e9, spacing: "1s", filters: {} }],
  ["lists.x.parameters.cursor", { parameters: { cursor: "" } }],
  ["lists.x.parameters.cursor", { parameters: { cursor: "pageSize" } }],
  ["lists.x.envelope.nextCursor", { envelope: { nextCursor: "items" } }],
  ["lists.x.envelope.nextCursor", { envelope: { nextCursor: "items.next" } }],
  ["lists.x.envelope.items", { envelope: { items: "a..b" } }],
  ["lists.x.envelope.extra.paging", { envelope: { nextCursor: "paging.next", extra: { paging: 1 } } }],
  ["lists.x.fields.f.length", withField({ type: "id", length: 7 })],
  ["lists.x.fields.f.values", withField({ type: "choice", values: [] })],
  ["lists.x.fields.f.values", withField({ type: "choice", values: [1, "1"] })],
  ["lists.x.fields.f.weights", withField({ type: "choice", values: ["a"], weights: [1, 2] })],
  ["lists.x.fields.f.weights[0]", withField({ type: "choice", values: ["a", "b"], weights: [0, 1] })],
  ["lists.x.fields.f.weights", withField({ type: "choice", values: ["a", "b"], weights: [1, 10_000] })],
  ["lists.x.fields.f.weights", withField({ type: "boolean", weights: [1] })],
  ["lists.x.fields.f.min", withField({ type: "integer", min: 2, max: 1 })],
  ["lists.x.fields.f.max", withField({ type: "integer", min: 0, max: 0.5 })],
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
  ["lists.x.fields.f.fields.g.length", withField({ type: "object", fields: { g: { type: "id", length: 1 } } })],
  ["lists.x.fields.f.type", withField({ type: "oops" })],
  ["lists.x.count", { items: [], count: 1 }],
  ["lists.x.count", { count: 1e300 }],
  ["lists.x.pageSize.minimum", { pageSize: { minimum: 101 } }],
  ["lists.x.envelope.pages", { envelope: { pages: "pages" }, count: 1_000_001, spacing: "1s" }],
  ["lists.x.envelope.extra.a.b.c", { envelope: { items: "a.b", extra: { "a.b.c": 1 } } }],
  ["lists.x.envelope.extra.", { envelope: { extra: { "": 1 } } }],
  ["lists.x.filters.g", { ...withField({ type: "nullable", of: { type: "boolean" } }), filters: { g: "f" } }],
  ["lists.x.dateField", { fields: { createdAt: { type: "nullable", of: { type: "createdAt" } } } }],
  [
    "lists.x.fields.f.of.fields.g.name",
    withField({ type: "nullable", of: { type: "object", fields: { g: { type: "parameter", name: "p" } } } }),
  ],
  ["lists.x.fields.f.of.min", withField({ type: "nullable", of: { type: "integer", min: 2, max: 1 } })],
  ["lists.x.fields.f.values[0]", withField({ type: "choice", values: [{}] })],
  [`lists.x.fields.f${".fields.o".repeat(16)}`, withField(nested(17))],
  ["accepted", withField(nested(16))],
];

/** What only the options of the library can be, or what only the items or the rows show. */
const others: readonly (readonly [key: string, settings: object])[] = [
  ["lists.x.cursorLifetime", { cursorLifetime: Number.NaN }],
  ["lists.x.envelope.extra.f", { envelope: { extra: { f: () => 1 } } }],
  ["lists.x.fields.f.max", withField({ type: "integer", min: 0, max: Number.POSITIVE_INFINITY })],
  ["lists.x.fields.f.value", withField({ type: "constant", value: 1n })],
  ["lists.x.items[1]", { items: [date, "text"] }],
  ["lists.x.items[0]", { items: [[]] }],
  ["lists.x.items[0]", { items: [{ status: "A" }] }],
  ["lists.x.items[0]", { items: [cyclic] }],
  ["lists.x.items[0].createdAt", { items: [{ createdAt: 5 }] }],
  ["lists.x.items[0].createdAt", { items: [{ createdAt: "2026-02-30T00:00:00Z" }] }],
  ["lists.x.items[0].tags", { items: [{ ...date, tags: [] }], filters: { tag: "tags" } }],
  ["lists.x.filters.state", { items: [date], filters: { state: "state" } }],
];

describe("a wrong setting of a list is named", () => {
  it.each([...written, ...others])("%s, of options", async (key, settings) => {
    expect((await refusal(settings)).split(": ", 1)).toEqual([key]);
  });

  it.each(written.filter(([, settings]) => !("pageSize" in settings && "fields" in settings)))(
    "%s, of a file, with its place and nothing else",
    async (key, settings) => {
      const problems = await problemsOf(`lists: { x: ${JSON.stringify(settings)} }`);
      expect(problems.map((problem) => problem.split(": ", 2))).toEqual(
        key === "accepted" ? [] : [[expect.stringMatching(/^sandbox\.yaml:1:\d+$/), key]],
      );
    },
  );

  it("and so is what is accepted", async () => {
    expect(await refusal({ count: 1e9 })).toBe(
      "lists.x.spacing: the oldest rows would be before the year 0001; at most 63082 ms fit this count",
    );
    expect(await refusal({ count: 1e9, spacing: "63082ms" })).toBe("accepted: ");
    expect(await refusal(withField({ type: "createdAt", template: "{0-9:2}" }))).toContain(
      "{0-9:2} is no part of an instant; these are {year}, ",
    );
    expect(await refusal(withField({ type: "parameter", name: "p" }))).toBe(
      "lists.x.fields.f.name: the path has no parameter {p}; it has none",
    );
  });

  it("all are reported at once, those of one list too", async () => {
    const settings = {
      pageSize: { default: 500 },
      envelope: { items: "x", count: "x", page: "x" },
      filters: { a: "nope", b: "nada", cursor: "status" },
      dateField: "nope",
    };
    const problems = await problemsOf(`lists: { x: ${JSON.stringify(settings)}, payouts: { count: 1000000000 } }`);
    expect(problems.map((problem) => problem.split(": ")[1])).toEqual([
      "lists.x.pageSize.default",
      "lists.x.envelope.count",
      "lists.x.envelope.page",
      "lists.x.filters.a",
      "lists.x.filters.b",
      "lists.x.filters.cursor",
      "lists.x.dateField",
      "lists.payouts.spacing",
    ]);
  });

  it.each([
    ["path", { path: "v1/{a}", ...withField({ type: "parameter", name: "a" }) }],
    ["dateField", { dateField: 5, fields: { booked: { type: "createdAt" } } }],
    ["dateField", { dateField: 5, items: [{ booked: "2026-01-01" }] }],
    ["fields", { fields: [], dateField: "booked", filters: { kind: "kind" } }],
    ["items", { items: 5, dateField: "booked", filters: { kind: "kind" } }],
    ["parameters.cursor", { parameters: { cursor: 5 }, filters: { cursor: "status" } }],
    ["spacing", { count: 1e9, spacing: "1" }],
  ])("a wrong %s causes no further problem", async (key, settings) => {
    const problems = await problemsOf(`lists: { x: ${JSON.stringify(settings)} }`);
    expect(problems.map((problem) => problem.split(": ")[1])).toEqual([`lists.x.${key}`]);
  });

  it("nor hides another", async () => {
    const settings = {
      ...withField({ type: "id", length: 1 }),
      path: "x",
      parameters: { cursor: "page", pageSize: "page" },
    };
    const problems = await problemsOf(`lists: { x: ${JSON.stringify(settings)} }`);
    expect(problems.map((problem) => problem.split(": ")[1]).sort()).toEqual([
      "lists.x.fields.f.length",
      "lists.x.parameters.cursor",
      "lists.x.path",
    ]);
  });
});
