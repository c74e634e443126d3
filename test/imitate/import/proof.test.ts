import { describe, expect, it } from "vitest";
import { type ListSettings, ListSettingsError } from "../../../src/sandbox/lists/settings.js";
import { answers, documentOf, pageOf, proof } from "./importing.js";

const limit = { name: "limit", in: "query", schema: { type: "integer", maximum: 200 } };
const cursor = { name: "cursor", in: "query", schema: { type: "string" } };
const row = { id: { type: "string", format: "uuid" } };

const onePath = (schema: object, openapi = "3.0.3") => ({
  ...documentOf({ "/rows/{rowsId}/parts": { get: { parameters: [limit, cursor], ...answers(schema) } } }),
  openapi,
});

/** The faults of the only list. */
const faultsOf = async (schema: object, change?: (list: ListSettings) => ListSettings, openapi?: string) =>
  (await proof(onePath(schema, openapi), change))[0]?.faults;

describe("imported lists are walked, and their pages validated", () => {
  it("finds nothing wrong with a page that is as the document says", async () => {
    const page = {
      ...pageOf(row, { nextCursor: { type: "string" } }),
      required: ["data"],
      additionalProperties: false,
    };
    expect(await proof(onePath(page))).toEqual([{ name: "parts", faults: [] }]);
  });

  it("names the page, the place and the reason, each reason once for all rows", async () => {
    const page = pageOf({ ...row, state: { type: "string", enum: ["a", "b"] } });
    const other = (list: ListSettings): ListSettings => ({
      ...list,
      fields: { ...list.fields, state: { type: "choice", values: ["c", "d"] } },
    });
    expect(await faultsOf(page, other)).toEqual([
      { page: 1, pointer: "/data/0/state", reason: 'must be equal to one of the allowed values: ["a","b"]' },
    ]);
  });

  it("reaches the last page: what is wrong only there is found", async () => {
    const page = { ...pageOf(row, { nextCursor: { type: "string" } }), required: ["nextCursor"] };
    // 500 rows at the largest size, 200.
    const omitted = (list: ListSettings): ListSettings => ({
      ...list,
      envelope: { ...list.envelope, lastCursor: "omit" },
    });
    expect(await faultsOf(page, omitted)).toEqual([
      { page: 3, pointer: "", reason: "must have required property 'nextCursor'" },
    ]);
  });

  it("ends a walk after 1,000 pages, and says so", async () => {
    const long = (count: number) => (list: ListSettings) => ({
      ...list,
      count,
      pageSize: { default: 1, minimum: 1, maximum: 1 },
    });
    expect(await faultsOf(pageOf(row), long(1000))).toEqual([]);
    expect(await faultsOf(pageOf(row), long(1001))).toEqual([
      { page: 1000, pointer: "", reason: "the walk was ended here, and further pages were not validated" },
    ]);
  });

  it("asks for a path that rows may have in a member of its name", async () => {
    const page = pageOf({ ...row, rows_id: { type: "string", pattern: "^RO[0-9a-f]{32}$" } });
    const named = { name: "rowsId", in: "path", required: true, schema: { type: "string" } };
    const get = { parameters: [limit, cursor, named], ...answers(page) };
    expect(await proof(documentOf({ "/rows/{rowsId}/parts": { get } }))).toEqual([{ name: "parts", faults: [] }]);
  });

  it("a request that the sandbox refuses is not blamed on the schema", async () => {
    const document = onePath(pageOf(row));
    const long = { name: "rowsId", in: "path", required: true, schema: { type: "string", enum: ["x".repeat(300)] } };
    const get = { parameters: [limit, cursor, long], ...answers(pageOf(row)) };
    const [list] = await proof({ ...document, paths: { "/rows/{rowsId}/parts": { get } } });
    expect(list?.faults).toEqual([
      { page: 1, pointer: "", reason: expect.stringMatching(/^the sandbox refuses the request: /) },
    ]);
  });

  it("settings that the sandbox cannot have are an error, and not blamed on the schema", async () => {
    const long = { type: "constant", value: "x".repeat(2_000_000) } as const;
    const wrong = (list: ListSettings) => ({ ...list, fields: { ...list.fields, long } });
    await expect(faultsOf(pageOf(row), wrong)).rejects.toThrow(ListSettingsError);
  });
});

