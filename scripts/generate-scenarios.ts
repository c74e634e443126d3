import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import * as z from "zod";
import { durationPattern } from "../src/base/text/duration.js";
import { errorCodes, errorFacts } from "../src/sandbox/errors.js";
import { needNames, needs } from "../src/sandbox/scenarios/expectation.js";
import { type Fault, type Moment, writtenAs } from "../src/sandbox/scenarios/fault.js";
import { faults as knownFaults } from "../src/sandbox/scenarios/faults.js";
import { readScenarioFolder, readScenarioText, scenarioNameOf } from "../src/sandbox/scenarios/folder.js";
import { parseScenario } from "../src/sandbox/scenarios/parse.js";
import type { Scenario } from "../src/sandbox/scenarios/scenario.js";
import { firstSentence } from "../src/sandbox/scenarios/scenario.js";
import { scenarioSchema } from "../src/sandbox/scenarios/schema.js";

/** The part of JSON Schema that the scenario schema needs. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
  pattern?: string;
  enumDescriptions?: string[];
  definitions?: unknown;
  $defs?: Record<string, JsonSchema>;
  $id?: string;
}

/** Every generated file: its path in the repository, and its text. */
export async function generated(root: string): Promise<Map<string, string>> {
  const page = await readFile(join(root, "docs/scenarios.md"), "utf8");
  return new Map([
    ["scenarios/scenario.schema.json", `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`],
    ["docs/scenarios.md", fillPage(page, await regions(root))],
  ]);
}

/** The schema of a scenario file in the dialect that most editors support. */
export function scenarioJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(scenarioSchema, { io: "input", target: "draft-7" }) as JsonSchema;
  // "Any JSON" is a recursive definition. A schema without a type means the same.
  delete schema.definitions;
  return withoutReferences(schema) as JsonSchema;
}

function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !(key === "allOf" && JSON.stringify(member).includes('"$ref"')))
      .map(([key, member]) => [key, withoutReferences(member)]),
  );
}

/** The generated regions of the page, by name. */
async function regions(root: string): Promise<Map<string, string>> {
  const schema = scenarioJsonSchema();
  const rule = schema.properties?.["rules"]?.items ?? {};
  const when = rule.properties?.["when"] ?? {};
  const faults = rule.properties?.["then"] ?? {};
  const { rules: _rules, $schema: _schema, description: _description, ...ofFile } = schema.properties ?? {};
  const { when: _when, then: _then, ...ofRule } = rule.properties ?? {};
  return new Map([
    ["file", `${keyTable(schema)}\n\n${exampleBlock(ofFile)}`],
    ["rule", `${keyTable(rule)}\n\n${exampleBlock(ofRule)}`],
    ["when", `${keyTable(when)}\n\n${exampleBlock(when.properties ?? {}, "when")}`],
    [
      "faults",
      Object.entries(faults.properties ?? {})
        .map(faultSection)
        .join("\n\n"),
    ],
    ["needs", needTable()],
    ["moments", momentTable()],
    ["versions", versionTable()],
    ["codes", codeTable()],
    ["scenarios", scenarioTable(await builtIn(root))],
  ]);
}

/** Puts the regions between their marks: `<!-- generated: NAME -->` and `<!-- end -->`. */
function fillPage(page: string, texts: ReadonlyMap<string, string>): string {
  const unused = new Set(texts.keys());
  const filled = page.replaceAll(/(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (_all, begin, name, end) => {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`docs/scenarios.md: nothing is generated for "${name}".`);
    unused.delete(name);
    return `${begin}\n${text}\n\n${end}`;
  });
  if (unused.size > 0) throw new Error(`docs/scenarios.md has no place for ${[...unused].join(", ")}.`);
  return filled;
}

/**
 * The examples of some keys, one per line.
 * @param parent the key that contains them
 */
function exampleBlock(members: Readonly<Record<string, JsonSchema>>, parent?: string): string {
  const lines = Object.entries(members).flatMap(([key, { examples = [] }]) =>
    examples.map((value) => exampleLine(parent === undefined ? { [key]: value } : { [parent]: { [key]: value } })),
  );
  return `\`\`\`yaml\n${lines.join("\n")}\n\`\`\``;
}

