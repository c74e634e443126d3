import { symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importDocument } from "../../../src/imitate/import/import-document.js";
import { answers, documentOf, folderWith, imported, pageOf } from "./importing.js";

const listing = (reference: string) => documentOf({ "/a": { get: answers({ $ref: reference }) } });
const row = { id: { type: "string" }, more: { $ref: "../shared.json#/Money" } };

describe("references", () => {
  it("into other files of the folder, and from those to others, are followed", async () => {
    const files = {
      "parts/page.yaml": { Page: pageOf({ own: { $ref: "rows%20of.json#/Row/properties/id" }, ...row }) },
      "parts/rows of.json": { Row: { properties: row } },
      "shared.json": {
        Money: { type: "object", properties: { value: { $ref: "#/Value" } } },
        Value: { type: "boolean" },
      },
    };
    const { lists, notes } = await imported(listing("./parts/page.yaml#/Page"), {}, files);
    expect(lists["a"]?.fields).toEqual({
      own: { type: "text", template: "Own {number}" },
      id: { type: "id" },
      more: { type: "object", fields: { value: { type: "boolean" } } },
    });
    expect(notes.filter((note) => note.includes("reference"))).toEqual([]);
  });

  it("to the network are refused, and no request is sent", async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const fields = {
      a: { $ref: `http://127.0.0.1:${port}/a.json` },
      b: { $ref: `//127.0.0.1:${port}/b.json` },
      c: { type: "boolean" },
    };
    const { lists, notes } = await imported(documentOf({ "/a": { get: answers(pageOf(fields)) } }));
    server.close();
    expect(requests).toBe(0);
    expect(lists["a"]?.fields).toEqual({ c: { type: "boolean" } });
    expect(notes.join("\n")).toMatch(
      /a\/\$ref The reference "http:\/\/127[^"]*" is refused: nothing is fetched from a network/,
    );
    expect(notes.join("\n")).toMatch(/b\/\$ref The reference "\/\/127[^"]*" is refused/);
  });

  it("in examples, defaults and values are data", async () => {
    const data = { $ref: "https://schemas.example/x.json" };
    const fields = {
      a: { type: "object", example: { schema: data } },
      b: { type: "object", default: [data], examples: [data] },
      c: { enum: [data] },
      example: { $ref: "#/components/schemas/Flag" },
      default: { $ref: "#/components/schemas/Flag" },
    };
    const components = { schemas: { Flag: { type: "boolean" } } };
    const { lists, notes } = await imported(documentOf({ "/a": { get: answers(pageOf(fields)) } }, { components }));
    expect(lists["a"]?.fields).toMatchObject({ example: { type: "boolean" }, default: { type: "boolean" } });
    expect(notes.filter((note) => note.includes("reference"))).toEqual([]);
  });

  it("are limited in number, because each takes time", { tags: "slow" }, async () => {
    const x = Array.from({ length: 100_001 }, () => ({ $ref: "#/a" }));
    // A document of this size is read without the line numbers of its values, which take seconds.
    const large = "x".repeat(3_000_000);
    await expect(imported(documentOf({}, { x, large }))).rejects.toThrow(
      "It has more than 100,000 references. Bundle it to one file",
    );
  });

  it.each([
    ["../outside.json", /leads out of the folder of the document; bundle it/],
    ["file:///etc/hostname", /leads out of the folder/],
    ["link.json", /leads out of the folder/],
    ["linked/outside.json", /leads out of the folder/],
    ["nothing.json", /there is no such file/],
    ["http://[", /it is not a URL/],
    ["data:application/json,{}", /nothing is fetched/],
    ["#/components/nothing", /leads nowhere/],
    ["api.json?x", /a file has no query/],
  ])("%s is refused", async (reference, message) => {
    const folder = folderWith({ "outside.json": pageOf({}), "inside/api.json": listing(reference) });
    symlinkSync(join(folder, "outside.json"), join(folder, "inside/link.json"));
    symlinkSync(folder, join(folder, "inside/linked"));
    const { lists, notes } = await importDocument(join(folder, "inside/api.json"));
    expect(lists).toEqual([]);
    expect(notes.map((note) => note.message).join("\n")).toMatch(message);
  });

  it("into an unusable file are noted, and the rest is imported", async () => {
    const document = documentOf(
      { "/a": { get: answers({ $ref: "b.yaml#/A" }) }, "/b": { get: answers(pageOf({})) } },
      { info: { title: "T", version: "1", description: { $ref: "intro.md" } } },
    );
    const { lists, notes, places } = await imported(document, {}, { "b.yaml": "a: [", "intro.md": "# Hello: *you*" });
    expect(Object.keys(lists)).toEqual(["b"]);
    expect(places.join("\n")).toMatch(/b\.yaml:1:\d+\n/);
    expect(notes.join("\n")).toMatch(/The file is not used: /);
    expect(notes.join("\n")).toMatch(/The reference "#\/A" leads nowhere/);
  });

  it.each(["", "{}", "[]", "null", "text", "12"])("into a file with nothing but %j lead nowhere", async (text) => {
    const { lists, notes } = await imported(listing("b.yaml#/A"), {}, { "b.yaml": text });
    expect(lists).toEqual({});
    expect(notes.join("\n")).toMatch(/leads nowhere/);
  });

  it("that are circular end", async () => {
    const schemas = {
      A: { $ref: "#/components/schemas/B" },
      B: { $ref: "#/components/schemas/A" },
      Tree: {
        type: "object",
        properties: {
          leaf: { type: "boolean" },
          children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
          parent: { $ref: "#/components/schemas/Tree" },
        },
      },
    };
    const fields = { a: { $ref: "#/components/schemas/A" }, tree: { $ref: "#/components/schemas/Tree" } };
    const { lists, notes } = await imported(
      documentOf({ "/a": { get: answers(pageOf(fields)) } }, { components: { schemas } }),
    );
    expect(lists["a"]?.fields).toEqual({
      tree: { type: "object", fields: { leaf: { type: "boolean" }, children: { type: "constant", value: [] } } },
    });
    expect(notes.join("\n")).toMatch(/"parent" is left out: it contains itself/);
    expect(notes.join("\n")).toMatch(/leads nowhere/);
  });

  it("that double at each step end quickly", async () => {
    const schemas: Record<string, object> = { D60: { type: "string" } };
    for (let step = 0; step < 60; step += 1) {
      const next = { $ref: `#/components/schemas/D${step + 1}` };
      schemas[`D${step}`] = { type: "object", properties: { a: next, b: next }, allOf: [next, next] };
    }
    const fields = { a: { $ref: "#/components/schemas/D0" } };
    const { lists, notes } = await imported(
      documentOf({ "/a": { get: answers(pageOf(fields)) } }, { components: { schemas } }),
    );
    expect(lists["a"]?.fields).toBeDefined();
    expect(notes.length).toBeLessThan(1000);
  });
});

