import { mostCertificates } from "../../src/admin/client-errors.js";
import { adminErrorStatus } from "../../src/admin/error-codes.js";
import { mostStreams, mostWaiting } from "../../src/admin/event-stream.js";
import { adminOpenApi } from "../../src/admin/openapi.js";
import { longestPage } from "../../src/admin/page.js";
import { bodyLimit, type Route } from "../../src/admin/route.js";
import { mostClients } from "../../src/admin/routes/clients.js";
import { adminRoutes, routeGroups } from "../../src/admin/routes/table.js";
import { adminLimits } from "../../src/admin/server.js";
import { thousands } from "../../src/base/text/numbers.js";
import { mostProblems } from "../../src/base/yaml/problem.js";
import { longestBody } from "../../src/sandbox/journal/exchange.js";
import { defaultJournalLimits } from "../../src/sandbox/journal/journal.js";
import { queryKeys } from "../../src/sandbox/journal/query.js";
import { scenarioLimits } from "../../src/sandbox/scenarios/defaults.js";
import { mostUploadedText, mostUploads } from "../../src/sandbox/scenarios/library.js";
import { codes, meanings, table } from "../markdown.js";

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

/** The calls of the admin API by group, and their types. All derives from the OpenAPI document, and so from the routes. */
export function adminTables(): Readonly<Record<string, () => string>> {
  const document = adminOpenApi("") as unknown as Document;
  const groups = Object.entries(routeGroups).map(
    ([name, { routes }]) => [`admin-${name}`, () => callTable(routes, document)] as const,
  );
  return {
    ...Object.fromEntries(groups),
    "admin-parameters": () => parameters(document),
    "admin-queries": queries,
    "admin-types": () => types(document),
    "admin-errors": errors,
    "admin-limits": limits,
  };
}

function operationOf({ method, path }: Route, { paths }: Document): Operation {
  return paths[path]?.[method.toLowerCase()] as Operation;
}

/** One row for each call, and for the same call about one client. */
function callTable(routes: readonly Route[], document: Document): string {
  const rows = new Map<string, { readonly route: Route; readonly paths: string[] }>();
  for (const route of routes) {
    const key = `${route.method} ${route.path.replace(/^\/(?:clients|identities)\/\{\w+\}(?=\/\w)/, "")}`;
    const row = rows.get(key) ?? { route, paths: [] };
    row.paths.push(`\`${route.method} ${route.path}\``);
    rows.set(key, row);
  }
  return table(
    ["call", "what it does", "takes", "answers"],
    [...rows.values()].map(({ route, paths }) => {
      const operation = operationOf(route, document);
      return [
        paths.join(", "),
        [sentence(operation.summary), operation.description ?? ""].join(" ").trim(),
        givenTo(operation)
          .map(({ name, required }) => `\`${name}\`${required ? "" : "?"}`)
          .join(", "),
        answerOf(route, operation),
      ];
    }),
  );
}

interface Given {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly meaning: string;
}

/** The parameters of the query, and the members of the body. */
function givenTo({ parameters: all, requestBody }: Operation): readonly Given[] {
  const query = all
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema, required, description = "" }) => ({ name, schema, required, meaning: description }));
  const [[type = "", { schema = {} } = {}] = []] = Object.entries(requestBody?.content ?? {});
  if (!requestBody) return query;
  if (type !== "application/json") return [...query, { name: type, schema, required: true, meaning: "" }];
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {});
  return [
    ...query,
    ...members.map(([name, member]) => ({
      name,
      schema: member,
      required: required.has(name),
      meaning: member.description ?? "",
    })),
  ];
}

/** The meaning of every parameter. */
export function parameterMeanings(): readonly string[] {
  const document = adminOpenApi("") as unknown as Document;
  return adminRoutes.flatMap((route) => givenTo(operationOf(route, document)).map(({ meaning }) => meaning));
}

/** Whether the meaning of a parameter says hardly more than its name. */
function isEvident(meaning: string): boolean {
  return meaning.split(" ").length < 5;
}

/** What the parameters mean, where the name does not say it. One that several calls take in the same way is named once. */
function parameters(document: Document): string {
  const rows = new Map<string, { readonly cells: readonly string[]; readonly calls: string[] }>();
  for (const route of adminRoutes)
    for (const { name, schema, meaning } of givenTo(operationOf(route, document))) {
      if (isEvident(meaning)) continue;
      const cells = [`\`${name}\``, meaningOf(schema, meaning)];
      const row = rows.get(cells.join()) ?? { cells, calls: [] };
      row.calls.push(`\`${route.method} ${route.path}\``);
      rows.set(cells.join(), row);
    }
  const all = [...rows.values()];
  const isAlone = ({ cells: [name] }: (typeof all)[number]) =>
    all.filter(({ cells }) => cells[0] === name).length === 1;
  const sorted = all.toSorted((a, b) => ((a.cells[0] ?? "") < (b.cells[0] ?? "") ? -1 : 1));
  return meanings(
    sorted.map((row) => {
      const [name = "", meaning = ""] = row.cells;
      return [isAlone(row) ? name : `${name} of ${row.calls[0]}`, meaning] as const;
    }),
  );
}