/** One key on a line, its value in braces. */
function exampleLine(example: Readonly<Record<string, unknown>>): string {
  const [[key, value] = ["", undefined]] = Object.entries(example);
  return `${key}: ${stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true }).trimEnd()}`;
}

function needTable(): string {
  return ["| need | the program sends |", "|-|-|", ...needNames.map((name) => `| \`${name}\` | ${needs[name]} |`)].join(
    "\n",
  );
}

function faultSection([name, schema]: [string, JsonSchema]): string {
  const alternatives = schema.anyOf ?? [schema];
  const choices = alternatives.flatMap(({ enum: values = [], enumDescriptions = [] }) =>
    enumDescriptions.map((meaning, index) => `| \`${values[index]}\` | ${cell(meaning)} |`),
  );
  const tables = alternatives
    .filter(({ properties }) => properties)
    .map((shape) => {
      const title = shape.description && shape !== schema ? `${shape.description}\n\n` : "";
      return `${title}${keyTable(shape)}`;
    });
  return [
    `### \`${name}\``,
    schema.description ?? "",
    exampleBlock({ [name]: schema }, "then"),
    ...(choices.length > 0 ? [["| value | meaning |", "|-|-|", ...choices].join("\n")] : []),
    ...tables,
  ].join("\n\n");
}

/** One row for each key. Nested keys follow it, unless it has its own section. */
export function keyTable(schema: JsonSchema): string {
  const rows = keyRows(schema, "").map((row) => `| ${row.join(" | ")} |`);
  return ["| key | value | default | meaning |", "|-|-|-|-|", ...rows].join("\n");
}

/** Keys with their own section, and their type. */
const ownSections = new Map([
  ["rules", "a list of rules"],
  ["when", "conditions"],
  ["then", "faults"],
]);

function keyRows(schema: JsonSchema, prefix: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const preset =
      member.default === undefined
        ? schema.required?.includes(key)
          ? "*required*"
          : ""
        : `\`${shown(member.default)}\``;
    const row = [`\`${prefix}${key}\``, formOf(key, member), preset, cell(member.description ?? "")];
    return prefix === "" && ownSections.has(key) && !member.const
      ? [row]
      : [row, ...[member, ...(member.anyOf ?? [])].flatMap((shape) => keyRows(shape, `${prefix}${key}.`))];
  });
}

function shown(preset: unknown): string {
  return Array.isArray(preset) ? JSON.stringify(preset) : String(preset);
}

/** A description of a value's type. */
function formOf(key: string, schema: JsonSchema): string {
  const section = schema.const === undefined ? ownSections.get(key) : undefined;
  if (section !== undefined) return section;
  if (schema.anyOf) return alternatives(key, schema.anyOf);
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices)
    return choices.length > 10 ? manyChoices(key, choices) : choices.map((choice) => `\`${choice}\``).join(", ");
  if (schema.pattern === durationPattern.source) return "a duration";
  const { additionalProperties: values } = schema;
  if (typeof values === "object") return values.type === "string" ? "texts by name" : "values by name";
  if (schema.properties) return "keys";
  if (schema.type === "array")
    return schema.items?.anyOf ? "several of them" : `a list of ${plural(formOf(key, schema.items ?? {}))}`;
  if (schema.type === "integer") return numbers("whole number", schema);
  if (schema.type === "number") return numbers("number", schema);
  if (schema.type === "boolean") return "`true`, `false`";
  if (schema.type === "null") return "`null`";
  return schema.type === "string" ? "a text" : "anything";
}

function plural(form: string): string {
  return form.includes("`") ? "these" : `${form.replace(/^an? /, "")}s`;
}

/** The name for a value out of many. */
function manyChoices(key: string, choices: readonly unknown[]): string {
  if (choices.includes("NO_ERROR")) return "an error code of HTTP/2 (RFC 9113 §7)";
  return key === "checks" || key === "exercises" ? "check" : "a code or an id";
}

