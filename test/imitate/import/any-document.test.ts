import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { importDocument } from "../../../src/imitate/import/import-document.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { answers, documentOf, folderWith } from "./importing.js";

const names = [
  "data",
  "next",
  "has_more",
  "id",
  "a.b",
  "",
  "__proto__",
  "status",
  "created",
  "amount",
  "\u0000",
  "links",
  "constructor",
];
const types = ["string", "integer", "number", "boolean", "object", "array", "null", ["string", "null"], "x", 3];
const bound = fc.oneof(fc.double(), fc.integer(), fc.boolean(), fc.string());
const anything = fc.jsonValue({ maxDepth: 2 });

/** Schemas of a mostly correct shape, with anything in some places. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small", withCrossShrink: true },
    anything,
    fc.record(
      {
        type: fc.constantFrom<unknown>(...types),
        properties: fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 5 }),
        items: tie("schema"),
        allOf: fc.array(tie("schema"), { maxLength: 2 }),
        anyOf: fc.array(tie("schema"), { maxLength: 2 }),
        required: fc.oneof(anything, fc.subarray(names)),
        enum: fc.oneof(anything, fc.array(anything, { maxLength: 3 })),
        const: anything,
        format: fc.oneof(anything, fc.constantFrom("date", "date-time", "uuid", "email")),
        pattern: fc.oneof(fc.string(), fc.constantFrom("^[A-Z]{3}$", "^x_[0-9A-Z]{16}$", "\\d+")),
        minimum: bound,
        maximum: bound,
        exclusiveMinimum: bound,
        maxLength: bound,
        minLength: bound,
        default: anything,
        example: anything,
        $ref: fc.constantFrom<unknown>("#/components/schemas/S", "#/paths", "#", "%", 4, "#/components/schemas/0"),
      },
      { requiredKeys: [] },
    ),
  ),
}));

const parameter = fc.record(
  {
    name: fc.oneof(anything, fc.constantFrom("limit", "cursor", "from", "created[gte]", "status", "sort")),
    in: fc.constantFrom("query", "header", "path"),
    schema,
    style: fc.constantFrom("form", "deepObject"),
    required: fc.boolean(),
  },
  { requiredKeys: [] },
);

it("any document is imported, and the sandbox accepts each list", async () => {
  const file = join(folderWith({}), "api.json");
  const all = fc.tuple(schema, schema, fc.oneof(anything, fc.array(parameter, { maxLength: 4 })), anything);
  let lists = 0;
  await fc.assert(
    fc.asyncProperty(all, async ([page, item, parameters, servers]) => {
      const wrapped = { type: "object", properties: { data: { type: "array", items: { properties: { own: item } } } } };
      const paths = {
        "/a": { get: { parameters, ...answers(page as object) } },
        "/b/{id}/rows": { parameters, get: answers(wrapped) },
      };
      writeFileSync(file, JSON.stringify(documentOf(paths, { components: { schemas: { S: page } }, servers })));
      const result = await importDocument(file);
      for (const { name, settings } of result.lists) compileList(name, settings);
      lists += result.lists.length;
    }),
    { numRuns: 40 },
  );
  expect(lists).toBeGreaterThan(20);
});
