import fc from "fast-check";
import { expect, it } from "vitest";
import { parseYaml } from "../../../src/base/yaml/document.js";
import { JsonPlaces } from "../../../src/imitate/import/json-places.js";
import { answers, documentOf, imported, pageOf } from "./importing.js";

it("finds values, also behind texts with brackets and quotes", () => {
  const text = '{\n  "a\\"}": [1, "]\\\\", {"b": null}],\n\t"c": {}, "d": [ ]\r\n}\n';
  const places = new JsonPlaces(text);
  const at = (...path: PropertyKey[]) => Object.values(places.place(path)).join(":");
  expect([at(), at('a"}'), at('a"}', 1), at('a"}', 2, "b"), at("c"), at("d")]).toEqual([
    "1:1",
    "2:11",
    "2:15",
    "2:28",
    "3:7",
    "3:16",
  ]);
  expect([at("none"), at("c", "none"), at('a"}', 9), at('a"}', 0, "x")]).toEqual(["1:1", "3:7", "2:11", "2:12"]);
});

it("finds every value where the reader of YAML finds it", async () => {
  const paths = (value: unknown, path: PropertyKey[] = []): PropertyKey[][] => [
    path,
    ...(Array.isArray(value)
      ? value.flatMap((each, index) => paths(each, [...path, index]))
      : typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([key, each]) => paths(each, [...path, key]))
        : []),
  ];
  const name = fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom(..."ab{}[]:, \\") });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.integer(),
      fc.boolean(),
      name,
      fc.array(tie("value"), { maxLength: 4 }),
      tie("object"),
    ),
    object: fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  }));
  await fc.assert(
    fc.asyncProperty(fc.record({ a: value, b: value }), fc.constantFrom(0, 2), async (tree, indent) => {
      const text = JSON.stringify(tree, null, indent);
      const [places, yaml] = [new JsonPlaces(text), await parseYaml(text, "a.json")];
      for (const path of paths(tree)) expect(places.place(path)).toEqual(yaml.place(path));
    }),
    { numRuns: 60 },
  );
});

it("notes about a document of any size have line and column", async () => {
  const get = { ...answers(pageOf({ id: { type: "string" } })), description: "x".repeat(4_000_000) };
  const { places } = await imported({
    ...documentOf({ "/rows": { get }, "/a": { get: answers({ type: "array", items: { type: "object" } }) } }),
  });
  expect(places).toEqual([expect.stringMatching(/api\.yaml:\d+:\d+ #\/paths\/~1a\/get$/)]);
});