describe("the dialect of the document is understood", () => {
  const constant =
    (value: unknown) =>
    (list: ListSettings): ListSettings => ({
      ...list,
      dateField: null,
      fields: { value: { type: "constant", value } },
    });
  const ofValue = (schema: object, rest: object = {}) => ({
    type: "object",
    properties: { data: { type: "array", items: { type: "object", properties: { value: schema }, ...rest } } },
  });

  it.each([
    ["nullable of 3.0", { type: "string", nullable: true }, "3.0.3", [null, "a"], [1]],
    ["a type null of 3.1", { type: ["string", "null"] }, "3.1.0", [null, "a"], [1]],
    ["an exclusive bound of 3.0", { type: "integer", minimum: 3, exclusiveMinimum: true }, "3.0.3", [4], [3]],
    ["an exclusive bound of 3.1", { type: "integer", exclusiveMinimum: 3 }, "3.1.0", [4], [3]],
    ["a pattern with the older syntax", { type: "string", pattern: "^a\\_\\@\\d" }, "3.0.3", ["a_@1b"], ["xa_@1"]],
    ["a format", { type: "string", format: "date" }, "3.0.3", ["2026-01-31"], ["2026-02-30"]],
  ])("%s", async (_name, schema, openapi, right, wrong) => {
    for (const value of right) expect(await faultsOf(ofValue(schema), constant(value), openapi)).toEqual([]);
    for (const value of wrong)
      expect(await faultsOf(ofValue(schema), constant(value), openapi)).toEqual([
        expect.objectContaining({ page: 1, pointer: "/data/0/value" }),
      ]);
  });

  it("a member that only requests have is not required", async () => {
    const schema = ofValue({ type: "string", writeOnly: true }, { required: ["value"] });
    expect(await faultsOf(schema, (list) => ({ ...list, fields: { other: { type: "boolean" } } }))).toEqual([]);
  });

  it("schemas that contain themselves, and references with neighbours", async () => {
    const tree = {
      type: "object",
      properties: { value: { type: "string" }, inner: { $ref: "#/components/schemas/Tree", description: "again" } },
    };
    const document = {
      ...onePath(pageOf({ tree: { $ref: "#/components/schemas/Tree" } }), "3.1.0"),
      components: { schemas: { Tree: tree } },
    };
    const deep = { value: "a", inner: { value: "b", inner: { value: 3 } } };
    const nested = (list: ListSettings): ListSettings => ({
      ...list,
      fields: { tree: { type: "constant", value: deep } },
    });
    expect((await proof(document, nested))[0]?.faults).toEqual([
      { page: 1, pointer: "/data/0/tree/inner/inner/value", reason: "must be string" },
    ]);
  });

  it("a pattern that JavaScript would match for years is matched at once", async () => {
    const schema = ofValue({ type: "string", pattern: "^(a+)+$" });
    expect(await faultsOf(schema, constant(`${"a".repeat(200)}!`))).toHaveLength(1);
  });

  it.each(["allOf", "anyOf", "oneOf"])("schemas that double at each step, by %s, end quickly", async (keyword) => {
    const ref = (step: number) => ({ $ref: `#/components/schemas/S${step}` });
    const steps = Array.from({ length: 40 }, (_, step) => [
      `S${step}`,
      step === 39 ? { type: "object" } : { [keyword]: [ref(step + 1), { allOf: [ref(step + 1)] }] },
    ]);
    const page = pageOf({});
    const data = { type: "array", items: { ...page.properties.data.items, properties: { a: ref(0) } } };
    const document = onePath({ ...page, properties: { data } });
    expect(await proof({ ...document, components: { schemas: Object.fromEntries(steps) } })).toEqual([
      {
        name: "parts",
        faults: [expect.objectContaining({ reason: expect.stringMatching(/cannot be used: too many/) })],
      },
    ]);
  });

  it("a schema that is a part of itself cannot be used", async () => {
    const schemas = { S: { allOf: [{ $ref: "#/components/schemas/S" }], properties: { a: { type: "string" } } } };
    const page = pageOf({ a: { $ref: "#/components/schemas/S" } });
    const [list] = await proof({ ...onePath(page), components: { schemas } });
    expect(list?.faults).toEqual([expect.objectContaining({ reason: expect.stringMatching(/cannot be used/) })]);
  });

  it("keywords with mistakes are ignored", async () => {
    const schema = ofValue({ type: "text", required: true, minLength: "3", pattern: "(", enum: [], format: 7 });
    expect(await faultsOf(schema, constant("a"))).toEqual([]);
  });
});