function alternatives(key: string, schemas: readonly JsonSchema[]): string {
  return [...new Set(schemas.map((schema) => (schema.properties ? membersOf(schema) : formOf(key, schema))))].join(
    ", or ",
  );
}

/** The members of an object, in braces. */
function membersOf({ properties = {} }: JsonSchema): string {
  return `\`{ ${Object.keys(properties).join(", ")} }\``;
}

function numbers(what: string, { minimum, maximum }: JsonSchema): string {
  if (minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER) return what;
  const open = maximum === 1_000_000 || maximum === Number.MAX_SAFE_INTEGER;
  return open ? `${what} from ${minimum}` : `${what}, ${minimum} to ${maximum}`;
}

const allFaults: readonly Fault[] = knownFaults;

/** When faults act. Those that act at the same time share a row. */
function momentTable(): string {
  const rows = new Map<string, string[]>();
  for (const fault of allFaults)
    for (const { written = writtenAs(fault), onToken = "–", elsewhere = "–" } of momentsOf(fault)) {
      const cells = `${onToken} | ${elsewhere}`;
      rows.set(cells, [...(rows.get(cells) ?? []), `\`${written}\``]);
    }
  const lines = [...rows].map(([cells, names]) => `| ${names.join(", ")} | ${cells} |`);
  return ["| fault | token endpoint | every other operation |", "|-|-|-|", ...lines].join("\n");
}

function momentsOf(fault: Fault): readonly Moment[] {
  const connecting = "on every new connection";
  const written = `${fault.under}: { kind: ${fault.name}, when: handshake }`;
  const inHandshake = fault.onHandshake ? [{ written, onToken: connecting, elsewhere: connecting }] : [];
  return [...usualMomentsOf(fault), ...inHandshake];
}

function usualMomentsOf({ acts, moments, onSend }: Fault): readonly Moment[] {
  if (moments) return moments;
  const before = "before anything is checked";
  if (acts === "among-checks")
    return [{ onToken: before, elsewhere: "after certificate, token and scope were accepted" }];
  const when = onSend ? "on the answer, whatever it is" : before;
  return [{ onToken: when, elsewhere: when }];
}

/** What faults do over each version of HTTP, where that differs. */
function versionTable(): string {
  const rows = allFaults.flatMap((fault) => {
    const { http, versions = [] } = fault;
    const absent = "its rule does not match: it does not act, and does not count";
    const only =
      http === undefined ? [] : [{ http2: http === 2 ? "acts" : absent, http1: http === 1 ? "acts" : absent }];
    return [...versions, ...only].map(
      ({ http2, http1, ...row }) =>
        `| \`${("written" in row && row.written) || writtenAs(fault)}\` | ${http2} | ${http1} |`,
    );
  });
  return ["| fault | over HTTP/2 | over HTTP/1.1 |", "|-|-|-|", ...rows].join("\n");
}

function codeTable(): string {
  const rows = errorCodes.map((code) => {
    const { status, message, basis } = errorFacts(code);
    const origin = basis === "§7" || basis === "sandbox" ? basis : `\`${basis}\``;
    return `| \`${code}\` | ${status} | ${cell(message)} | ${origin} |`;
  });
  return ["| code | status | message | basis |", "|-|-|-|-|", ...rows].join("\n");
}

async function builtIn(root: string): Promise<Scenario[]> {
  const { files } = await readScenarioFolder(join(root, "scenarios"));
  return Promise.all(
    files.map(async (file) => parseScenario((await readScenarioText(file)) ?? "", scenarioNameOf(file), file)),
  );
}

function scenarioTable(scenarios: readonly Scenario[]): string {
  const sorted = scenarios.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const rows = sorted.map(
    ({ name, description }) => `| [\`${name}\`](../scenarios/${name}.yaml) | ${cell(firstSentence(description))} |`,
  );
  return ["| scenario | what it does |", "|-|-|", ...rows].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
