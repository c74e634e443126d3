import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { configurationJsonSchema } from "../../../scripts/generate-configuration.js";
import { parseYaml } from "../../../src/base/yaml/document.js";
import { assumptionIds } from "../../../src/sandbox/assumptions.js";
import { fileSchema } from "../../../src/sandbox/config/schema.js";

const root = process.cwd();
const read = (path: string) => readFileSync(join(root, path), "utf8");
const published = z.fromJSONSchema(configurationJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);

describe("sandbox.schema.json", () => {
  it.each([
    "{}",
    "{ port: 0, lists: { a: { items: rows.yaml, dateField: null }, b: { spacing: 1.5h } } }",
    "{ lists: { a: { fields: { o: { type: object, fields: { n: { type: integer, min: 1, max: 2 } } } } } } }",
    "{ assumptions: { ping.response: { body: [1, null] }, http.not-found: { wwwAuthenticate: none }, list.dates: { format: both } } }",
    "{ clients: [{ clientId: a, validFor: 90d, issuer: intermediate, keyType: rsa }] }",
    "{ clients: [{ clientId: a, certificates: [a.pem] }], tls: { clientCertificate: require } }",
  ])("accepts %s, as the sandbox does", async (text) => {
    const { value } = await parseYaml(text, "test");
    expect([published.safeParse(value).success, fileSchema.safeParse(value).success]).toEqual([true, true]);
  });

  it.each([
    "{ prot: 1 }",
    "{ port: 70000 }",
    "{ lists: { a: { spacing: 5 } } }",
    "{ lists: { a: { spacing: 5sec } } }",
    "{ lists: { a: { fields: { x: { type: nope } } } } }",
    "{ lists: { a: { fields: { x: { type: decimal, min: 0, max: 1, decimals: 10 } } } } }",
    "{ assumptions: { token.lifetim: 5 } }",
    "{ assumptions: { http.not-found: { status: 200 } } }",
    "{ clients: [{ clientId: a, certificates: [] }] }",
    "{ clients: [{ clientId: a, issuer: other }] }",
    `{ clients: [{ clientId: a, certificates: [a.pem], scopes: [${"a".repeat(257)}] }] }`,
  ])("refuses %s, as the sandbox does", async (text) => {
    const { value } = await parseYaml(text, "test");
    expect([published.safeParse(value).success, fileSchema.safeParse(value).success]).toEqual([false, false]);
  });

  it("describes every key", () => {
    const without: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      if ("properties" in node) {
        for (const [key, member] of Object.entries(node.properties as Record<string, { description?: string }>))
          if (!member.description && key !== "type" && !/response|dates|format/.test(path))
            without.push(`${path}.${key}`);
      }
      for (const [key, member] of Object.entries(node)) visit(member, `${path}.${key}`);
    };
    visit(configurationJsonSchema(), "");
    expect(without).toEqual([]);
  });
});

it("sandbox.yaml begins with the line for editors", () => {
  expect(read("sandbox.yaml").split("\n")[0]).toBe("# yaml-language-server: $schema=./sandbox.schema.json");
});

it("the reference has every key, and every assumption that can be set", () => {
  const page = ["configuration", "settings", "assumptions"].map((name) => read(`docs/reference/${name}.md`)).join("\n");
  const schema = configurationJsonSchema();
  for (const key of Object.keys(schema.properties ?? {})) expect(page).toContain(`\`${key}\``);
  const settable = Object.keys(schema.properties?.["assumptions"]?.properties ?? {});
  for (const id of assumptionIds.filter((each) => settable.includes(each))) expect(page).toContain(`\`${id}\``);
});
