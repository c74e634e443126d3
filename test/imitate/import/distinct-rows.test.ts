import { describe, expect, it } from "vitest";
import { valueAt } from "../../../src/base/text/json-object.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import type { ListSettings } from "../../../src/sandbox/lists/settings.js";
import { ask } from "../../sandbox/lists/walking.js";
import { answers, documentOf, imported, pageOf, proof } from "./importing.js";

const query = (name: string, schema: object = { type: "string" }) => ({ name, in: "query", schema });
const paged = [query("limit", { type: "integer", maximum: 500 }), query("cursor")];
const next = { nextCursor: { type: "string" } };

const document = (row: object, path = "/transfers", parameters: readonly object[] = paged) =>
  documentOf({ [path]: { get: { parameters, ...answers(pageOf(row, next)) } } });

/** The rows of the only list, and what the import says about it. */
async function read(api: object, pathParameters: Readonly<Record<string, string>> = {}) {
  const { lists, notes } = await imported(api);
  const [list = expect.fail("There is no list.")] = Object.values(lists) as ListSettings[];
  const limit = list.pageSize?.maximum ?? 100;
  const { body } = ask(compileList("x", list), { limit: String(limit) }, { pathParameters });
  const [proven] = await proof(api);
  const { data } = JSON.parse(body) as { readonly data: readonly object[] };
  return { list, rows: data, notes: notes.join("\n"), faults: (proven?.faults ?? []).map(({ reason }) => reason) };
}

const distinct = (rows: readonly object[], path: string) =>
  new Set(rows.map((row) => valueAt(row, path.split("/")))).size;

