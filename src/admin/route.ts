import type { Context } from "hono";
import type * as z from "zod";
import type { Frozen } from "../base/frozen.js";
import { longestName, printable } from "../base/text/printable.js";
import { validate } from "../base/yaml/issues.js";
import { mostProblems } from "../base/yaml/problem.js";
import { ended, paragraph } from "../sandbox/journal/format.js";
import { redactText } from "../sandbox/journal/redact.js";
import { scenarioLimits } from "../sandbox/scenarios/defaults.js";
import type { ChangeScope, StateFiles } from "../sandbox/store.js";
import { orCannotIssue } from "./client-errors.js";
import type { AdminContext } from "./context.js";
import { AdminError } from "./error.js";
import type { AdminErrorCode } from "./error-codes.js";
import { jsonAnswer } from "./json-answer.js";
import { nextTurn } from "./turns.js";

type Schema = z.ZodType | undefined;

/** What a schema reads. */
export type Read<S extends Schema> = S extends z.ZodType ? z.output<S> : unknown;

/** The input of a handler, checked against the route's schemas. */
interface Input<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Prepared = unknown,
> {
  readonly params: Read<Params>;
  readonly query: Read<Query>;
  readonly body: Read<Body>;
  /** The result of `prepare`. */
  readonly prepared: Prepared;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The header `Accept`. */
  readonly accept: string | undefined;
  /** The URL by which the caller reached the admin API, such as `http://localhost:8090`. */
  readonly origin: string;
}

/** A tool of MCP that is one call. */
interface AgentTool<Answer extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Where the agent gives other arguments than the parameters of the call. A list is sent with commas. */
  readonly arguments?: z.ZodObject;
  /** What the agent sees of the answer; all of it when left out. */
  shows?(answer: Frozen<Read<Answer>>): object;
}

/**
 * A call of the admin API: everything about it. The app, the OpenAPI document, `docs/reference/admin-api.md` and the types of the
 * library derive from it.
 */
export interface Route<
  Method extends "GET" | "POST" | "PUT" | "DELETE" = "GET" | "POST" | "PUT" | "DELETE",
  Path extends string = string,
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
  Prepared = unknown,
> {
  readonly method: Method;
  /** With parameters in braces. */
  readonly path: Path;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** JSON unless `bodyType` says otherwise. */
  readonly body?: Body;
  readonly bodyType?: "application/yaml";
  /** The answer if the route succeeds. */
  readonly answer: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    readonly schema?: Answer;
    /** Several if a parameter or `Accept` selects one. */
    readonly contentType?: string | readonly string[];
  };
  readonly errors?: readonly AdminErrorCode[];
  /** What a coding agent is told of it, if it is a tool of MCP, too. Only an answer with a schema can be shown. */
  readonly tool?: Answer extends z.ZodType ? AgentTool<Answer> : never;
  /**
   * If the handler changes the state: what it may change. Such a handler must not wait for anything: if another replica
   * was first, it runs again.
   */
  changes?(input: Input<Params, Query, Body, Prepared>): ChangeScope;
  /** Whether it needs a sandbox that runs, although it only reads: certificates, keys and counters are not kept. */
  readonly needsSandbox?: true;
  /** Whether the handler reads the journal. */
  readonly readsJournal?: true;
  /** Makes what takes time, and what must be made only once: keys and ids. */
  prepare?(input: Input<Params, Query, Body, undefined>, context: AdminContext): Promise<Prepared>;
  /** Returns what is sent as JSON with the status of `answer`; nothing for 204; a `Response` for other answers. */
  handle(
    input: Input<Params, Query, Body, Prepared>,
    context: AdminContext,
    /** With `files`: as `Store.change` says. */
    write: () => void,
  ): unknown;
  /** The files that belong to the change. */
  files?(input: Input<Params, Query, Body, Prepared>, context: AdminContext): StateFiles | undefined;
}

/** Defines a call; infers the types of the handler from the schemas. */
export function route<
  const Method extends Route["method"],
  const Path extends string,
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
  Answer extends Schema = undefined,
  Prepared = undefined,
>(
  definition: Route<Method, Path, Params, Query, Body, Answer, Prepared>,
): Route<Method, Path, Params, Query, Body, Answer> {
  return definition;
}

/** The largest body that is read, in bytes: the maximum size of a scenario. A certificate in JSON is half of it. */
export const bodyLimit = scenarioLimits.characters;

/**
 * Runs a route: checks what was sent, calls the handler, writes the answer.
 * @throws AdminError
 */
