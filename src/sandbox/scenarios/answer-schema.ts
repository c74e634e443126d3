import * as z from "zod";
import { day } from "../../base/text/duration.js";
import { definedOnly } from "../../base/text/json-object.js";
import { thousands } from "../../base/text/numbers.js";
import { type AnswerHeaders, framingHeaders, inTurn, singleValued } from "../connection/header-names.js";
import { longestHeaders, mostHeaders } from "./defaults.js";
import type { RetryAfter } from "./retry-after.js";
import { duration, headerName, headerValue, keys, milliseconds, oneOf, onlyTrue } from "./schema-values.js";

// What several faults say of an answer.

const framingMessage =
  "leave out Content-Length, Transfer-Encoding and Trailer: the sandbox sets them itself; to cut a body short, use connection: truncate";
/**
 * Each answer states its true length. A wrong length would corrupt the answers that follow on the connection, and those
 * answers would not name the rule.
 */
const leavesFraming = (value: Readonly<Record<string, unknown>>) =>
  !Object.keys(value).some((key) => framingHeaders.has(key.toLowerCase()));
/** Names are compared without regard to case (RFC 9110 §5.1), so two spellings are one header with two values. */
function namesOnce(value: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  const seen = new Map<string, string>();
  for (const name of Object.keys(value)) {
    const before = seen.get(name.toLowerCase());
    const message = `the header is given twice, as ${before} and as ${name}: give it once`;
    if (before !== undefined) context.addIssue({ code: "custom", path: [name], message });
    seen.set(name.toLowerCase(), name);
  }
}

/** What can be said of a header. */
type Written = AnswerHeaders[string] | null;

const oneValueMessage = "this header has one value: give a text, in quotes";
/** A second value would be no answer of HTTP, and HTTP/2 would not send it. */
function repeatsOnlyLists(value: Readonly<Record<string, Written>>, context: z.RefinementCtx): void {
  for (const [name, given] of Object.entries(value))
    if (Array.isArray(given) && singleValued.has(name.toLowerCase()))
      context.addIssue({ code: "custom", path: [name], message: oneValueMessage });
}

/** With another value, a connection would stay open that the sandbox decided to close. */
const closesOnly = (value: Readonly<Record<string, Written>>) =>
  Object.entries(value).every(
    ([name, text]) => name.toLowerCase() !== "connection" || typeof text !== "string" || text.toLowerCase() === "close",
  );
const closesOnlyMessage =
  "the only value of Connection that can be given is close: the sandbox itself keeps connections open";

/** HTTP/2 streams carry at most 64 KiB of headers, names included. */
const isSendable = (value: Readonly<Record<string, Written>>) => {
  const all = inTurn(withoutNull(value));
  return Math.max(Object.keys(value).length, all.length / 2) <= mostHeaders && all.join("").length <= longestHeaders;
};
/** Names count also where the header is removed. */
const withoutNull = (value: Readonly<Record<string, Written>>): AnswerHeaders =>
  Object.fromEntries(Object.entries(value).map(([name, given]) => [name, given ?? ""]));
const sendableMessage = `give at most ${mostHeaders} headers, of ${thousands(longestHeaders)} characters together`;

/** Headers by their names, with values of one kind. */
export function headersWith<Value extends z.ZodType<Written>>(value: Value) {
  return z
    .record(headerName, value, keys)
    .refine(isSendable, sendableMessage)
    .refine(leavesFraming, framingMessage)
    .refine(closesOnly, closesOnlyMessage)
    .superRefine(namesOnce)
    .superRefine(repeatsOnlyLists);
}

/** The value of a header, or several: the header is sent once for each. */
export const headerValues = z.union([
  headerValue,
  z
    .array(headerValue, "give a text, in quotes, or a list of them")
    .min(1, "give at least one value in a list")
    .describe("The header is sent once for each."),
]);

export const answerHeaders = headersWith(headerValue);

const waitDescription = "How long to wait; at most a day.";
export const wait = duration(waitDescription, day);
const loneWait = duration(waitDescription, day, "; or none");
const format = oneOf(["seconds", "date"], "format").describe(
  "`seconds`, the default, or `date`: an HTTP date by the clock of the client in the sandbox, as the header `Date`.",
);

/** For an answer that would usually tell a wait. */
const withoutWait = z.literal("none").describe("No `Retry-After`: the answer does not say how long to wait.");

/**
 * A wait, alone or with its format, or none.
 * @param member the schema of the wait with a format
 */
export function waitAs<Member extends z.ZodType>(member: Member) {
  return z.union(
    [
      loneWait,
      withoutWait,
      z.strictObject({ in: member, format: format.optional() }).describe("The wait, and its format."),
    ],
    'give a duration such as "5s", { in: 5s, format: date }, or none',
  );
}

export const retryAfter = waitAs(wait).describe("The header `Retry-After`; a duration is sent in seconds.");

interface Waiting {
  readonly retryAfter?: unknown;
  readonly headers?: AnswerHeaders | undefined;
}

/** For an answer beyond a limit. */
export const limitHeaders = answerHeaders.describe(
  "Further headers, or other values, such as `RateLimit: '\"default\";r=0;t=30'`.",
);

/** Whether an answer has `Retry-After`. */
export function hasWait({ retryAfter, headers = {} }: Waiting): boolean {
  return (retryAfter !== undefined && retryAfter !== "none") || Object.keys(headers).some(isRetryAfter);
}

/** With two waits in one answer, it would depend on the client which one counts. */
export function waitsOnce({ retryAfter, headers = {} }: Waiting, context: z.RefinementCtx): void {
  const name = Object.keys(headers).find(isRetryAfter);
  if (retryAfter === undefined || name === undefined) return;
  context.addIssue({ code: "custom", path: ["headers", name], message: "give retryAfter or this header, not both" });
}

function isRetryAfter(header: string): boolean {
  return header.toLowerCase() === "retry-after";
}

export const chunked = onlyTrue.describe(
  "Send the body in two chunks, without its length: over HTTP/1.1 `Transfer-Encoding: chunked`, over HTTP/2 no `content-length`. An answer without a body stays as it is.",
);

interface WrittenWait {
  readonly in?: string | undefined;
  readonly format?: RetryAfter["format"] | undefined;
}

/** The members that are given. */
export function compileWait(written: string | WrittenWait): Partial<RetryAfter> | "none" {
  if (written === "none") return written;
  if (typeof written === "string") return { in: milliseconds(written) };
  const { in: wait, format } = written;
  return definedOnly({ in: wait === undefined ? undefined : milliseconds(wait), format });
}

export function compileRetryAfter(written: string | WrittenWait | undefined): RetryAfter | "none" | undefined {
  if (written === undefined) return undefined;
  const wait = compileWait(written);
  return wait === "none" ? wait : { in: 0, format: "seconds", ...wait };
}
