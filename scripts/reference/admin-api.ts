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
import { queryKeys } from "../../src/sandbox/journal/query-keys.js";
import { mostUploadedText, mostUploads } from "../../src/sandbox/scenarios/library.js";
import { code, codes, meanings } from "../markdown.js";

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
  const said = new Set<string>();
  // In the order of the page: what is said of a parameter is not said again.
  const groups = Object.entries(routeGroups).map(([name, { routes }]) => {
    const list = callList(routes, document, said);
    return [`admin-${name}`, () => list] as const;
  });
  return {
    ...Object.fromEntries(groups),
    "admin-queries": queries,
    "admin-types": () => types(document, said),
    "admin-errors": errors,
    "admin-limits": limits,
  };
}

function operationOf({ method, path }: Route, { paths }: Document): Operation {
  return paths[path]?.[method.toLowerCase()] as Operation;
}

/** One entry for each call; a call that exists for all clients and for one is told once. */
function callList(routes: readonly Route[], document: Document, said: Set<string>): string {
  const entries = new Map<string, Route[]>();
  for (const route of routes) {
    const key = `${route.method} ${route.path.replace(/^\/(?:clients|identities)\/\{\w+\}(?=\/\w)/, "")}`;
    entries.set(key, [...(entries.get(key) ?? []), route]);
  }
  return [...entries.values()]
    .map((same) => {
      const [route] = same as [Route];
      const operations = same.map((each) => operationOf(each, document));
      const [operation] = operations as [Operation];
      const { description = "" } = operations.find((each) => each.description !== undefined) ?? {};
      const calls = codes(same.map(({ method, path }) => `${method} ${path}`));
      const text = [sentence(summaryOf(operations)), description].join(" ").trim();
      if (callsOfDashboard.includes(route.path))
        return `- ${calls}, for the dashboard. ${sentence(summaryOf(operations))}`;
      const { named, described } = parameters(givenTo(operation), said);
      const head = [calls, ...(named.length === 0 ? [] : [`(${named.join(", ")})`]), "→", answerOf(route, operation)];
      return [`- ${head.join(" ")}. ${text}`, ...described.map((line) => `  - ${line}`)].join("\n");
    })
    .join("\n");
}

