import { parseDuration } from "../../base/text/duration.js";
import { type OperationName, operationNames } from "../operations.js";
import { longestDelay, scenarioDefaults } from "./defaults.js";
import type {
  Condition,
  ConnectionFault,
  Delay,
  Fault,
  NamedValues,
  Rule,
  StreamFault,
  WantedValue,
} from "./definition.js";
import type { Expectation } from "./expectation.js";
import type { RetryAfter } from "./retry-after.js";
import type { ScenarioShape } from "./schema.js";
import { TextPattern } from "./text-pattern.js";

type RuleShape = NonNullable<ScenarioShape["rules"]>[number];
type FaultShape = RuleShape["then"];

/** A lognormal delay without a bound would sometimes last for minutes. */
const longestTail = 20;

/** Makes a rule from its written form. @param index its place among the rules, from 0 */
export function compileRule(shape: RuleShape, index: number): Rule {
  const fault = compileFault(shape.then);
  return {
    name: shape.name ?? `rule-${index + 1}`,
    when: compileCondition(shape.when, fault),
    share: shape.share ?? "client",
    skip: shape.skip,
    every: shape.every,
    limit: shape.limit ?? Number.POSITIVE_INFINITY,
    probability: shape.probability,
    fault,
  };
}

/** Some faults make sense only on some operations. A rule need not name them. */
function compileCondition(when: RuleShape["when"], fault: Fault): Condition {
  return {
    operations: when?.operation === undefined ? operationsOf(fault) : [when.operation].flat(),
    method: when?.method,
    list: when?.list,
    client: when?.client,
    certificate: when?.certificate,
    page: when?.page,
    cursor: when?.cursor,
    query: compileValues(when?.query),
    headers: compileValues(when?.headers)?.map(([name, value]) => [name.toLowerCase(), value] as const),
    form: compileValues(when?.form),
    attempt: when?.attempt,
    after: when?.after === undefined ? undefined : milliseconds(when.after),
    duration: when?.for === undefined ? undefined : milliseconds(when.for),
  };
}

/** The operations on which a fault acts; undefined for all of them. */
export function operationsOf({ token, page }: Fault): readonly OperationName[] | undefined {
  if (token) return token.revoke ? operationNames.filter((name) => name !== "token") : ["token"];
  return page ? ["list"] : undefined;
}

type ShapeOfValues = NonNullable<NonNullable<RuleShape["when"]>["query"]>;

function compileValues(values: ShapeOfValues | undefined): NamedValues | undefined {
  return values && Object.entries(values).map(([name, value]) => [name, compileValue(value)] as const);
}

function compileValue(value: ShapeOfValues[string]): WantedValue {
  if (typeof value !== "object") return value;
  return [value].flat().map((one) => (typeof one === "string" ? one : new TextPattern(one.like)));
}

/** Every key is listed, so that none is forgotten; a fault that a rule does not have is undefined. */
function compileFault(shape: FaultShape): { readonly [Kind in keyof Required<Fault>]: Fault[Kind] } {
  const { error, respond, alter, rateLimit, concurrency, token } = shape;
  return {
    delay: shape.delay === undefined ? undefined : compileDelay(shape.delay),
    clock: shape.clock && { advance: milliseconds(shape.clock.advance) },
    error: error === undefined ? undefined : compileError(typeof error === "string" ? { code: error } : error),
    respond: respond && compileResponse(respond),
    alter: alter && {
      status: alter.status,
      headers: alter.headers ?? {},
      body: alter.body,
      rows: alter.rows,
      setNull: (alter.setNull ?? []).map((path) => path.split(".")),
    },
    connection: shape.connection === undefined ? undefined : compileConnection(shape.connection),
    stream: shape.stream === undefined ? undefined : compileStream(shape.stream),
    rateLimit: rateLimit && {
      limit: rateLimit.limit,
      per: milliseconds(rateLimit.per),
      retryAfter: rateLimit.retryAfter === undefined ? undefined : compileWait(rateLimit.retryAfter),
    },
    concurrency: concurrency && {
      limit: concurrency.limit,
      retryAfter: compileRetryAfter(concurrency.retryAfter),
    },
    token: token && {
      expiresIn: token.expiresIn === undefined ? undefined : milliseconds(token.expiresIn),
      otherCertificate: token.certificate === "other",
      tokenType: token.tokenType,
      revoke: token.revoke ?? false,
    },
    page: shape.page,
  };
}

