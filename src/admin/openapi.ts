import * as z from "zod";
import { camelCase } from "../base/text/letters.js";
import { errorSchema, healthSchema } from "./common-schemas.js";
import { type AdminErrorCode, adminErrorStatus, guardErrorCodes } from "./error-codes.js";
import type { Route } from "./route.js";
import { routeGroups } from "./routes/table.js";

type Json = Record<string, unknown>;

/** The one route without a guard. Until the sandbox is ready, it answers 503. */
const healthPath = "/health";

/** Every error code of a route, except those of the guard. */
export function errorCodesOf({
  method,
  errors = [],
  body,
  params,
  query,
  needsSandbox,
}: Route): readonly AdminErrorCode[] {
  const codes = new Set<AdminErrorCode>(errors);
  if (body || params || query) codes.add("INVALID_REQUEST");
  // A body that a route does not need is read as well, to refuse what a page of another site could send.
  if (method !== "GET") codes.add("INVALID_REQUEST").add("PAYLOAD_TOO_LARGE").add("UNSUPPORTED_MEDIA_TYPE");
  if (method !== "GET" || needsSandbox) codes.add("KEPT_RUN");
  return [...codes];
}

/** Whether a route needs a body that is not empty. */
function demandsBody({ body, bodyType }: Route): boolean {
  return body !== undefined && (bodyType !== undefined || !body.safeParse({}).success);
}

/** The OpenAPI 3.1 document of the admin API, derived from its table of routes. */
export function adminOpenApi(version: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const [group, { routes }] of Object.entries(routeGroups)) {
    for (const definition of routes) {
      paths[definition.path] ??= {};
      (paths[definition.path] as Json)[definition.method.toLowerCase()] = operationOf(definition, group, schemas);
    }
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
    tags: Object.entries(routeGroups).map(([name, { about }]) => ({ name, description: about })),
    security: [{}, { adminToken: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        adminToken: { type: "http", scheme: "bearer", description: "Demanded if --admin-auth says so." },
      },
    },
  };
}

function operationOf(definition: Route, group: string, schemas: Json): Json {
  const { summary, description, body, bodyType, answer } = definition;
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
      [answer.status]: { description: answer.description, ...contentOf(answer, schemas) },
      ...errorResponses(definition, schemas),
    },
  };
}

function contentOf({ schema, contentType }: Route["answer"], schemas: Json): Json {
  if (schema) return { content: { "application/json": { schema: toSchema(schema, "output", schemas) } } };
  if (contentType === undefined) return {};
  const contents = [contentType]
    .flat()
    .map((type) => [type, /pkcs12|json$/.test(type) ? {} : { schema: { type: "string" } }]);
  return { content: Object.fromEntries(contents) };
}

/** Codes with the same status share a response. */
function errorResponses(definition: Route, schemas: Json): Json {
  if (definition.path === healthPath) {
    const content = { "application/json": { schema: toSchema(healthSchema, "output", schemas) } };
    return { 503: { description: "It is starting, or has failed.", content } };
  }
  const byStatus = new Map<number, string[]>();
  for (const code of [...guardErrorCodes, ...errorCodesOf(definition)]) {
    const status = adminErrorStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = { "application/json": { schema: toSchema(errorSchema, "output", schemas) } };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: `${codes.join(" or ")}.`, content }]),
  );
}

/** `GET /clients/{id}/clock` is `getClientsIdClock`. */
function operationIdOf({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return camelCase([method.toLowerCase(), ...words]);
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

/** The JSON Schema of a type. Named types are moved to the components. */
function toSchema(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const made = z.toJSONSchema(schema, { io, target: "draft-2020-12", unrepresentable: "any" });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _dialect, $defs = {}, id, ...json } = JSON.parse(text) as Json & { $defs?: Record<string, Json> };
  for (const [name, { id: _id, ...definition }] of Object.entries($defs)) schemas[name] = definition;
  if (typeof id !== "string") return json;
  schemas[id] = json;
  return { $ref: `#/components/schemas/${id}` };
}
