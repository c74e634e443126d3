import { describe, expect, it } from "vitest";
import { documentOf, imported, pageOf, proof } from "./importing.js";

const query = (name: string, schema: object = { type: "string" }) => ({ name, in: "query", schema });
const limit = query("limit", { type: "integer", maximum: 200 });
const cursor = query("cursor");
const text = { schema: { type: "string" } };
const rows = (properties: object = { id: { type: "string", format: "uuid" } }) => ({
  type: "array",
  items: { type: "object", required: Object.keys(properties), properties, additionalProperties: false },
});

/** A document with one list at /rows, whose answers have these headers. */
const listOf = (schema: object, headers: object, parameters: readonly object[] = [limit, cursor], rest = {}) =>
  documentOf(
    {
      "/rows": {
        get: {
          parameters,
          responses: { 200: { description: "", headers, content: { "application/json": { schema } } } },
        },
      },
    },
    rest,
  );

const envelopeOf = async (api: object, options = {}) => {
  const { lists, notes } = await imported(api, options);
  return { envelope: lists["rows"]?.envelope, list: lists["rows"], notes: notes.join("\n") };
};

describe("a page that is an array alone", () => {
  it.each([
    ["Link", { Link: text }, { linkHeader: true }],
    ["link", { link: {} }, { linkHeader: true }],
    ["a cursor", { "X-After-Cursor": text, "X-Request-Id": text }, { cursorHeader: "X-After-Cursor" }],
    ["a cursor by a company's name", { "Acme-Next-Page-Token": text }, { cursorHeader: "Acme-Next-Page-Token" }],
    ["both", { Link: text, "X-Next-Cursor": text }, { linkHeader: true, cursorHeader: "X-Next-Cursor" }],
    ["the clearest cursor", { "X-Cursor": text, "Next-Cursor": text }, { cursorHeader: "Next-Cursor" }],
  ])("leads on by its header: %s", async (_what, headers, settings) => {
    const api = listOf(rows(), headers);
    expect(await envelopeOf(api)).toEqual({
      envelope: { items: null, ...settings },
      list: expect.anything(),
      notes: "",
    });
    expect(await proof(api)).toEqual([{ name: "rows", faults: [] }]);
  });

  it.each([
    ["Retry-After", text],
    ["X-RateLimit-Reset-After", text],
    ["X-Total-Count", text],
    ["X-Prev-Cursor-Count", { schema: { type: "integer" } }],
    // The number of a page, as GitLab sends it.
    ["X-Next-Page", { schema: { type: "integer" } }],
    ["Set-Cookie", text],
    ["Bad Name Cursor", text],
  ])("%s is no cursor: the sandbox sends Link, and a note says so", async (name, header) => {
    const { envelope, notes } = await envelopeOf(listOf(rows(), { [name]: header }));
    expect(envelope).toEqual({ items: null, linkHeader: true });
    expect(notes).toContain(
      "The document has no header that leads to the next page; the sandbox's answers have `Link`",
    );
  });

  it("reads a header by reference", async () => {
    const headers = { "X-After-Cursor": { $ref: "#/components/headers/After" } };
    const api = listOf(rows(), headers, [limit, cursor], { components: { headers: { After: text } } });
    expect((await envelopeOf(api)).envelope).toEqual({ items: null, cursorHeader: "X-After-Cursor" });
  });

  it("--map names another header, or none", async () => {
    const map = (meaning: "next-cursor" | "next-link", name: string) => ({
      mappings: [{ list: undefined, meaning, name, text: `${meaning}=${name}` }],
    });
    const api = listOf(rows(), { "X-Cursor": text, "X-Weiter": text, Link: text });
    const found = async (options: object) => (await envelopeOf(api, options)).envelope;
    expect(await found(map("next-cursor", "X-Weiter"))).toMatchObject({ cursorHeader: "X-Weiter", linkHeader: true });
    expect(await found(map("next-cursor", ""))).toEqual({ items: null, linkHeader: true });
    expect(await found(map("next-link", ""))).toEqual({ items: null, cursorHeader: "X-Cursor" });
  });

  it("with a page number and Link, as GitHub has it, is walked by Link", async () => {
    const parameters = [query("page", { type: "integer" }), query("per_page", { type: "integer", maximum: 100 })];
    const { envelope, list, notes } = await envelopeOf(listOf(rows(), { Link: text }, parameters));
    expect(envelope).toEqual({ items: null, linkHeader: true });
    expect(list?.parameters).toMatchObject({ pageSize: "per_page" });
    expect(notes).toContain('The document has no parameter for a cursor; the sandbox takes "cursor"');
  });

  it("is one page if nothing of the document is about pages", async () => {
    const api = listOf({ ...rows(), maxItems: 7 }, {}, []);
    const { envelope, list, notes } = await envelopeOf(api);
    expect([envelope, list?.count, notes]).toEqual([{ items: null, nextCursor: null }, 7, ""]);
    expect(await proof(api)).toEqual([{ name: "rows", faults: [] }]);
  });

  it.each([
    ["texts", { type: "array", items: { type: "string" } }],
    ["arrays", { type: "array", items: { type: "array", items: { type: "object" } } }],
    ["anything", { type: "array" }],
  ])("an array of %s is no list", async (_what, schema) => {
    expect((await imported(listOf(schema, { Link: text }))).imported).toEqual([]);
    const { notes } = await imported(listOf(schema, { Link: text }), { only: ["/rows"] });
    expect(notes.join()).toContain("GET /rows is not imported: its answer has no list of objects");
  });

  it("what is wrong in a row is named by its place in the array", async () => {
    const api = listOf(rows({ state: { type: "string", enum: ["a"] } }), { Link: text });
    const [only] = await proof(api, (list) => ({ ...list, fields: { state: { type: "constant", value: "b" } } }));
    expect(only?.faults).toEqual([{ page: 1, pointer: "/0/state", reason: expect.any(String) }]);
  });
});

describe("an object around the rows", () => {
  it("leads on by a header if it has no member for that", async () => {
    const page = { ...pageOf({ id: { type: "string" } }), additionalProperties: false };
    const api = listOf(page, { Link: text });
    expect((await envelopeOf(api)).envelope).toMatchObject({ items: "data", linkHeader: true });
    expect(await proof(api)).toEqual([{ name: "rows", faults: [] }]);
    const both = await envelopeOf(listOf(pageOf({ id: {} }, { next_cursor: { type: "string" } }), { Link: text }));
    expect(both.envelope).toEqual({ items: "data", nextCursor: "next_cursor" });
  });
});
