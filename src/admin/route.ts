import type { Context } from "hono";
import type * as z from "zod";
import { scenarioLimits } from "../scenarios/defaults.js";
import { longestName, printable } from "../text/printable.js";
import { describeIssues } from "../yaml/issues.js";
import { mostProblems } from "../yaml/problem.js";
import type { AdminContext } from "./context.js";

/** A problem that the caller of the admin API is told about. */
export class AdminError extends Error {
  override readonly name = "AdminError";
  constructor(
    readonly status: 400 | 404 | 405 | 409 | 413 | 415 | 503,
    readonly code: AdminErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export type AdminErrorCode =
  | "INVALID_REQUEST"
  | "INVALID_SCENARIO"
  | "UNKNOWN_CLIENT"
  | "UNKNOWN_SCENARIO"
  | "UNKNOWN_CERTIFICATE"
  | "UNKNOWN_IDENTITY"
  | "CLIENT_EXISTS"
  | "CERTIFICATE_IN_USE"
  | "TOO_MANY_CLIENTS"
  | "NO_KEY"
  | "CANNOT_ISSUE"
  | "REPORT_OFF"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE";

/** What a handler is given, checked against the route's schemas. */
export interface Input<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** The admin API as the caller reached it, such as `http://localhost:8090`. */
  readonly origin: string;
}

/** What a handler answers. */
export type Result =
  | { readonly status: 200 | 201; readonly json: unknown }
  | {
      readonly status: 200;
      readonly text: string | Uint8Array;
      readonly contentType: string;
      readonly filename?: string;
    }
  | { readonly status: 204 }
  | { readonly stream: ReadableStream<Uint8Array> };

/** One row of the table of admin routes. The OpenAPI document and `docs/admin-api.md` derive from it. */
export interface Route<Params = unknown, Query = unknown, Body = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With parameters in braces. */
  readonly path: string;
  readonly group: "service" | "clients" | "scenarios" | "clock" | "journal";
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  /** JSON unless `bodyType` says otherwise. */
  readonly body?: z.ZodType<Body>;
  readonly bodyType?: "application/yaml";
  /** The answer when all goes well. */
  readonly answer: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    readonly schema?: z.ZodType;
    readonly contentType?: string;
  };
  readonly errors?: readonly AdminErrorCode[];
  readonly handle: (input: Input<Params, Query, Body>, context: AdminContext) => Result | Promise<Result>;
}

/** Makes a row of the table; the types of the schemas are those of the handler. */
export function route<Params = unknown, Query = unknown, Body = unknown>(
  definition: Route<Params, Query, Body>,
): Route {
  return definition as Route;
}

/** The largest body that is read, in bytes: a scenario may be as large, and a certificate in JSON is half of it. */
export const bodyLimit = scenarioLimits.characters;

/** Runs a route: checks what was sent, calls the handler, writes the answer. @throws AdminError */
export async function runRoute(definition: Route, http: Context, context: AdminContext): Promise<Response> {
  const params = check(definition.params, http.req.param(), "path");
  const query = definition.query && check(definition.query, queryOf(http), "query");
  const body = definition.body && (await readBody(definition, http));
  const { signal } = http.req.raw;
  const result = await definition.handle(
    { params, query, body, signal, origin: new URL(http.req.url).origin },
    context,
  );
  if ("stream" in result) return streamed(result.stream, http);
  if ("json" in result) return http.json(result.json as object, result.status);
  if (result.status === 204) return http.body(null, 204);
  const disposition =
    result.filename === undefined ? {} : { "Content-Disposition": `attachment; filename="${result.filename}"` };
  return http.body(result.text as string, 200, { "Content-Type": result.contentType, ...disposition });
}

function streamed(stream: ReadableStream<Uint8Array>, http: Context): Response {
  const headers = { "Content-Type": "text/event-stream; charset=utf-8" };
  if (http.req.method !== "HEAD") return new Response(stream, { headers });
  // Nobody will read it, and nobody's going away would end it.
  void stream.cancel();
  return new Response(null, { headers });
}

/** Decoded parameters. Not Hono's: they would lose one that is called `__proto__`. */
function queryOf(http: Context): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URL(http.req.url).searchParams) {
    if (values.has(name)) {
      throw new AdminError(
        400,
        "INVALID_REQUEST",
        `In the query: the parameter "${printable(name, longestName)}" was sent more than once.`,
      );
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

async function readBody(definition: Route, http: Context): Promise<unknown> {
  const text = await boundedText(http);
  const type = http.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (definition.bodyType === "application/yaml") {
    if (type !== undefined && !yamlTypes.has(type)) throw mediaType("application/yaml");
    return check(definition.body, text, "body");
  }
  // A page of another site can send a body without a preflight, but not one of this type.
  if (type !== "application/json" && text !== "") throw mediaType("application/json");
  return check(definition.body, text.trim() === "" ? {} : parseJson(text), "body");
}

const yamlTypes = new Set(["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/plain"]);

async function boundedText(http: Context): Promise<string> {
  const tooLarge = () => new AdminError(413, "PAYLOAD_TOO_LARGE", `The body is larger than ${bodyLimit} bytes.`);
  if (Number(http.req.header("content-length") ?? 0) > bodyLimit) throw tooLarge();
  const reader = http.req.raw.body?.getReader();
  if (!reader) return "";
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      // The caller has gone: nobody reads the answer, and it is no bug.
      throw new AdminError(400, "INVALID_REQUEST", "The body broke off.");
    });
    if (done) break;
    length += value.byteLength;
    if (length > bodyLimit) throw tooLarge();
    chunks.push(value);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  // Some shells of Windows begin a text with a byte order mark, which is neither JSON nor YAML.
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AdminError(400, "INVALID_REQUEST", `The body is not JSON: ${printable((error as Error).message)}.`);
  }
}

function mediaType(expected: string): AdminError {
  return new AdminError(415, "UNSUPPORTED_MEDIA_TYPE", `Send the body as Content-Type: ${expected}.`);
}

function check(schema: z.ZodType | undefined, value: unknown, place: "path" | "query" | "body"): unknown {
  if (!schema) return value;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = describeIssues(result.error.issues, schema)
    .slice(0, mostProblems)
    .map(({ message }) => message);
  throw new AdminError(400, "INVALID_REQUEST", `In the ${place}: ${problems.join(" ")}`);
}