/** The meaning, with the values to choose from if it does not name them. */
function meaningOf(schema: Schema, meaning: string): string {
  const choices = schema.enum ?? schema.anyOf?.find((part) => part.enum)?.enum ?? [];
  const isNamed = choices.every((choice) => meaning.includes(choice));
  return choices.length === 0 || choices.length > 8 || isNamed ? meaning : `${codes(choices)}. ${meaning}`.trim();
}

function answerOf({ answer, errors: own = [] }: Route, { responses }: Operation): string {
  const schema = responses[answer.status]?.content?.["application/json"]?.schema;
  const shape = schema ? answerShape(schema) : codes([answer.contentType ?? []].flat());
  const status = answer.status === 200 ? [] : [String(answer.status)];
  const notable = own.filter((code) => !/^UNKNOWN_|^NOT_FOUND$|^INVALID_REQUEST$/.test(code));
  return [...status, ...(shape === "" ? [] : [shape]), ...(notable.length === 0 ? [] : [codes(notable)])].join("; ");
}

/** The type of the answer, or its members. */
function answerShape(schema: Schema): string {
  if (schema.$ref !== undefined) return typeLink(schema);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) =>
    name === "items" && member.items?.$ref !== undefined ? `${typeLink(member.items)}s` : `\`${name}\``,
  );
  return members.length === 0 ? "JSON" : members.filter((name) => name !== "`nextCursor`").join(", ");
}

function queries(): string {
  return table(
    ["key", "what it finds", "example"],
    queryKeys.map(({ key, meaning, example }) => [`\`${key}\``, meaning, `\`${example}\``]),
  );
}

/** What only the dashboard needs; the OpenAPI document has it. */
const ofDashboard = ["Error", "ExchangeItem", "HandshakeItem", "JournalPage", "Overview", "PlacedProblem"];

/** The members of each type whose names do not say everything. */
function types({ components }: Document): string {
  return Object.entries(components.schemas)
    .filter(([name]) => !ofDashboard.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const base = Object.keys(components.schemas).find((other) => other !== name && name.startsWith(other));
      const inherited = new Set(Object.keys(components.schemas[base ?? ""]?.properties ?? {}));
      const own = Object.entries(schema.properties ?? {}).filter(([member]) => !inherited.has(member));
      const rows = memberRows({ properties: Object.fromEntries(own) }, "");
      const evident = own
        .map(([member]) => member)
        .filter((member) => !rows.some(([cell]) => cell === `\`${member}\``));
      const names = [
        ...(base === undefined ? [] : [`everything of [${base}](#${base.toLowerCase()})`]),
        ...(evident.length === 0 ? [] : [codes(evident)]),
      ].join(", ");
      return [`### ${name}`, names, meanings(rows)].filter(Boolean).join("\n\n");
    })
    .join("\n\n");
}

function memberRows(schema: Schema, prefix: string): (readonly [string, string])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const nested = nestedOf(member);
    const meaning = meaningOf(member, member.description ?? "");
    return [
      ...(meaning === "" ? [] : [[`\`${prefix}${name}\``, meaning] as const]),
      ...(nested ? memberRows(nested.schema, `${prefix}${name}${nested.suffix}.`) : []),
    ];
  });
}

/** The object whose members get their own rows. */
function nestedOf(schema: Schema): { readonly schema: Schema; readonly suffix: string } | undefined {
  if (schema.properties) return { schema, suffix: "" };
  if (schema.items?.properties) return { schema: schema.items, suffix: "[]" };
  const object = schema.anyOf?.find(({ properties }) => properties);
  return object && { schema: object, suffix: "" };
}

function typeLink({ $ref = "" }: Schema): string {
  const name = $ref.replace(/.*\//, "");
  return ofDashboard.includes(name) ? name : `[${name}](#${name.toLowerCase()})`;
}

function errors(): string {
  const byStatus = new Map<number, string[]>();
  for (const [code, status] of Object.entries(adminErrorStatus)) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\``]);
  }
  return meanings([...byStatus].map(([status, those]) => [String(status), those.join(", ")] as const));
}

function limits(): string {
  const { requests, bytes, handshakes } = defaultJournalLimits;
  return meanings([
    ["exchanges in the journal", `${thousands(requests)} (\`journal.requests\`)`],
    ["how many of these are for refusals and injected answers", "a quarter (`journal.refusals`)"],
    ["what these may take in memory, by estimate", `${thousands(bytes)} bytes (\`journal.bytes\`)`],
    ["failed handshakes, and connections without a request", `${thousands(handshakes)} (\`journal.handshakes\`)`],
    ["body of an answer that is kept", `${thousands(longestBody)} characters`],
    ["registered clients", thousands(mostClients)],
    ["certificates of one client", thousands(mostCertificates)],
    ["body of a request to the admin API", `${thousands(bodyLimit)} bytes`],
    ["uploaded scenarios", `${thousands(mostUploads)}, or ${thousands(mostUploadedText)} characters`],
    ["tokens of YAML in a scenario", thousands(scenarioLimits.tokens)],
    ["problems in one answer", thousands(mostProblems)],
    ["a page of the journal", `1,000 entries, or ${thousands(longestPage)} characters`],
    ["connections to the admin port", thousands(adminLimits.mostConnections)],
    ["requests to the admin port in progress", thousands(adminLimits.mostRequests)],
    ["streams of events that are open", thousands(mostStreams)],
    ["events that wait for a reader of the stream", `${thousands(mostWaiting)}, or two megabytes`],
  ]);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
