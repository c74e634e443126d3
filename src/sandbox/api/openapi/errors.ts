import { grouped } from "../../../base/grouped.js";
import { upperFirst } from "../../../base/text/letters.js";
import { type AssumptionId, type AssumptionSettings, assumption, subjectOf } from "../../assumptions.js";
import { codeOf, type ErrorCode, errorCodes, errorFacts, protocolCodes } from "../../errors.js";
import { Refusal } from "../../journal/refusal.js";
import { errorParts } from "../error-response.js";
import { assumptionBehind } from "../mark.js";
import type { Operation, RefusalId } from "../service.js";
import { cacheHeaders, commonHeaders, refusalHeaders } from "./headers.js";
import { assumed, type Json, type OpenApiWriter } from "./source.js";

/**
 * The errors of every operation, whatever its steps are. The last three come from a scenario, or from the header that
 * names one.
 */
const everywhere = [
  "http.method-not-allowed",
  "INTERNAL_SERVER_ERROR",
  "TOO_MANY_REQUESTS",
  "SERVICE_UNAVAILABLE",
  "UNKNOWN_SCENARIO",
] as const satisfies readonly RefusalId[];

/** One error that an operation may answer with, as it is sent. */
interface ErrorCase {
  readonly id: RefusalId;
  /**
   * The assumption that it rests on; undefined if the interface defines the code, and for the sandbox's own controls.
   */
  readonly assumed: AssumptionId | undefined;
  /** Whether the operation itself answers: the token endpoint then adds the members of RFC 6749 §5.2. */
  readonly own: boolean;
  /** Whether the case is common to all operations. */
  readonly common: boolean;
  readonly status: number;
  readonly code: string;
  /** Undefined if there is none. */
  readonly body: ErrorBody | undefined;
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string | undefined;
}

type ErrorBody = Readonly<Record<string, string>>;

/** The correlation ID of examples is in the headers only, so its value does not matter. */
const noId = "";

/** Every error of an operation, by status. The bodies are made by the code that makes the real ones. */
export function errorResponses(operation: Operation, writer: OpenApiWriter): Record<string, Json> {
  const cases = casesOf(operation, writer.assumptions);
  const responses: Record<string, Json> = {};
  for (const [status, group] of grouped(cases, ({ status: key }) => key)) {
    const response = errorResponse(operation, group, writer);
    const [first] = group as [ErrorCase];
    // The token endpoint's errors have their own members, so they are not shared.
    const shared = operation.name !== "token" && group.every(({ common }) => common);
    responses[status] = shared ? writer.component("responses", camelCase(codeOf(first.id)), response) : response;
  }
  return responses;
}

/** All other errors: by §7 every error has the same body. A scenario may answer with any status. */
export function otherErrors(operation: Operation, writer: OpenApiWriter): Json {
  const response = {
    description: "Any other error: it has the same body (§7). The sandbox gives it only if a scenario says so.",
    headers: commonHeaders(writer),
    content: { "application/json": { schema: shapes(operation, ["token", "service"], writer) } },
  };
  return operation.name === "token" ? response : writer.component("responses", "OtherError", response);
}

function casesOf(operation: Operation, assumptions: AssumptionSettings): ErrorCase[] {
  const refused = new Set<RefusalId>(operation.steps.flatMap(({ refuses }) => refuses));
  const make = (id: RefusalId, common: boolean, own: boolean): ErrorCase => {
    const refusal = new Refusal(id, { kind: "example" });
    const parts = errorParts(refusal, assumptions, noId, own && operation.name === "token");
    return {
      id,
      assumed: assumptionBehind(refusal),
      own,
      common,
      status: parts.status,
      code: parts.code,
      body: parts.body === "" ? undefined : JSON.parse(parts.body),
      challenge: parts.headers["WWW-Authenticate"],
    };
  };
  return [
    ...[...refused].map((id) => make(id, false, true)),
    make("http.not-found", true, false),
    ...everywhere.map((id) => make(id, true, true)),
    // If the operation's own answer has the same body, the error is listed only once.
    ...protocolCodes
      .filter((code) => code !== "METHOD_NOT_ALLOWED")
      .filter((code) => operation.name === "token" || !everywhere.some((id) => id === code))
      .map((code) => make(code, true, false)),
  ];
}

