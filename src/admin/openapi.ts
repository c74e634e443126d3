import * as z from "zod";
import type { GuardProblem } from "./guard.js";
import type { AdminErrorCode, Route } from "./route.js";
import { adminRoutes } from "./routes/table.js";
import { errorSchema, healthSchema } from "./schemas.js";

type Json = Record<string, unknown>;

/** Under which status each problem is told. */
export const errorStatus: Readonly<Record<AdminErrorCode, number>> = {
  INVALID_REQUEST: 400,
  INVALID_SCENARIO: 400,
  UNKNOWN_CLIENT: 404,
  UNKNOWN_SCENARIO: 404,
  UNKNOWN_CERTIFICATE: 404,
  UNKNOWN_IDENTITY: 404,
  CLIENT_EXISTS: 409,
  CERTIFICATE_IN_USE: 409,
  TOO_MANY_CLIENTS: 409,
  NO_KEY: 404,
  CANNOT_ISSUE: 503,
  REPORT_OFF: 409,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
};

/** What the guard answers with, before any route. */
const guardStatus: Readonly<Record<GuardProblem["code"], GuardProblem["status"]>> = {
  ADMIN_TOKEN_REQUIRED: 401,
  HOST_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
};

/** The one route that is open to everybody, and answers in its own way as long as the sandbox is not ready. */
const healthPath = "/health";

/** What the groups of routes are about. */
export const groups: Readonly<Record<Route["group"], string>> = {
  service: "The sandbox itself: whether it is ready, whom to trust, what it assumes.",
  clients: "A client of its own for each test, rotation of certificates, and the identities that lie ready.",
  scenarios: "Errors and failures on demand, for all clients or for one.",
  clock: "Time travel, for all clients or for one.",
  journal: "What reached the API, why it was answered as it was, and failed handshakes.",
};

/** Every error that a route can answer with, without those of the guard. */
export function errorCodesOf({ errors = [], body, params, query }: Route): readonly AdminErrorCode[] {
  const codes = new Set<AdminErrorCode>(errors);
  if (body || params || query) codes.add("INVALID_REQUEST");
  if (body) for (const code of ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const) codes.add(code);
  return [...codes];
}

/** Whether a route takes a body, and an empty one does not do. */
export function demandsBody({ body, bodyType }: Route): boolean {
  return body !== undefined && (bodyType !== undefined || !body.safeParse({}).success);
}

/** The OpenAPI 3.1 document of the admin API, derived from its table of routes. */
export function adminOpenApi(version: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const definition of adminRoutes) {
    const operations = paths[definition.path] ?? {};
    paths[definition.path] = operations;
    operations[definition.method.toLowerCase()] = operationOf(definition, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Business Payments Sandbox: admin API",
      version,
      description: "The control plane of the sandbox: clients, scenarios, clocks and the journal.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://localhost:8090" }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    security: [{}, { adminToken: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        adminToken: { type: "http", scheme: "bearer", description: "Demanded where --admin-auth says so." },
      },
    },
  };
}

function operationOf(definition: Route, schemas: Json): Json {
  const { group, summary, description, body, bodyType, answer } = definition;
  const content = answer.schema
    ? { "application/json": { schema: toSchema(answer.schema, "output", schemas) } }
    : undefined;
  const isText = answer.contentType !== "application/x-pkcs12";
  const other = answer.contentType ? { [answer.contentType]: isText ? { schema: { type: "string" } } : {} } : undefined;
  return {
    operationId: operationIdOf(definition),
    tags: [group],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(definition.path === healthPath ? { security: [] } : {}),
    parameters: [
      ...parametersOf(definition.params, "path", schemas),
      ...parametersOf(definition.query, "query", schemas),
    ],
    ...(body
      ? {
          requestBody: {
            required: demandsBody(definition),
            content: { [bodyType ?? "application/json"]: { schema: toSchema(body, "input", schemas) } },
          },
        }
      : {}),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...((content ?? other) ? { content: content ?? other } : {}),
      },
      ...errorResponses(definition, schemas),
    },
  };
}

/** Codes that share a status share a response. */
function errorResponses(definition: Route, schemas: Json): Json {
  if (definition.path === healthPath) {
    const content = { "application/json": { schema: toSchema(healthSchema, "output", schemas) } };
    return { 503: { description: "It is starting, or has failed.", content } };
  }
  const statuses = [
    ...Object.entries(guardStatus),
    ...errorCodesOf(definition).map((code) => [code, errorStatus[code]] as const),
  ];
  const byStatus = new Map<number, string[]>();
  for (const [code, status] of statuses) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  const content = { "application/json": { schema: toSchema(errorSchema, "output", schemas) } };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: `${codes.join(" or ")}.`, content }]),
  );
}

/** `GET /clients/{id}/clock` is `getClientsIdClock`. */
function operationIdOf({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query", schemas: Json): Json[] {
  if (!schema) return [];
  const object = toSchema(schema, "input", schemas) as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(object.properties ?? {}).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === "path" || (object.required ?? []).includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

/** JSON Schema of a type; the types that have a name of their own move to the components. */
function toSchema(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const {
    $schema: _dialect,
    $defs = {},
    ...json
  } = z.toJSONSchema(schema, { io, target: "draft-2020-12", unrepresentable: "any" }) as Json & {
    $defs?: Record<string, Json>;
  };
  const relocated = JSON.parse(JSON.stringify({ json, $defs }).replaceAll('"#/$defs/', '"#/components/schemas/')) as {
    json: Json;
    $defs: Json;
  };
  Object.assign(
    schemas,
    Object.fromEntries(
      Object.entries(relocated.$defs).map(([name, definition]) => [name, withoutId(definition as Json)]),
    ),
  );
  const id = relocated.json["id"];
  if (typeof id !== "string") return relocated.json;
  schemas[id] = withoutId(relocated.json);
  return { $ref: `#/components/schemas/${id}` };
}

function withoutId({ id: _id, ...rest }: Json): Json {
  return rest;
}