describe("what identifies a row is another value on each row", () => {
  it.each([
    ["a pattern of hexadecimal digits", "sid", { type: "string", pattern: "^CA[0-9a-fA-F]{32}$" }],
    ["a pattern of small letters", "id", { type: "string", pattern: "^[a-z]{10}$" }],
    ["a pattern of digits", "id", { type: "string", pattern: "^\\d{4}$" }],
    ["a pattern without a bound", "id", { type: "string", pattern: "^[01]+$" }],
    ["a pattern in parts", "id", { type: "string", pattern: "^[A-Z]{2}-(\\d{2}/){2}x$" }],
    ["a pattern of a UUID", "_id", { type: "string", pattern: "^[a-f\\d]{8}(-[a-f\\d]{4}){4}[a-f\\d]{8}$" }],
    ["a pattern with a quotation mark", "id", { type: "string", pattern: '^["\\\\{}:]{9}$' }],
    ["few characters", "id", { type: "string", maxLength: 3 }],
    [
      "a length between that of a number and that of an identifier",
      "uuid",
      { type: "string", minLength: 6, maxLength: 6 },
    ],
    ["a long length", "id", { type: "string", minLength: 90 }],
    ["an example", "id", { type: "string", example: "abc" }],
    ["an example that is a decimal", "id", { type: "string", example: "1.50" }],
    ["an example that is a date", "id", { type: "string", example: "2026-01-31" }],
    ["the name of the list", "transferId", { type: "string", example: "in_progress", maxLength: 11 }],
    ["a whole number", "id", { type: "integer" }],
    ["a whole number of a small range", "id", { type: "integer", minimum: 1, maximum: 600 }],
    ["a number", "transfer_id", { type: "number", maximum: 9999 }],
    ["a 32-bit number", "id", { type: "integer", format: "int32" }],
    ["a URL", "id", { type: "string", format: "uri", maxLength: 19 }],
    ["an address of mail", "id", { type: "string", format: "email", maxLength: 20 }],
  ])("by %s", async (_what, name, schema) => {
    const { rows, faults } = await read(document({ [name]: schema }));
    expect(rows).toHaveLength(500);
    expect(distinct(rows, name)).toBe(500);
    expect(faults).toEqual([]);
  });

  it.each(["data", "attributes", "transfer"])("inside %s", async (outer) => {
    const inner = { type: "object", properties: { id: { type: "string", pattern: "^[a-f]{9}$" } } };
    const { rows, faults } = await read(document({ [outer]: inner }));
    expect(distinct(rows, `${outer}/id`)).toBe(500);
    expect(faults).toEqual([]);
  });

  it.each(["id", "sid", "transferId"])("although the path has a parameter {%s}", async (name) => {
    const path = `/customers/{${name}}/transfers`;
    const { rows } = await read(document({ [name]: { type: "string" } }, path), { [name]: "c-1" });
    expect(distinct(rows, name)).toBe(500);
    expect(JSON.stringify(rows)).not.toContain("c-1");
  });

  it("but another member of the name of a parameter has the value of the path", async () => {
    const api = document({ id: { type: "string" }, account_id: { type: "string" } }, "/accounts/{accountId}/transfers");
    const { rows, faults } = await read(api, { accountId: "a-1" });
    expect(rows).toEqual(rows.map(() => expect.objectContaining({ account_id: "a-1" })));
    expect([distinct(rows, "id"), faults]).toEqual([500, []]);
  });

  it.each([
    ["acme_id", "/customers/{acme_id}/transfers", "/wallets/{acme_id}", 500],
    ["acme_id", "/customers/{acme_id}/transfers", "/customers/{acme_id}/cards", 1],
    ["customer_id", "/customers/{customer_id}/transfers", "/partners/{customer_id}", 1],
  ])("and %s of %s beside %s has %d value(s)", async (name, path, other, values) => {
    const row = { [name]: { type: "string" } };
    const api = documentOf({
      [other]: { get: answers({ type: "object" }) },
      [path]: { get: { parameters: paged, ...answers(pageOf(row, next)) } },
    });
    const { rows } = await read(api, { [name]: "c-1" });
    expect(distinct(rows, name)).toBe(values);
  });

  it.each([
    ["id", { type: "string" }, query("id")],
    ["id", { type: "string" }, query("ids")],
    ["id", { type: "string", format: "uuid" }, query("filter[id]")],
    ["id", { type: "string", pattern: "^[a-z]{8}$" }, query("id", { type: "string", enum: ["a", "b"] })],
  ])("although a filter names %s", async (name, schema, parameter) => {
    const { list, rows, notes } = await read(document({ [name]: schema }, "/transfers", [...paged, parameter]));
    expect(distinct(rows, name)).toBe(500);
    expect(list.filters).toEqual({});
    expect(notes).toMatch(/The parameter "[^"]+" is not imported: a filter cannot name the values of "id"/);
  });

  it("but a filter of another member names its few values, which are as the document says", async () => {
    const row = { id: { type: "string" }, customer_id: { type: "string", pattern: "^[a-z]{8}$" } };
    const { list, rows, faults } = await read(document(row, "/transfers", [...paged, query("customer_id")]));
    expect(list.filters).toEqual({ customer_id: "customer_id" });
    expect(distinct(rows, "customer_id")).toBe(3);
    expect(faults).toEqual([]);
  });

  it.each([
    ["an enum", { type: "string", enum: ["a", "b", "c"] }, 3],
    ["a pattern of few values", { type: "string", pattern: "^[a-c]x$" }, 3],
    ["a small range", { type: "integer", minimum: 1, maximum: 7 }, 7],
    ["a constant", { type: "string", enum: ["a"] }, 1],
  ])("or the import names it: %s", async (_what, schema, values) => {
    const { faults } = await read(document({ id: schema }));
    expect(faults).toEqual([`identifies rows, and 500 rows have ${values} different value${values === 1 ? "" : "s"}`]);
  });

  it("but nothing is said of a member that does not identify the row, nor of lists with as many values as rows", async () => {
    const values = Array.from({ length: 60 }, (_, index) => `v${index}`);
    const customer = { type: "object", properties: { id: { enum: ["a", "b"] } } };
    expect((await read(document({ customer, kind_id: { enum: ["a", "b"] } }))).faults).toEqual([]);
    const whole = answers(pageOf({ id: { type: "string", enum: values } }));
    expect((await proof(documentOf({ "/transfers": { get: whole } })))[0]?.faults).toEqual([]);
  });
});

describe("a list whose rows are all equal", () => {
  it.each([
    ["constants", { kind: { enum: ["a"] }, tags: { type: "array", items: { type: "string" } } }],
    ["the parameter of the path only", { account: { type: "string" } }],
  ])("is named: %s", async (_what, row) => {
    const { notes } = await read(document(row, "/of/{account}/transfers"), { account: "a" });
    expect(notes).toMatch(/All rows of GET \/of\/\{account\}\/transfers are equal: no member/);
  });

  it.each([
    ["a member that differs inside an object", { inner: { type: "object", properties: { on: { type: "boolean" } } } }],
    ["a date", { day: { type: "string", format: "date" } }],
    ["two values", { kind: { enum: ["a", "b"] } }],
  ])("is not named: %s", async (_what, row) => {
    expect((await read(document(row))).notes).not.toMatch(/are equal/);
  });
});