function errorResponse(operation: Operation, group: readonly ErrorCase[], writer: OpenApiWriter): Json {
  const bases = [...new Set(group.flatMap(({ assumed: id }) => id ?? []))];
  const bodies = group.map(({ body }) => body).filter((body) => body !== undefined);
  const allAssumed = group.every(({ assumed: id }) => id !== undefined);
  const allOwn = group.every(({ own }) => own);
  return {
    description: describe(group),
    ...(allAssumed ? assumed(...bases) : {}),
    headers: {
      ...commonHeaders(writer, allAssumed),
      ...refusalHeaders(group.map(({ id, assumed: basis, challenge }) => ({ id: basis ?? id, challenge }))),
      ...(operation.name === "token" ? cacheHeaders(writer, allOwn) : {}),
    },
    ...(bodies.length > 0 && {
      content: {
        "application/json": {
          schema: shapes(operation, bodies.map(shapeOf), writer),
          examples: examplesOf(group),
        },
      },
    }),
  };
}

/** Which members the body of an error has: those of §2.2, those of RFC 6749 as well or instead, or the code alone. */
type Shape = "service" | "token" | "code";

function shapeOf(body: ErrorBody): Shape {
  if ("error" in body) return "token";
  return "message" in body ? "service" : "code";
}

function describe(group: readonly ErrorCase[]): string {
  const lines = new Set(
    group.map((each) => `${each.code}: ${sentence(each)}${each.body === undefined ? " There is no body." : ""}`),
  );
  return lines.size === 1 ? [...lines].join() : [...lines].map((line) => `- ${line}`).join("\n");
}

/** What the error is about. */
function sentence({ id, assumed: basis }: ErrorCase): string {
  if (basis === undefined || !("error" in assumption(basis))) return errorFacts(codeOf(id)).message;
  return `${upperFirst(subjectOf(basis))}.`;
}

function examplesOf(group: readonly ErrorCase[]): Json {
  const examples: Record<string, Json> = {};
  for (const each of group) {
    if (each.body === undefined) continue;
    const names = [each.code, `${each.code}.${each.own ? each.id : "early"}`, `${each.code}.${each.id}.early`];
    const name = names.find((candidate) => !Object.hasOwn(examples, candidate)) ?? each.id;
    examples[name] = {
      summary: sentence(each),
      ...(each.assumed === undefined ? {} : assumed(each.assumed)),
      ...(errorFacts(codeOf(each.id)).basis === "sandbox" ? { "x-sandbox": true } : {}),
      value: each.body,
    };
  }
  return examples;
}

/**
 * The schema of bodies: of the service's errors, of those with members of RFC 6749, or of either.
 * @param found the shape of each
 */
function shapes({ name }: Operation, found: readonly Shape[], { assumptions, component }: OpenApiWriter): Json {
  const hasToken = name === "token" && assumptions.values["token.error-body"] !== "service";
  const wanted = found.map((shape) => (shape === "token" && !hasToken ? "service" : shape));
  const schemas = [
    { shape: "token", title: "TokenError", schema: tokenErrorSchema(assumptions) },
    { shape: "service", title: "Error", schema: errorSchema },
    { shape: "code", title: "CodeOnly", schema: codeSchema },
  ] as const;
  const all = schemas
    .filter(({ shape }) => wanted.includes(shape))
    .map(({ title, schema }) => component("schemas", title, schema));
  const [only] = all;
  return all.length === 1 && only ? only : { anyOf: all };
}

const members = {
  message: { type: "string", description: "Human-readable description of the error." },
  code: {
    type: "string",
    description: "Predefined code that identifies the error. A client must expect codes that it does not know.",
    examples: errorCodes.filter((code) => errorFacts(code).basis === "§7"),
  },
} as const;

const errorSchema: Json = {
  title: "Error",
  description: "Body of every error produced by the service (§2.2).",
  type: "object",
  required: ["message", "code"],
  properties: members,
};

const codeSchema: Json = {
  title: "CodeOnly",
  description: "Body of an error that is configured to have only its code.",
  type: "object",
  required: ["code"],
  properties: { code: members.code },
};

function tokenErrorSchema({ values }: AssumptionSettings): Json {
  const oauth = {
    error: {
      type: "string",
      description: "RFC 6749 §5.2.",
      examples: [...new Set(errorCodes.flatMap((code) => errorFacts(code).oauth ?? []))],
    },
    error_description: { type: "string", description: "The message, in the characters that RFC 6749 §5.2 permits." },
  };
  const properties = values["token.error-body"] === "oauth" ? oauth : { ...members, ...oauth };
  return {
    title: "TokenError",
    description: "Body of an error of the token endpoint.",
    ...assumed("token.error-body"),
    type: "object",
    required: Object.keys(properties),
    properties,
  };
}

function camelCase(code: ErrorCode): string {
  return code.toLowerCase().split("_").map(upperFirst).join("");
}
