import { mostCertificates } from "../src/admin/client-errors.js";
import { adminErrorStatus } from "../src/admin/error-codes.js";
import { mostStreams, mostWaiting } from "../src/admin/event-stream.js";
import { adminOpenApi } from "../src/admin/openapi.js";
import { longestPage } from "../src/admin/page.js";
import { bodyLimit, type Route } from "../src/admin/route.js";
import { mostClients } from "../src/admin/routes/clients.js";
import { adminRoutes, routeGroups } from "../src/admin/routes/table.js";
import { adminLimits } from "../src/admin/server.js";
import { lowerFirst } from "../src/base/text/letters.js";
import { thousands } from "../src/base/text/numbers.js";
import { mostProblems } from "../src/base/yaml/problem.js";
import { longestBody } from "../src/sandbox/journal/exchange.js";
import { defaultJournalLimits } from "../src/sandbox/journal/journal.js";
import { queryKeys } from "../src/sandbox/journal/query.js";
import { scenarioLimits } from "../src/sandbox/scenarios/defaults.js";
import { mostUploadedText, mostUploads } from "../src/sandbox/scenarios/library.js";
import { table } from "./markdown.js";

/** The part of JSON Schema that the schemas of the admin API need. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Body & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Body>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * The generated regions of `docs/admin-api.md`, by name. All of it derives from the OpenAPI document, and so from the
 * routes.
 */
export function adminDocumentation(): Readonly<Record<string, string>> {
  const document = adminOpenApi("") as unknown as Document;
  const groups = Object.entries(routeGroups).map(([name, { routes }]) => [
    name,
    routes.map((definition) => routeSection(definition, document)).join("\n\n"),
  ]);
  return {
    index: index(),
    ...Object.fromEntries(groups),
    queries: table(
      ["key", "what it finds", "example"],
      queryKeys.map(({ key, meaning, example }) => [`\`${key}\``, meaning, `\`${example}\``]),
    ),
    types: types(document),
    errors: errors(),
    limits: limits(),
  };
}

/** The name of a route in headings and links. */
function routeName({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path}`;
}

function index(): string {
  return table(
    ["route", "what it does"],
    adminRoutes.map((definition) => [
      `[\`${routeName(definition)}\`](#${anchor(routeName(definition))})`,
      definition.summary,
    ]),
  );
}

/** GitHub's anchor of a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}

function routeSection(definition: Route, { paths }: Document): string {
  const operation = paths[definition.path]?.[definition.method.toLowerCase()] as Operation;
  const parts = [`### \`${routeName(definition)}\``, sentence(operation.summary), operation.description];
  const rows = [...parameterRows(operation), ...bodyRows(operation)];
  if (rows.length > 0) parts.push(table(["", "value", "meaning"], rows));
  parts.push(answerLine(definition, operation));
  return parts.filter((part) => part !== undefined).join("\n\n");
}

function parameterRows({ parameters }: Operation): string[][] {
  return parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema, description = "" }) => [`query \`${name}\``, wordsFor(schema), description]);
}

function bodyRows({ requestBody }: Operation): string[][] {
  const [[type = "", { schema = {} } = {}] = []] = Object.entries(requestBody?.content ?? {});
  if (!requestBody) return [];
  if (type !== "application/json") return [["body", `\`${type}\``, schema.description ?? ""]];
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, member]) => [
    `\`${name}\`${required.has(name) ? "" : " (optional)"}`,
    wordsFor(member),
    member.description ?? "",
  ]);
}

function answerLine(definition: Route, { responses }: Operation): string {
  const { status, description, contentType } = definition.answer;
  const { errors: own = [] } = definition;
  const errorList = own.length > 0 ? ` Errors of its own: ${own.map((code) => `\`${code}\``).join(", ")}.` : "";
  if (status === 204) return `Answers **204**, without a body.${errorList}`;
  const schema = responses[status]?.content?.["application/json"]?.schema;
  const content = schema
    ? `: ${answerShape(schema)}`
    : contentType
      ? ` (${[contentType]
          .flat()
          .map((type) => `\`${type}\``)
          .join(" or ")})`
      : "";
  return `Answers **${status}**, ${lowerFirst(description).replace(/\.$/, "")}${content}.${errorList}`;
}

/** The type of the answer, or the types of its members. */
function answerShape(schema: Schema): string {
  if (schema.$ref !== undefined) return typeLink(schema);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => `\`${name}\`: ${wordsFor(member)}`);
  return members.length === 0 ? "a JSON document" : members.join(", ");
}

