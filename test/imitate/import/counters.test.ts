import { describe, expect, it } from "vitest";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { ask } from "../../sandbox/lists/walking.js";
import { answers, documentOf, imported, pageOf, proof } from "./importing.js";

const query = (name: string, schema: object = { type: "string" }) => ({ name, in: "query", schema });
const paged = [query("limit", { type: "integer", maximum: 200 }), query("cursor")];
const row = { id: { type: "string" } };
const whole = { type: "integer" };

/** A document whose pages require these members. */
const document = (around: Readonly<Record<string, object>>, parameters: readonly object[] = paged) => {
  const page = { ...pageOf(row, { nextCursor: { type: "string" }, ...around }), required: Object.keys(around) };
  return documentOf({ "/rows": { get: { parameters, ...answers(page) } } });
};

const read = async (api: object) => {
  const { lists, notes } = await imported(api);
  return { list: lists["rows"] ?? expect.fail("There is no list."), notes: notes.join("\n") };
};

describe("counters of pages are filled where the list knows them", () => {
  it.each([
    ["page", "pageCount"],
    ["currentPage", "totalPages"],
    ["page_number", "last_page"],
  ])("%s, %s", async (page, pages) => {
    const api = document({ [page]: whole, [pages]: whole, perPage: whole, hasMore: { type: "boolean" }, total: whole });
    const { list, notes } = await read(api);
    const compiled = compileList("rows", list);
    const seen: unknown[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const answer = ask(compiled, { limit: "200", ...(cursor === "" ? {} : { cursor }) });
      const { data, nextCursor: _, ...around } = JSON.parse(answer.body);
      seen.push([data.length, around]);
      cursor = answer.cursor;
    }
    const common = { [pages]: 3, perPage: 200, total: 500 };
    expect(seen).toEqual([
      [200, { ...common, [page]: 1, hasMore: true }],
      [200, { ...common, [page]: 2, hasMore: true }],
      [100, { ...common, [page]: 3, hasMore: false }],
    ]);
    expect(notes).not.toMatch(/with every page/);
    expect(await proof(api)).toEqual([{ name: "rows", faults: [] }]);
  });

  it("inside an object, and on the only page of a list without pages", async () => {
    const meta = { type: "object", required: ["page", "pages"], properties: { page: whole, pages: whole } };
    const page = { ...pageOf(row, { meta }), required: ["meta"] };
    const api = documentOf({ "/rows": { get: answers(page) } });
    const { list } = await read(api);
    const { data, meta: said } = JSON.parse(ask(compileList("rows", list), {}).body);
    expect([data.length, said]).toEqual([50, { page: 1, pages: 1 }]);
    expect(await proof(api)).toEqual([{ name: "rows", faults: [] }]);
  });

  it.each([
    ["the rows before the page", "offset", whole],
    ["a page from zero on", "page", { type: "integer", example: 0 }],
    ["a flag of the first page", "first", { type: "boolean" }],
    ["a second total", "totalResults", whole],
  ])("or the import names them: %s", async (_what, name, schema) => {
    const { notes } = await read(document({ totalCount: whole, [name]: schema }));
    expect(notes).toMatch(new RegExp(`"${name}" is required: the sandbox sends .* with every page`));
  });

  it.each([
    ["a number of another meaning", "version", whole],
    ["a number in another object", "facet", { type: "object", required: ["name"], properties: { name: {} } }],
    ["a constant", "page_kind", { enum: [3] }],
  ])("but nothing else is named: %s", async (_what, name, schema) => {
    expect((await read(document({ [name]: schema }))).notes).not.toMatch(/with every page/);
  });

  it("and who asks for pages by number is told that this does not lead through the list", async () => {
    const { notes } = await read(document({ pageCount: whole }, [query("page", whole), query("limit", whole)]));
    expect(notes).toMatch(/"page" is not imported: the sandbox pages by cursors only, and answers every number with/);
  });
});

