import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { adminRoutes } from "../src/admin/routes/table.js";
import { durationPattern } from "../src/base/text/duration.js";
import { assumption, assumptionIds, refusalAssumptionIds } from "../src/sandbox/assumptions.js";
import { fileSchema } from "../src/sandbox/config/schema.js";
import { connectionEnds } from "../src/sandbox/connection/connection-facts.js";
import { http2ErrorCodes } from "../src/sandbox/connection/http2-error.js";
import { serverIssuers, serverRenewals } from "../src/sandbox/connection/server-certificate.js";
import { serverDefects } from "../src/sandbox/connection/server-defect.js";
import { errorCodes } from "../src/sandbox/errors.js";
import { operationNames } from "../src/sandbox/operations.js";
import { checkIds } from "../src/sandbox/scenarios/expectation.js";
import { certificateConditions } from "../src/sandbox/scenarios/request-facts.js";
import { type JsonSchema, scenarioJsonSchema } from "./generate-scenarios.js";

// The package has no dependencies, but some types of the library are those of zod's schemas. Their declarations are
// replaced by types that are written out.

/** Choices that have a name in the source. */
const named: readonly (readonly [values: readonly unknown[], type: string])[] = [
  [[...errorCodes, ...refusalAssumptionIds], "ErrorCode | RefusalAssumptionId"],
  [http2ErrorCodes, "Http2ErrorCode"],
  [[...serverDefects, ...serverRenewals], "ServerDefect | ServerRenewal"],
  [serverDefects, "ServerDefect"],
  [serverIssuers, "ServerIssuer"],
  [connectionEnds, "ConnectionEnd"],
  [operationNames, "OperationName"],
  [certificateConditions, "CertificateCondition"],
  [checkIds, "CheckId"],
];

/** What the types refer to by name. */
const imports = `import type { Duration } from "../base/text/duration.js";
import type { RefusalAssumptionId } from "../sandbox/assumptions.js";
import type { ConnectionEnd } from "../sandbox/connection/connection-facts.js";
import type { Http2ErrorCode } from "../sandbox/connection/http2-error.js";
import type { ServerIssuer, ServerRenewal } from "../sandbox/connection/server-certificate.js";
import type { ServerDefect } from "../sandbox/connection/server-defect.js";
import type { ErrorCode } from "../sandbox/errors.js";
import type { OperationName } from "../sandbox/operations.js";
import type { CertificateCondition } from "../sandbox/scenarios/request-facts.js";
import type { CheckId } from "../sandbox/scenarios/expectation.js";
`;

/**
 * @param folder the declarations that TypeScript has made of src/
 * @param root the repository
 */
export function writePackageTypes(folder: string, root: string): void {
  const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
  const write = (name: string, text: string) => {
    const options = { cwd: root, input: text, encoding: "utf8" } as const;
    const formatted = execFileSync(process.execPath, [biome, "format", `--stdin-file-path=src/${name}`], options);
    writeFileSync(join(folder, name), formatted);
  };
  const emitted = (name: string) => readFileSync(join(folder, name), "utf8");
  write("library/answers.d.ts", answerTypes(emitted("library/answers.d.ts")));
  write("library/definition.d.ts", scenarioTypes());
  write("library/file-options.d.ts", fileTypes());
  write("sandbox/errors.d.ts", `export type ErrorCode = ${choices(errorCodes)};`);
  write("sandbox/assumptions.d.ts", assumptionTypes(emitted("sandbox/assumptions.d.ts")));
}

function fileTypes(): string {
  const schema = z.toJSONSchema(fileSchema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const { $schema: _schema, answers: _answers, assumptions: _assumptions, ...options } = schema.properties ?? {};
  const list = options["lists"]?.additionalProperties as JsonSchema;
  const client = options["clients"]?.items ?? {};
  const types = new Types([
    ["ListOptions", list],
    ["ClientOptions", client],
    ["FieldGenerator", { $ref: "#/$defs/FieldGenerator" }],
  ]);
  const generators = schema.$defs?.["FieldGenerator"]?.oneOf ?? [];
  return `import type { Duration } from "../base/text/duration.js";

export interface FileOptions ${types.members({ properties: options })}

/** A client of your own, or one that the sandbox makes. */
export interface ClientOptions ${types.members(client)}

interface ListOptions ${types.members(list)}

/** How the value of one member of a row is made. It depends only on the seed and the row's number. */
type FieldGenerator = ${generators.map((each) => `\n${comment(each)}| ${types.members(each)}`).join("")};`;
}

/** The ids of the assumptions, and the types of their values, without the table. */
function assumptionTypes(emitted: string): string {
  const [override = ""] = /export interface ErrorOverride \{.*?\n\}\n/s.exec(emitted) ?? [];
  const [settings = ""] = /export interface AssumptionSettings \{.*?\n\}\n/s.exec(emitted) ?? [];
  const { properties = {} } = z.toJSONSchema(fileSchema.shape.assumptions, { unrepresentable: "any" }) as JsonSchema;
  const types = new Types([]);
  const values = assumptionIds.flatMap((id) => {
    const { default: _usual, ...schema } = properties[id] ?? {};
    if (!("value" in assumption(id))) return [];
    const whole = { ...schema, required: Object.keys(schema.properties ?? {}) };
    return [`readonly ${JSON.stringify(id)}: ${types.of(whole)};`];
  });
  const errors = assumptionIds.filter((id) => "error" in assumption(id));
  return `
export type AssumptionId = ${choices(assumptionIds)};
export type ErrorAssumptionId = ${choices(errors)};
export type RefusalAssumptionId = ${choices(refusalAssumptionIds)};
export type ValueAssumptionId = keyof AssumptionValues;
interface AssumptionValues {
${values.join("\n")}
}
${override}
${settings.replace(/readonly values: \{.*?\n {4}\};/s, "readonly values: AssumptionValues;")}`;
}

/** Of `export type Health = Answer<"GET /health">`, the right-hand side is replaced. */
function answerTypes(emitted: string): string {
  const types = new Types([]);
  const written = emitted
    .replaceAll(/^import\b[^;]*;\n/gm, "")
    .replaceAll(/^export type (\w+) = (Answer|Item)<"(.+)">;$/gm, (_line, name: string, part: string, call: string) => {
      const answer = adminRoutes.find(({ method, path }) => `${method} ${path}` === call)?.answer.schema as z.ZodType;
      const json = z.toJSONSchema(answer, { io: "output", unrepresentable: "any" }) as JsonSchema;
      const whole = resolved(json, json.$defs ?? {});
      return `export interface ${name} ${types.members(part === "Answer" ? whole : (whole.properties?.["items"]?.items ?? {}))}`;
    });
  return `${imports}${written}`;
}

/** A schema with the definitions in the place of references to them. */
function resolved(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = /^#\/\$defs\/(.*)$/.exec(value?.$ref ?? "")?.[1];
    if (name === undefined) return value;
    const { $ref: _reference, ...said } = value;
    return { ...resolved(definitions[name] ?? {}, definitions), ...said };
  });
}

