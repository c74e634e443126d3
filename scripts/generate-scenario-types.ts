import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { durationPattern } from "../src/base/text/duration.js";
import { refusalAssumptionIds } from "../src/sandbox/assumptions.js";
import { http2ErrorCodes } from "../src/sandbox/connection/http2-error.js";
import { serverRenewals } from "../src/sandbox/connection/server-certificate.js";
import { serverDefects } from "../src/sandbox/connection/server-defect.js";
import { errorCodes } from "../src/sandbox/errors.js";
import { operationNames } from "../src/sandbox/operations.js";
import { certificateConditions } from "../src/sandbox/scenarios/certificate-condition.js";
import { checkIds } from "../src/sandbox/scenarios/expectation.js";
import { type JsonSchema, scenarioJsonSchema } from "./generate-scenarios.js";

// The types of scenarios for test suites, from the schema. They must not need zod, because the package has no
// dependencies.

const file = "src/library/definition.ts";

/** Choices that have a name in the source. */
const named: readonly (readonly [values: readonly unknown[], type: string])[] = [
  [[...errorCodes, ...refusalAssumptionIds], "ErrorCode | RefusalAssumptionId"],
  [http2ErrorCodes, "Http2ErrorCode"],
  [[...serverDefects, ...serverRenewals], "ServerDefect | ServerRenewal"],
  [operationNames, "OperationName"],
  [certificateConditions, "CertificateCondition"],
  [checkIds, "CheckId"],
];

/** Every generated file: its path in the repository, and its text. */
export async function generated(root: string): Promise<Map<string, string>> {
  const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
  const text = execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${file}`], {
    cwd: root,
    input: declarations(),
    encoding: "utf8",
  });
  return new Map([[file, text]]);
}

function declarations(): string {
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
  return `import type { Duration } from "../base/text/duration.js";
import type { RefusalAssumptionId } from "../sandbox/assumptions.js";
import type { Http2ErrorCode } from "../sandbox/connection/http2-error.js";
import type { ServerRenewal } from "../sandbox/connection/server-certificate.js";
import type { ServerDefect } from "../sandbox/connection/server-defect.js";
import type { ErrorCode } from "../sandbox/errors.js";
import type { OperationName } from "../sandbox/operations.js";
import type { CertificateCondition } from "../sandbox/scenarios/certificate-condition.js";
import type { CheckId } from "../sandbox/scenarios/expectation.js";

// Generated from the schema of scenarios by \`npm run generate\`.

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
    const { type, anyOf, additionalProperties: values, items } = schema;
    if (schema.properties) return this.members(schema);
    if (anyOf) return [...new Set(anyOf.map((part) => this.of(part)))].join(" | ");
    if (schema.enum) return choices(schema.enum);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.pattern === durationPattern.source) return "Duration";
    if (type === "array") return `readonly (${this.of(items ?? {})})[]`;
    if (typeof values === "object") return `Readonly<Record<string, ${this.of(values)}>>`;
    if (type === "integer") return "number";
    return typeof type === "string" && type !== "object" ? type : "unknown";
  }

  /** The members of an object, in braces. */
  members({ properties = {}, required = [] }: JsonSchema): string {
    const lines = Object.entries(properties).map(([key, member]) => {
      const written = `${comment(member)}readonly ${key}`;
      if (this.of(member) === "unknown") return `${written}?: unknown;`;
      return required.includes(key)
        ? `${written}: ${this.of(member)};`
        : `${written}?: ${this.of(member)} | undefined;`;
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
