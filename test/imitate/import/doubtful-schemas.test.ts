import { describe, expect, it } from "vitest";
import { answers, documentOf, imported, pageOf, proof } from "./importing.js";

const parameters = [
  { name: "limit", in: "query", schema: { type: "integer" } },
  { name: "cursor", in: "query", schema: { type: "string" } },
];
const id = { type: "string", format: "uuid" };
const listOf = (row: object, rest: object = {}, more: object = {}) =>
  documentOf(
    { "/rows": { get: { parameters, ...answers(pageOf(row, { next_cursor: { type: "string" }, ...more })) } } },
    rest,
  );

const read = async (api: object) => {
  const { lists, notes } = await imported(api);
  return { fields: lists["rows"]?.fields, notes: notes.join("\n") };
};

describe("the example of a map", () => {
  const map = (example: object, additionalProperties: unknown = { type: "string" }) => ({
    id,
    labels: { type: "object", additionalProperties, example },
  });

  it.each([
    ["a value of another type", map({ paid: true }), '"paid" is not of the type string'],
    [
      "a value deep inside",
      map({ one: { two: 3 } }, { type: "object", additionalProperties: { type: "string" } }),
      '"two" is not of the type string',
    ],
  ])("is not used if it contradicts its schema: %s", async (_what, row, reason) => {
    const { fields, notes } = await read(listOf(row));
    expect(fields?.["labels"]).toEqual({ type: "constant", value: {} });
    expect(notes).toContain(`The example contradicts its own schema, and is not used: ${reason}.`);
    expect(await proof(listOf(row))).toEqual([{ name: "rows", faults: [] }]);
  });

  it.each([
    ["with such values", map({ paid: "yes" }), { paid: "yes" }],
    ["of anything", map({ paid: true }, true), { paid: true }],
  ])("is used %s", async (_what, row, value) => {
    expect((await read(listOf(row))).fields?.["labels"]).toEqual({ type: "constant", value });
  });
});

describe("nullable of 3.0", () => {
  const node = (parent: object) => ({
    components: { schemas: { Node: { type: "object", required: ["id", "parent"], properties: { id, parent } } } },
  });
  const tree = (parent: object) =>
    documentOf(
      {
        "/rows": {
          get: {
            parameters,
            ...answers({
              type: "object",
              properties: {
                data: { type: "array", items: { $ref: "#/components/schemas/Node" } },
                next_cursor: { type: "string" },
              },
            }),
          },
        },
      },
      node(parent),
    );

  it("beside oneOf without a type allows no null, and the list is named", async () => {
    const api = tree({ nullable: true, oneOf: [{ $ref: "#/components/schemas/Node" }] });
    const { fields, notes } = await read(api);
    expect(fields).not.toHaveProperty("parent");
    expect(notes).toContain('"parent" is left out: it contains itself, although it is required in rows of rows.');
    const [only] = await proof(api);
    expect(only?.faults[0]?.reason).toMatch(/required property 'parent'/);
  });

  it("with a type, or without alternatives, allows it", async () => {
    const alone = tree({ type: "object", nullable: true, oneOf: [{ $ref: "#/components/schemas/Node" }] });
    const all = tree({ nullable: true, allOf: [{ $ref: "#/components/schemas/Node" }] });
    for (const api of [alone, all]) {
      expect((await read(api)).fields?.["parent"]).toEqual({ type: "constant", value: null });
      expect(await proof(api)).toEqual([{ name: "rows", faults: [] }]);
    }
  });
});

it.each([
  ["/^[a-z]{3}$/i", "^[a-z]{3}$"],
  ["/^a/", "^a"],
])("a pattern written as %s gets a hint", async (pattern, meant) => {
  const { notes } = await read(listOf({ id, code: { type: "string", pattern } }));
  expect(notes).toContain(`instead of ${JSON.stringify(pattern)}, ${JSON.stringify(meant)} may be meant.`);
  expect((await read(listOf({ id, code: { type: "string", pattern: meant } }))).notes).not.toContain("may be meant");
});

it("operations without a schema are named, all in one note", async () => {
  const plain = { get: { responses: { 200: { description: "" } } } };
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`/p${index}`, plain]));
  const { notes } = await read(documentOf({ "/a": plain, "/b": plain, ...many }));
  expect(notes.match(/has no JSON schema/g)).toHaveLength(1);
  expect(notes).toContain("has no JSON schema: GET /a, GET /b, GET /p0");
  expect(notes).toContain("GET /p17 and 7 more.");
});

it("rows of which no member is described are named as empty, and do not count as valid", async () => {
  const api = listOf({});
  expect((await read(api)).notes).toContain(
    "The rows of GET /rows are empty: the document describes no member of them.",
  );
  expect(await proof(api)).toEqual([
    { name: "rows", faults: [{ page: 1, pointer: "", reason: expect.stringContaining("rows are empty") }] },
  ]);
});