function types({ components }: Document): string {
  return Object.entries(components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => typeSection(name, schema, components.schemas))
    .join("\n\n");
}

/** A type that has all members of another one shows only its additional members. */
function typeSection(name: string, schema: Schema, all: Document["components"]["schemas"]): string {
  const base = Object.keys(all).find((other) => other !== name && name.startsWith(other));
  const inherited = new Set(Object.keys(all[base ?? ""]?.properties ?? {}));
  const own = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([member]) => !inherited.has(member)));
  const rows = table(["member", "value", "meaning"], memberRows({ properties: own }, ""));
  return [`### ${name}`, base && `Everything that [${base}](#${base.toLowerCase()}) has, and:`, rows]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

function memberRows(schema: Schema, prefix: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const nested = nestedOf(member);
    const row = [`\`${prefix}${name}\``, wordsFor(member), member.description ?? ""];
    return [row, ...(nested ? memberRows(nested.schema, `${prefix}${name}${nested.suffix}.`) : [])];
  });
}

/** The object whose members get their own rows. */
function nestedOf(schema: Schema): { readonly schema: Schema; readonly suffix: string } | undefined {
  if (schema.properties) return { schema, suffix: "" };
  if (schema.items?.properties) return { schema: schema.items, suffix: "[]" };
  const object = schema.anyOf?.find(({ properties }) => properties);
  return object && { schema: object, suffix: "" };
}

/** A description of a value's type. */
function wordsFor(schema: Schema): string {
  if (schema.$ref !== undefined) return typeLink(schema);
  if (schema.anyOf) return schema.anyOf.map(wordsFor).join(" or ");
  if (schema.enum) return schema.enum.map((choice) => `\`${choice}\``).join(", ");
  if (schema.prefixItems) return "a pair";
  if (schema.items) return `a list of ${wordsFor(schema.items).replace(/^an? /, "")}s`.replace(/\)s$/, ")");
  if (schema.format === "date-time") return "an RFC 3339 date-time";
  const words: Readonly<Record<string, string>> = {
    string: "a text",
    integer: "a whole number",
    number: "a number",
    boolean: "`true` or `false`",
    object: "an object",
    null: "`null`",
  };
  return [schema.type ?? ""]
    .flat()
    .map((type) => words[type] ?? "anything")
    .join(" or ");
}

function typeLink({ $ref = "" }: Schema): string {
  const name = $ref.replace(/.*\//, "");
  return `[${name}](#${name.toLowerCase()})`;
}

function errors(): string {
  const byStatus = new Map<number, string[]>();
  for (const [code, status] of Object.entries(adminErrorStatus)) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\``]);
  }
  return table(
    ["status", "codes"],
    [...byStatus].map(([status, codes]) => [String(status), codes.join(", ")]),
  );
}

function limits(): string {
  const { requests, bytes, handshakes } = defaultJournalLimits;
  return table(
    ["what", "limit", "key in `sandbox.yaml`"],
    [
      ["exchanges in the journal", thousands(requests), "`journal.requests`"],
      ["how many of these are for refusals and injected answers", "a quarter", "`journal.refusals`"],
      ["what these may take in memory, by estimate", `${thousands(bytes)} bytes`, "`journal.bytes`"],
      ["failed handshakes, and connections without a request", thousands(handshakes), "`journal.handshakes`"],
      ["body of an answer that is kept", `${thousands(longestBody)} characters`, ""],
      ["registered clients", thousands(mostClients), ""],
      ["certificates of one client", thousands(mostCertificates), ""],
      ["body of a request to the admin API", `${thousands(bodyLimit)} bytes`, ""],
      ["uploaded scenarios", `${thousands(mostUploads)}, or ${thousands(mostUploadedText)} characters`, ""],
      ["tokens of YAML in a scenario", thousands(scenarioLimits.tokens), ""],
      ["problems in one answer", thousands(mostProblems), ""],
      ["a page of the journal", `1,000 entries, or ${thousands(longestPage)} characters`, ""],
      ["connections to the admin port", thousands(adminLimits.mostConnections), ""],
      ["requests to the admin port in progress", thousands(adminLimits.mostRequests), ""],
      ["streams of events that are open", thousands(mostStreams), ""],
      ["events that wait for a reader of the stream", `${thousands(mostWaiting)}, or two megabytes`, ""],
    ],
  );
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