describe("the proof asks for counters that lead through the list", () => {
  const api = document({ page: whole, pageCount: whole, total: whole });

  it.each([
    ["page", 1, "/page: is 7, and not 1"],
    ["pages", 1, "/pageCount: is 7, and not 3"],
    ["total", 1, "/total: is 7, and not 500"],
  ] as const)("%s", async (gap, page, fault) => {
    const [proven] = await proof(api, ({ envelope = {}, ...list }) => {
      const { [gap]: name = "", ...rest } = envelope;
      return { ...list, envelope: { ...rest, extra: { [name]: 7 } } };
    });
    expect(proven?.faults.map(({ pointer, reason, page }) => [page, `${pointer}: ${reason}`])).toEqual([[page, fault]]);
  });

  it("but of no number in an object that has nothing to do with pages", async () => {
    const facet = { type: "object", required: ["count"], properties: { count: whole } };
    const [proven] = await proof(document({ count: whole, facet }));
    expect(proven?.faults).toEqual([]);
  });

  it("a second counter that is constant is a fault too", async () => {
    const [proven] = await proof(document({ totalCount: whole, totalResults: whole }));
    expect(proven?.faults).toEqual([{ page: 1, pointer: "/totalResults", reason: "is 0, and not 500" }]);
  });
});

describe("an example that contradicts its own schema is not used, and named", () => {
  const fieldOf = async (schema: object, name = "thing") => {
    const { lists, notes } = await imported(documentOf({ "/rows": { get: answers(pageOf({ [name]: schema })) } }));
    return { field: JSON.stringify(lists["rows"]?.fields?.[name]), notes: notes.join("\n") };
  };

  it.each([
    ["type", { type: "string", example: 12 }, "is not of the type string"],
    ["type of a number", { type: "integer", example: "12" }, "is not of the type integer"],
    ["pattern", { type: "string", pattern: "^[a-z]{3}$", example: "ABCDE" }, "does not match the pattern"],
    ["enum", { type: "string", enum: ["a", "b"], example: "ABCDE" }, "is none of the values"],
    ["maxLength", { type: "string", maxLength: 4, example: "ABCDE" }, "is too long"],
    ["minLength", { type: "string", minLength: 6, example: "ABCDE" }, "is too short"],
    ["format", { type: "string", format: "date", example: "ABCDE" }, "has not the format date"],
    [
      "a format that is not generated",
      { type: "string", format: "uri-template", example: "ABCDE{" },
      "has not the format",
    ],
    ["range", { type: "integer", maximum: 9, example: 1769850000000 }, "is out of the range"],
  ])("%s", async (_what, schema, reason) => {
    const { field, notes } = await fieldOf(schema, "created");
    expect(field).not.toMatch(/ABCDE|milliseconds/);
    expect(notes).toMatch(/#\/paths\/.*\/created The example contradicts its own schema, and is not used: it /);
    expect(notes).toContain(reason);
  });

  it("but the next one of several is", async () => {
    const { field, notes } = await fieldOf({ type: "string", maxLength: 9, examples: ["too long for it", "abcd"] });
    expect(field).toBe('{"type":"choice","values":["abcd"]}');
    expect(notes).toMatch(/is too long/);
  });

  it.each([
    ["one that fits", { type: "string", pattern: "^[a-z_]+$", maxLength: 8, example: "paid_out" }],
    ["null, which is allowed", { type: "string", nullable: true, example: null }],
    ["one of another alternative", { oneOf: [{ type: "string" }, { type: "integer" }], example: 3 }],
    ["one of another type", { type: ["string", "integer"], example: 3 }],
    ["a number of a format", { type: "number", format: "double", example: 3 }],
  ])("and nothing is named for %s", async (_what, schema) => {
    expect((await fieldOf(schema)).notes).not.toMatch(/contradicts/);
  });

  it("nor is a default that contradicts its schema sent around the rows", async () => {
    const page = { ...pageOf(row, { kind: { type: "string", default: 4 } }), required: ["kind"] };
    expect(await proof(documentOf({ "/rows": { get: answers(page) } }))).toEqual([{ name: "rows", faults: [] }]);
  });
});