function scenarioTypes(): string {
  const schema = scenarioJsonSchema();
  const rule = schema.properties?.["rules"]?.items ?? {};
  const { when = {}, then = {}, ...ofRule } = rule.properties ?? {};
  const { $schema: _schema, rules = {}, ...ofFile } = schema.properties ?? {};
  const value = when.properties?.["query"]?.additionalProperties as JsonSchema;
  const retryAfter = then.properties?.["respond"]?.properties?.["retryAfter"] ?? {};
  const types = new Types([
    ["ScenarioRule", rule],
    ["ScenarioCondition", when],
    ["ScenarioFault", then],
    ["ScenarioValue", value],
    ["ScenarioRetryAfter", retryAfter],
  ]);
  return `${imports}
/**
 * A scenario, with the keys of its YAML file. The description may be left out.
 *
 * @example
 * \`\`\`ts
 * await client.useScenario({
 *   rules: [{ when: { operation: "list", page: 3 }, limit: 1, then: { error: "INVALID_CURSOR" } }],
 * });
 * \`\`\`
 */
export interface ScenarioDefinition ${types.members({ properties: { ...ofFile, rules } })}

${comment(rule)}export interface ScenarioRule ${types.members({ ...rule, properties: { ...ofRule, when, then } })}

${comment(when)}export interface ScenarioCondition ${types.members(when)}

/** An exact value, a pattern with \`*\`, a list of which one must match, or \`true\` for sent and \`false\` for not sent. */
export type ScenarioValue = ${types.inFull(value)};

${comment(retryAfter)}export type ScenarioRetryAfter = ${types.inFull(retryAfter)};

${comment(then)}export interface ScenarioFault ${types.members(then)}
`;
}

/** Writes the types of JSON schemas. */
class Types {
  readonly #names: ReadonlyMap<string, string>;

  /** @param names of schemas that are declared, and referred to by their names */
  constructor(names: readonly (readonly [name: string, schema: JsonSchema])[]) {
    this.#names = new Map(names.map(([name, schema]) => [essence(schema), name]));
  }

  of(schema: JsonSchema): string {
    return this.#names.get(essence(schema)) ?? this.inFull(schema);
  }

  inFull(schema: JsonSchema): string {
    const { type, anyOf, additionalProperties: values, items, prefixItems } = schema;
    if (schema.properties) return this.members(schema);
    if (anyOf) return [...new Set(anyOf.map((part) => this.of(part)))].join(" | ");
    if (schema.enum) return choices(schema.enum);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (Array.isArray(type)) return type.map((each) => this.of({ ...schema, type: each })).join(" | ");
    if (schema.pattern === durationPattern.source) return "Duration";
    if (prefixItems) return `readonly [${prefixItems.map((part) => this.of(part)).join(", ")}]`;
    if (type === "array") return `readonly (${this.of(items ?? {})})[]`;
    if (typeof values === "object") return `Readonly<Record<string, ${this.of(values)}>>`;
    if (type === "integer") return "number";
    return typeof type === "string" && type !== "object" ? type : "unknown";
  }

  /** The members of an object, in braces. */
  members({ properties = {}, required = [] }: JsonSchema): string {
    const lines = Object.entries(properties).map(([key, member]) => {
      const written = `${comment(member)}readonly ${key}`;
      const type = this.of(member);
      if (required.includes(key)) return `${written}: ${type};`;
      return type === "unknown" ? `${written}?: unknown;` : `${written}?: ${type} | undefined;`;
    });
    return `{\n${lines.join("\n")}\n}`;
  }
}

function choices(values: readonly unknown[]): string {
  const text = JSON.stringify(values);
  const [, name] = named.find(([known]) => JSON.stringify(known) === text) ?? [];
  return name ?? values.map((value) => JSON.stringify(value)).join(" | ");
}

/** What a schema accepts, without what is said of it. */
function essence({ description: _description, default: _default, examples: _examples, ...schema }: JsonSchema): string {
  return JSON.stringify(schema);
}

const widest = 112;

/** The description of a schema as a comment. */
function comment({ description }: JsonSchema): string {
  if (description === undefined) return "";
  if (description.length <= widest) return `/** ${description} */\n`;
  const lines = [""];
  for (const word of description.split(" ")) {
    if (`${lines.at(-1)} ${word}`.length > widest) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
}