describe("an invalid document is refused with the position", () => {
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  const bomb = `a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(10)}]`).join("\n")}\n`;
  it.each([
    ["a text", "hello", /This is not an OpenAPI document/],
    ["broken YAML", "openapi: [", /api\.yaml:1:\d+: /],
    ["broken JSON", "{ ]", /api\.yaml:1:\d+: /],
    ["a version without quotes", "openapi: 3.1", /The version 3\.1 is a number here\. Write it as text/],
    ["another key", "a: 1", /the key "openapi" with its version is missing/],
    ["Swagger 2", 'swagger: "2.0"', /This is Swagger 2\.0\. Convert it to OpenAPI 3/],
    ["a later version", 'openapi: "4.0.0"', /This is OpenAPI 4\.0\.0; 3\.0 and 3\.1 can be imported/],
    ["a YAML bomb", bomb, /cannot be expanded/],
    ["deep YAML", `a: ${deep}`, /nested too deeply/],
    ["deep JSON", `{"a":${deep}}`, /nested too deeply/],
    ["a key twice", "openapi: 3.0.0\nopenapi: 3.0.0", /:2:1: This key is given twice/],
  ])("%s", async (_what, text, message) => {
    await expect(imported(text)).rejects.toThrow(message);
  });

  it("a folder, and a missing file", async () => {
    const folder = folderWith({});
    await expect(importDocument(folder)).rejects.toThrow(/is a folder/);
    await expect(importDocument(join(folder, "nothing"))).rejects.toThrow(/There is no such file/);
  });
});

it("hostile names are left out or harmless", async () => {
  const text = JSON.stringify(
    documentOf({
      "/a/{__proto__}/b": {
        get: answers(
          pageOf({
            PROTO: { type: "string" },
            "a\u001b[31m": { type: "string" },
            "a.b": { type: "string" },
            constructor: { type: "string" },
          }),
        ),
      },
      "/../etc": { get: answers(pageOf({})) },
      "/a b": { get: answers(pageOf({})) },
      "no-slash": { get: answers(pageOf({})) },
      "/x{y}z": { get: answers(pageOf({})) },
      "/twice/{a}/{a}": { get: answers(pageOf({})) },
      "/end//": { get: answers(pageOf({})) },
    }),
  ).replaceAll("PROTO", "__proto__");
  const { lists, notes } = await imported(text);
  expect(Object.keys(lists)).toEqual([]);
  expect(notes.filter((note) => note.includes("is not imported"))).toHaveLength(7);
  expect(notes.join("")).not.toContain("\u001b");
  expect(({} as Record<string, unknown>)["type"]).toBeUndefined();
});

it("a field is not mistaken for a member that every object has", async () => {
  const properties = {
    id: { type: "string" },
    constructor: { type: "string" },
    own_constructor: { type: "string", pattern: "^[a-z]$" },
    other: { type: "string", format: "constructor" },
  };
  const { lists } = await imported(JSON.stringify(documentOf({ "/rows": { get: answers(pageOf(properties)) } })));
  expect(lists["rows"]?.fields).toMatchObject({
    constructor: { type: "text", template: "Constructor {number}" },
    other: { type: "text", template: "Other {number}" },
  });
});
