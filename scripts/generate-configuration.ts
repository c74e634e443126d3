import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { type AssumptionId, assumption } from "../src/sandbox/assumptions.js";
import { fileSchema } from "../src/sandbox/config/schema.js";
import { type JsonSchema, keyTable } from "./generate-scenarios.js";

const page = "docs/configuration.md";

/** Every generated file: its path in the repository, and its text. */
export async function generated(root: string): Promise<Map<string, string>> {
  return new Map([
    ["sandbox.schema.json", `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`],
    [page, fill(await readFile(join(root, page), "utf8"))],
  ]);
}

/** The schema of `sandbox.yaml` in the dialect that most editors support. */
export function configurationJsonSchema(): JsonSchema {
  return z.toJSONSchema(fileSchema, { io: "input", target: "draft-7", unrepresentable: "any" }) as JsonSchema;
}

/** Keys that have their own table. */
const sections = ["journal", "tls", "clients", "lists", "assumptions"] as const;

/** The tables, by name. */
function regions(): ReadonlyMap<string, string> {
  const schema = configurationJsonSchema();
  const properties = schema.properties ?? {};
  const list = (properties["lists"]?.additionalProperties ?? {}) as JsonSchema;
  return new Map([
    ["settings", keyTable({ properties: without(properties, sections) })],
    ["journal", keyTable(properties["journal"] ?? {})],
    ["tls", keyTable(properties["tls"] ?? {})],
    ["clients", keyTable(properties["clients"]?.items ?? {})],
    ["lists", keyTable(list)],
    ["fields", fieldTables(schema)],
    ["assumptions", assumptionTable(properties["assumptions"]?.properties ?? {})],
    ["override", keyTable(properties["assumptions"]?.properties?.["http.not-found"] ?? {})],
  ]);
}

function without(properties: Record<string, JsonSchema>, keys: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));
}

/** One table of all types, with their keys. */
function fieldTables({ definitions }: JsonSchema): string {
  const generator = Object.values(definitions as Record<string, JsonSchema>).find(({ oneOf }) => oneOf !== undefined);
  const rows = (generator?.oneOf ?? []).map(({ description = "", properties = {}, required = [] }) => {
    const keys = Object.entries(properties)
      .filter(([key]) => key !== "type")
      .map(([key, member]) => `\`${key}\`${required.includes(key) ? "" : " (optional)"}: ${member.description ?? ""}`);
    return `| \`${properties["type"]?.const}\` | ${cell(description)} | ${cell(keys.join(" "))} |`;
  });
  return ["| type | value | keys |", "|-|-|-|", ...rows].join("\n");
}

function assumptionTable(properties: Record<string, JsonSchema>): string {
  const rows = Object.keys(properties).map((id) => {
    const entry = assumption(id as AssumptionId);
    const preset = "value" in entry ? `\`${JSON.stringify(entry.value)}\`` : "";
    const form = "value" in entry ? "a value" : "`status`, `code`, … (below)";
    return `| \`${id}\` | ${form} | ${cell(preset)} | ${cell(entry.point)} |`;
  });
  return ["| id | takes | default | what it is about |", "|-|-|-|-|", ...rows].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Puts the tables between their marks: `<!-- generated: NAME -->` and `<!-- end -->`. */
function fill(text: string): string {
  const tables = regions();
  const unused = new Set(tables.keys());
  const filled = text.replaceAll(/(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (_all, begin, name, end) => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`${page}: nothing is generated for "${name}".`);
    unused.delete(name);
    return `${begin}\n${table}\n\n${end}`;
  });
  if (unused.size > 0) throw new Error(`${page} has no place for ${[...unused].join(", ")}.`);
  return filled;
}