export async function runRoute(definition: Route, http: Context, context: AdminContext): Promise<Response> {
  if (context.kept && (definition.method !== "GET" || definition.needsSandbox))
    throw new AdminError(
      "KEPT_RUN",
      "This is a kept run, which has ended: it can only be read, and has no keys and no files of certificates. Start a sandbox for anything else.",
    );
  // A GET reads only, whatever comes with it.
  const text = definition.method === "GET" ? undefined : await boundedText(http);
  // Hundreds of requests may arrive at once, and some take a tenth of a second.
  await nextTurn();
  const params = check(definition.params, http.req.param(), "path");
  const query = definition.query && check(definition.query, queryOf(http), "query");
  const body = text === undefined ? undefined : checkBody(definition, text, http.req.header("content-type"));
  const { origin } = new URL(http.req.url);
  const given = {
    params,
    query,
    body,
    prepared: undefined,
    signal: http.req.raw.signal,
    accept: http.req.header("accept"),
    origin,
  };
  if (definition.readsJournal) await context.store.synchronise();
  const result = await orCannotIssue(() => handled(definition, given, context));
  if (result instanceof Response) {
    // Hono drops the body of an answer to HEAD without cancelling it: a stream would continue without a reader.
    if (http.req.method === "HEAD") void result.body?.cancel();
    return result;
  }
  const { status } = definition.answer;
  return status === 204 ? http.body(null, 204) : jsonAnswer(http, result as object, status);
}

async function handled(
  { prepare, changes, files, handle }: Route,
  given: Input<Schema, Schema, Schema, undefined>,
  context: AdminContext,
): Promise<unknown> {
  const input = { ...given, prepared: await prepare?.(given, context) };
  if (!changes) return handle(input, context, () => {});
  const work = (write: () => void) => handle(input, context, write);
  return context.store.change(changes(input), work, files?.(input, context));
}

/** Decoded parameters. Hono's own would lose a parameter named `__proto__`. */
function queryOf(http: Context): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URL(http.req.url).searchParams) {
    if (values.has(name)) {
      throw new AdminError(
        "INVALID_REQUEST",
        `In the query: the parameter "${printable(name, longestName)}" was sent more than once.`,
      );
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

function checkBody(definition: Route, text: string, contentType: string | undefined): unknown {
  checkType(definition, contentType, text);
  if (definition.bodyType !== undefined) return check(definition.body, text, "body");
  return definition.body && check(definition.body, text.trim() === "" ? {} : parseJson(text), "body");
}

const jsonTypes: ReadonlySet<string> = new Set(["application/json"]);
const yamlTypes: ReadonlySet<string> = new Set(["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"]);

/**
 * A page of another site can send a form, a `text/plain` or a body without a type, and nothing else without a preflight
 * (Fetch, "CORS-safelisted request-header"). So they are refused on every route that acts, also if the body is empty.
 */
function checkType({ body, bodyType }: Route, sent: string | undefined, text: string): void {
  const types = bodyType === undefined ? jsonTypes : yamlTypes;
  const type = sent?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === undefined ? text === "" : types.has(type)) return;
  const fix = body
    ? `Send the body as Content-Type: ${bodyType ?? "application/json"}`
    : "This needs no body: leave out the body and its type";
  throw new AdminError("UNSUPPORTED_MEDIA_TYPE", `${fix}.`);
}

async function boundedText(http: Context): Promise<string> {
  const tooLarge = () => new AdminError("PAYLOAD_TOO_LARGE", `The body is larger than ${bodyLimit} bytes.`);
  if (Number(http.req.header("content-length") ?? 0) > bodyLimit) throw tooLarge();
  const reader = http.req.raw.body?.getReader();
  if (!reader) return "";
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      // The caller has disconnected. This is not a bug.
      throw new AdminError("INVALID_REQUEST", "The body is incomplete.");
    });
    if (done) break;
    length += value.byteLength;
    if (length > bodyLimit) throw tooLarge();
    chunks.push(value);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  // Some Windows shells begin a text with a byte order mark, which is neither JSON nor YAML.
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser quotes some characters of the text. They may begin within a secret, whose name is not among them.
    const message = redactText(text) === text ? (error as Error).message : "its syntax is wrong";
    throw new AdminError("INVALID_REQUEST", `The body is not JSON: ${printable(message)}.`);
  }
}

function check(schema: z.ZodType | undefined, value: unknown, place: "path" | "query" | "body"): unknown {
  if (!schema) return value;
  const result = validate(value, schema);
  if (result.success) return result.data;
  const problems = result.issues.slice(0, mostProblems).map(({ message }) => ended(message));
  throw new AdminError("INVALID_REQUEST", `In the ${place}: ${paragraph(...problems)}`);
}
