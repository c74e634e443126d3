import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonSchema, schemaChoices, yamlPlace } from "../../../src/admin/dashboard/client/editor/completion.js";

const place = (text: string) => {
  const found = yamlPlace(text);
  return found && `${found.path.join(".")} ${found.kind} ${found.typed}`.trim();
};

describe("the place in a YAML text", () => {
  it.each([
    ["", "key"],
    ["desc", "key desc"],
    ["description: ", "description value"],
    ["rules:\n  - na", "rules.[] key na"],
    ["rules:\n- na", "rules.[] key na"],
    ["rules:\n  - name: a\n    ", "rules.[] key"],
    ["rules:\n  - name: a\n    when:\n      op", "rules.[].when key op"],
    ["rules:\n  - name: a\n    when:\n      operation: li", "rules.[].when.operation value li"],
    ["rules:\n  - name: a\n    when: { operation: li", "rules.[].when.operation value li"],
    ["rules:\n  - when: { operation: list, pa", "rules.[].when key pa"],
    ["rules:\n  - when: { operation: [ping, li", "rules.[].when.operation.[] value li"],
    ["rules:\n  - when: { query: { a: b }, cu", "rules.[].when key cu"],
    ["rules:\n  - name: a\n  - th", "rules.[] key th"],
    ["rules:\n- name: a\nexp", "key exp"],
    ["expect: { checks: [] }\nrules:\n  - then:\n      error:\n        co", "rules.[].then.error key co"],
    ["description: >-\n  a: b\nru", "key ru"],
  ])("%j is %j", (text, expected) => {
    expect(place(text)).toBe(expected);
  });

  it("does not exist in a text block and in a comment", () => {
    expect(place("description: >-\n  ru")).toBeUndefined();
    expect(place("rules: # ru")).toBeUndefined();
  });

  it("is determined in any text, without an error", () => {
    const letters = fc.constantFrom(..."ab:-{}[],\"'#|> \n");
    fc.assert(fc.property(fc.string({ unit: letters, maxLength: 60 }), (text) => void yamlPlace(text)));
  });
});

describe("what the schema of scenarios allows there", () => {
  const file = new URL("../../../scenarios/scenario.schema.json", import.meta.url);
  const schema = JSON.parse(readFileSync(file, "utf8")) as JsonSchema;
  const labels = (text: string) => {
    const found = yamlPlace(text);
    return found ? schemaChoices(schema, found).map(({ label }) => label) : [];
  };

  it("are keys with their meaning, and values", () => {
    expect(labels("")).toEqual(expect.arrayContaining(["description", "rules", "expect", "server"]));
    expect(labels("rules:\n  - ")).toEqual(expect.arrayContaining(["name", "when", "then", "limit"]));
    expect(labels("rules:\n  - when:\n      operation: ")).toEqual(expect.arrayContaining(["token", "ping", "list"]));
    expect(labels("rules:\n  - when: { operation: [")).toEqual(expect.arrayContaining(["ping"]));
    expect(labels("rules:\n  - then: { error: ")).toEqual(expect.arrayContaining(["SERVICE_UNAVAILABLE"]));
    expect(labels("rules:\n  - then:\n      connection: ")).toEqual(expect.arrayContaining(["reset", "hang"]));
    expect(labels("rules:\n  - then:\n      delay: ")).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\d+m?s$/)]),
    );
    expect(labels("nothing:\n  like: ")).toEqual([]);
    const found = schemaChoices(schema, { path: ["rules", "[]"], kind: "key", typed: "" });
    expect(found.every(({ detail }) => detail !== undefined)).toBe(true);
  });
});