function compileDelay(shape: NonNullable<FaultShape["delay"]>): Delay {
  if (typeof shape === "string") return { kind: "fixed", duration: milliseconds(shape) };
  if ("min" in shape) return { kind: "uniform", min: milliseconds(shape.min), max: milliseconds(shape.max) };
  const median = milliseconds(shape.median);
  const max = shape.max === undefined ? Math.min(median * longestTail, longestDelay) : milliseconds(shape.max);
  return { kind: "lognormal", median, sigma: shape.sigma, max };
}

function compileConnection(shape: NonNullable<FaultShape["connection"]>): ConnectionFault {
  const { kind, ...details } = typeof shape === "string" ? { kind: shape } : shape;
  switch (kind) {
    case "hang":
    case "drip":
      return { kind, duration: milliseconds("duration" in details ? details.duration : scenarioDefaults[kind]) };
    case "truncate":
      return { kind, after: "after" in details ? details.after : undefined };
    case "reset":
      return "when" in details && details.when !== undefined ? { kind, when: details.when } : { kind };
    case "goaway":
      return { kind, code: scenarioDefaults.goaway, lastStream: "this", ...details };
    default:
      return { kind };
  }
}

function compileStream(shape: NonNullable<FaultShape["stream"]>): StreamFault {
  if (shape === "refused") return { kind: "refused" };
  return { kind: "reset", code: typeof shape === "string" ? scenarioDefaults.streamReset : shape.code };
}

type ErrorShape = Exclude<NonNullable<FaultShape["error"]>, string>;

function compileError({ code, status, message, headers = {}, retryAfter }: ErrorShape): Fault["error"] {
  return { code, status, message, headers, retryAfter: compileRetryAfter(retryAfter) };
}

function compileRetryAfter(shape: ErrorShape["retryAfter"]): RetryAfter | undefined {
  if (shape === undefined) return undefined;
  const { in: wait = 0, format = "seconds" } = compileWait(shape);
  return { in: wait, format };
}

type WaitShape = NonNullable<NonNullable<FaultShape["rateLimit"]>["retryAfter"]>;

function compileWait(shape: WaitShape): Partial<RetryAfter> {
  if (typeof shape === "string") return { in: milliseconds(shape) };
  return {
    ...(shape.in === undefined ? {} : { in: milliseconds(shape.in) }),
    ...(shape.format === undefined ? {} : { format: shape.format }),
  };
}

function compileResponse(shape: NonNullable<FaultShape["respond"]>): Fault["respond"] {
  const { body, headers = {}, retryAfter } = shape;
  const isText = typeof body === "string" || body === undefined;
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const contentType =
    typed || body === undefined ? {} : { "Content-Type": isText ? "text/plain; charset=utf-8" : "application/json" };
  return {
    status: shape.status,
    headers: { ...contentType, ...headers },
    retryAfter: compileRetryAfter(retryAfter),
    body: isText ? (body ?? "") : JSON.stringify(body),
  };
}

/** Makes the expectation from its written form. */
export function compileExpectation({
  outcome,
  checks = [],
  requests = {},
}: NonNullable<ScenarioShape["expect"]>): Expectation {
  return { outcome, checks, requests };
}

/** The schema has checked that it is a duration. It does not convert it: zod would leave the examples out of the JSON Schema. */
function milliseconds(text: string): number {
  return parseDuration(text) ?? 0;
}