/** The summaries of a call at two paths as one: what they have in common, and then both owners. */
function summaryOf(operations: readonly Operation[]): string {
  const [words = [], other = words] = operations.map(({ summary }) => summary.split(" "));
  const differs = words.findIndex((word, index) => word !== other[index]);
  if (differs < 0) return words.join(" ");
  return `${words.join(" ")}, or ${other.slice(differs - 1).join(" ")}`;
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

/** The names of the parameters of a call, such as `GET /requests`. */
export function parameterNames(call: string): readonly string[] {
  const route = adminRoutes.find(({ method, path }) => `${method} ${path}` === call);
  if (route === undefined) throw new Error(`The admin API has no call ${call}.`);
  return givenTo(operationOf(route, adminOpenApi("") as unknown as Document)).map(({ name }) => name);
}

/** The parameters of a call: names of those that need no meaning, or have it at an earlier call; lines about the others. */
function parameters(given: readonly Given[], said: Set<string>) {
  const named: string[] = [];
  const byMeaning = new Map<string, string[]>();
  for (const { name, schema, required, meaning } of given) {
    const shown = `\`${name}\`${required ? "" : "?"}`;
    const text = meaningOf(schema, meaning);
    if (text === "" || said.has(`${name} ${text}`)) named.push(shown);
    else byMeaning.set(text, [...(byMeaning.get(text) ?? []), shown]);
    said.add(`${name} ${text}`);
  }
  return { named, described: [...byMeaning].map(([text, names]) => `${names.join(", ")}: ${text}`) };
}

/** The meaning, with the values to choose from if it does not name them. */
function meaningOf(schema: Schema, meaning: string): string {
  const choices = schema.enum ?? schema.anyOf?.find((part) => part.enum)?.enum ?? [];
  const isNamed = choices.every((choice) => meaning.includes(choice) || choice === "true" || choice === "false");
  return choices.length === 0 || choices.length > 8 || isNamed ? meaning : `${codes(choices)}. ${meaning}`.trim();
}

function answerOf({ answer, errors: own = [] }: Route, { responses }: Operation): string {
  const schema = responses[answer.status]?.content?.["application/json"]?.schema;
  const shape = schema ? answerShape(schema) : codes([answer.contentType ?? []].flat());
  const status = answer.status === 200 ? "" : String(answer.status);
  const notable = own.filter((code) => !/^UNKNOWN_|^NOT_FOUND$|^INVALID_REQUEST$/.test(code));
  const success = [status, shape].filter(Boolean).join(" ");
  return notable.length === 0 ? success : `${success}, or ${codes(notable)}`;
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
  return meanings(queryKeys.map(({ meaning, example }) => [`\`${example}\``, meaning] as const));
}

/** Calls and types that only the dashboard uses: the OpenAPI document describes them. */
const callsOfDashboard = ["/journal/overview", "/journal/missing"];
const ofDashboard = ["Error", "ExchangeItem", "HandshakeItem", "JournalPage", "Overview", "PlacedProblem"];

/** `report.schema.json` describes them. */
const ofReport = ["CheckResult", "Drill", "ExpectedError"];
const reportSection =
  "### Report\n\n[report.schema.json](../../report.schema.json) has its members. Its drill is `run`.";

/** The members of each type whose names do not say everything. What was said of a member is not said again. */
function types({ components }: Document, said: Set<string>): string {
  return Object.entries(components.schemas)
    .filter(([name]) => ![...ofDashboard, ...ofReport].includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      if (name === "Report") return reportSection;
      const base = Object.keys(components.schemas).find((other) => other !== name && name.startsWith(other));
      const inherited = new Set(Object.keys(components.schemas[base ?? ""]?.properties ?? {}));
      const own = Object.entries(schema.properties ?? {}).filter(([member]) => !inherited.has(member));
      const rows = memberRows({ properties: Object.fromEntries(own) }, "", said);
      const evident = own.map(([member]) => member).filter((member) => !rows.some(([path]) => path === member));
      const names = [
        ...(base === undefined ? [] : [`everything of [${base}](#${base.toLowerCase()})`]),
        ...(evident.length === 0 ? [] : [codes(evident)]),
      ].join(", ");
      return [`### ${name}`, names, meanings(rows.map(([path, meaning]) => [code(path), meaning]))]
        .filter(Boolean)
        .join("\n\n");
    })
    .join("\n\n");
}

function memberRows(schema: Schema, prefix: string, said: Set<string>): (readonly [string, string])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const nested = nestedOf(member);
    const meaning = meaningOf(member, member.description ?? "");
    const isNew = meaning !== "" && !said.has(`${name} ${meaning}`);
    said.add(`${name} ${meaning}`);
    return [
      ...(isNew ? [[`${prefix}${name}`, meaning] as const] : []),
      ...(nested ? memberRows(nested.schema, `${prefix}${name}${nested.suffix}.`, said) : []),
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
  return meanings([
    ["page of the journal", `1,000 entries, or ${thousands(longestPage)} characters`],
    ["clients", thousands(mostClients)],
    ["certificates of a client, without ended ones", thousands(mostCertificates)],
    ["body of a request", `${thousands(bodyLimit)} bytes`],
    ["uploaded scenarios", `${thousands(mostUploads)}, or ${thousands(mostUploadedText)} characters`],
    [
      "connections; requests in progress",
      `${thousands(adminLimits.mostConnections)}; ${thousands(adminLimits.mostRequests)}`,
    ],
    ["open streams of events", thousands(mostStreams)],
    ["events that wait for a stream's reader", `${thousands(mostWaiting)}, or two megabytes`],
  ]);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