describe("dates and other formats keep their lengths and patterns", () => {
  const day = "\\d{4}-\\d{2}-\\d{2}";
  const cases = [
    ["no fraction, by length", { format: "date-time", maxLength: 20 }, /^[\d-]{10}T[\d:]{8}Z$/],
    ["no fraction, by pattern", { format: "date-time", pattern: `^${day}T\\d{2}:\\d{2}:\\d{2}Z$` }, /:\d\dZ$/],
    ["an offset", { format: "date-time", pattern: `^${day}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$` }, /:\d\d\+00:00$/],
    ["a fraction and an offset", { format: "date-time", pattern: "\\.\\d{3}\\+00:00$" }, /\.\d{3}\+00:00$/],
    ["microseconds", { format: "date-time", pattern: "\\.\\d{6}Z$" }, /\.\d{6}Z$/],
    ["a least length", { format: "date-time", minLength: 25, maxLength: 25 }, /^.{25}$/],
    ["no format, and no zone", { pattern: `^${day}T\\d{2}:\\d{2}:\\d{2}$` }, /T\d\d:\d\d:\d\d$/],
    ["no format, and a space", { pattern: `^${day} \\d{2}:\\d{2}:\\d{2}$` }, / \d\d:\d\d:\d\d$/],
    ["a length without a format", { maxLength: 20 }, /:\d\dZ$/],
    ["a name of a date, and too few characters for one", { maxLength: 8 }, /^.{1,8}$/],
    ["a time", { format: "time", pattern: "^\\d{2}:\\d{2}:\\d{2}\\+00:00$" }, /\+00:00$/],
    ["an address of mail", { format: "email", maxLength: 20 }, /^.{3,20}$/],
    ["a long URL", { format: "uri", minLength: 40 }, /^https:.{34,}$/],
    ["a URL of a host", { format: "uri", pattern: "^https://[a-z]+\\.example\\.com/" }, /^https:/],
    ["a host name", { format: "hostname", maxLength: 12 }, /^.{1,12}$/],
  ] as const;

  it.each(cases)("in rows: %s", async (_what, schema, form) => {
    const { rows, faults } = await read(document({ created_at: { type: "string", ...schema } }));
    expect(faults).toEqual([]);
    for (const row of rows) expect(valueAt(row, ["created_at"])).toMatch(form);
  });

  it.each(cases)("around the rows: %s", async (_what, schema, form) => {
    const around = { generated_at: { type: "string", ...schema }, ...next };
    const page = { ...pageOf({ on: { type: "boolean" } }, around), required: ["generated_at"] };
    const api = documentOf({ "/transfers": { get: { parameters: paged, ...answers(page) } } });
    const { list, faults } = await read(api);
    expect(list.envelope?.extra?.["generated_at"]).toMatch(form);
    expect(faults).toEqual([]);
  });

  it("and rows whose dates have another form are ordered, and bounded, by them", async () => {
    const dates = ["from", "to"].map((name) => query(name, { type: "string", format: "date-time" }));
    const row = { created_at: { type: "string", format: "date-time", maxLength: 20 } };
    const { list } = await read(document(row, "/transfers", [...paged, ...dates]));
    expect(list.dateField).toBe("created_at");
    const compiled = compileList("x", { ...list, anchor: "2026-01-01T00:00:00Z" });
    const { body } = ask(compiled, { from: "2025-12-31T23:30:00Z", to: "2026-01-01T00:00:00Z" });
    expect(JSON.parse(body).data).toEqual([
      { created_at: "2026-01-01T00:00:00Z" },
      { created_at: "2025-12-31T23:45:00Z" },
      { created_at: "2025-12-31T23:30:00Z" },
    ]);
  });

  it("but a date-time that may have any length has its milliseconds", async () => {
    for (const schema of [{}, { maxLength: 24 }, { maxLength: 64, minLength: 20 }]) {
      const { list } = await read(document({ created_at: { type: "string", format: "date-time", ...schema } }));
      expect(list.fields?.["created_at"]).toEqual({ type: "createdAt" });
    }
  });
});
