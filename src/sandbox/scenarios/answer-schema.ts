import * as z from "zod";
import { day, parseDuration } from "../../base/text/duration.js";
import { thousands } from "../../base/text/numbers.js";
import { refusalAssumptionIds } from "../assumptions.js";
import { framingHeaders } from "../connection/header-names.js";
import { type ErrorCode, errorCodes } from "../errors.js";
import { longestHeaders, longestRowPatch, mostHeaders, mostRows } from "./defaults.js";
import { duration, headerName, headerValue, keys, oneOf, positive, status, text } from "./schema-values.js";

// Faults that give an answer, or change one.

const errorCode = oneOf([...(errorCodes as [ErrorCode, ...ErrorCode[]]), ...refusalAssumptionIds], "error code");

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

/** With another value, a connection would stay open that the sandbox decided to close. */
const closesOnly = (value: Readonly<Record<string, string | null>>) =>
  Object.entries(value).every(
    ([name, text]) => name.toLowerCase() !== "connection" || text === null || text.toLowerCase() === "close",
  );
const closesOnlyMessage =
  "the only value of Connection that can be given is close: the sandbox itself keeps connections open";

/** HTTP/2 streams carry at most 64 KiB of headers, names included. */
const isSendable = (value: Readonly<Record<string, string | null>>) =>
  Object.keys(value).length <= mostHeaders && Object.entries(value).flat().join("").length <= longestHeaders;
const sendableMessage = `give at most ${mostHeaders} headers, of ${thousands(longestHeaders)} characters together`;

/** Headers by their names, with values of one kind. */
function headersWith<Value extends z.ZodType<string | null>>(value: Value) {
  return z
    .record(headerName, value, keys)
    .refine(isSendable, sendableMessage)
    .refine(leavesFraming, framingMessage)
    .refine(closesOnly, closesOnlyMessage)
    .superRefine(namesOnce);
}

const answerHeaders = headersWith(headerValue);

const wait = duration("How long the client is told to wait; at most a day.", day);
const format = oneOf(["seconds", "date"], "format").describe(
  "`seconds`, as by default, or `date`: an HTTP date. It is computed from real time, because the client reads its own clock.",
);

/** A wait, alone or with its format. @param member the schema of the wait with a format */
function waitAs<Member extends z.ZodType>(member: Member) {
  return z.union(
    [wait, z.strictObject({ in: member, format: format.optional() }).describe("The wait, and its format.")],
    'give a duration such as "5s", or { in: 5s, format: date }',
  );
}

const retryAfter = waitAs(wait).describe(
  "The header `Retry-After`: a duration, sent in seconds, or `{ in: 5s, format: date }`.",
);

interface Waiting {
  readonly retryAfter?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** With two waits in one answer, it would depend on the client which one counts. */
function waitsOnce({ retryAfter, headers = {} }: Waiting, context: z.RefinementCtx): void {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === "retry-after");
  if (retryAfter === undefined || name === undefined) return;
  context.addIssue({ code: "custom", path: ["headers", name], message: "give retryAfter or this header, not both" });
}

export const error = z
  .union([
    errorCode,
    z
      .strictObject({
        code: errorCode.describe(
          "A code of the error table, or the id of an assumption, such as `bearer.invalid-token`.",
        ),
        status: status(400).describe("The status, instead of the code's own.").optional(),
        message: text.describe("The message, instead of the code's own.").optional(),
        headers: answerHeaders
          .describe("Further headers of the answer, or other values instead of its own.")
          .optional(),
        retryAfter: retryAfter.optional(),
      })
      .superRefine(waitsOnce),
  ])
  .meta({
    description:
      "Answer with an error as the sandbox itself would give it: status, code, message, headers and the named assumption, as they are configured; `TOO_MANY_REQUESTS` has `Retry-After: 1`. A code that the operation never gives by itself names no assumption. Give a code of the table or the id of an assumption, alone or with another status, message, headers and `Retry-After`. On every operation except token it acts after certificate, token and scope were accepted; on the token endpoint it acts at once.",
    examples: [
      "VALIDATION_ERROR",
      "bearer.invalid-token",
      { code: "SERVICE_UNAVAILABLE", message: "Back at noon.", headers: { "Retry-After": "30" } },
      { code: "SERVICE_UNAVAILABLE", status: 502, retryAfter: "5s" },
      { code: "SERVICE_UNAVAILABLE", retryAfter: { in: "5s", format: "date" } },
    ],
  });

export const respond = z
  .strictObject(
    {
      status: status(200).describe("The status."),
      headers: answerHeaders.describe("The headers. Without a `Content-Type`, it is derived from the body.").optional(),
      retryAfter: retryAfter.optional(),
      body: z.json().describe("The body: a text is sent as it is, anything else as JSON.").optional(),
    },
    keys,
  )
  .superRefine(waitsOnce)
  .meta({
    description: "Answer with exactly this: any status, headers and body. It acts where `error` does.",
    examples: [
      { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad Gateway</h1>" },
      { status: 400, body: { message: "Something new.", code: "SOMETHING_NEW" } },
      { status: 503, retryAfter: { in: "5s", format: "date" } },
    ],
  });

export const rateLimit = z
  .strictObject(
    {
      limit: positive.describe("The number of requests that fit into the bucket."),
      per: duration("An empty bucket is full again after this time; at most a day.", day).refine(
        (value) => parseDuration(value) !== 0,
        "give at least 1ms",
      ),
      retryAfter: waitAs(wait.describe("The wait, instead of the time until the bucket has room.").optional())
        .describe("How `Retry-After` is given: by default in seconds, until the bucket has room.")
        .optional(),
    },
    keys,
  )
  .meta({
    description:
      "Answer 429 `TOO_MANY_REQUESTS` with `Retry-After` beyond a rate: a token bucket for each client, on the client's clock. It acts where `error` does.",
    examples: [
      { limit: 10, per: "1s" },
      { limit: 10, per: "1s", retryAfter: { in: "2s", format: "date" } },
    ],
  });

export const concurrency = z
  .strictObject(
    {
      limit: positive.describe("The number of requests that may be open at the same time."),
      retryAfter: retryAfter
        .describe("The header `Retry-After`: a duration, or `{ in: 5s, format: date }`. Without it: 1 second.")
        .optional(),
    },
    keys,
  )
  .meta({
    description:
      "Answer 429 `TOO_MANY_REQUESTS` with `Retry-After` while this many requests of the rule are open: those of the client, or with `share: all` those of all clients. A `delay` in the same rule holds requests open; a request that is refused does not wait. It acts where `error` does: a request without a good token is refused for that reason, and does not count as open.",
    examples: [{ limit: 2 }, { limit: 2, retryAfter: { in: "1s", format: "seconds" } }],
  });

/** How many elements the arrays of a body have together. */
function elementsIn(body: unknown): number {
  if (typeof body !== "object" || body === null) return 0;
  const inside = Object.values(body).reduce<number>((count, value) => count + elementsIn(value), 0);
  return Array.isArray(body) ? inside + body.length : inside;
}

const path = z
  .string("give the path of a member, such as items.reference")
  .max(200, "give at most 200 characters")
  .regex(/^[^.]+(\.[^.]+)*$/, "give the path of a member, such as items.reference");

export const alter = z
  .strictObject(
    {
      status: status(200).describe("The status, instead of the real one.").optional(),
      headers: headersWith(z.union([headerValue, z.null()], "give a text, in quotes, or null to remove the header"))
        .describe("Headers to set, or with `null` to remove.")
        .optional(),
      body: z
        .json()
        .describe(
          "A JSON Merge Patch (RFC 7396) of the body: members to set, or with `null` to remove. To set null, use `setNull`.",
        )
        .optional(),
      rows: z.json().describe("A JSON Merge Patch of each row of a page. Only lists have rows.").optional(),
      setNull: z
        .array(path, "give a list of paths")
        .min(1, "give at least one path")
        .max(20, "give at most 20 paths")
        .describe(
          "Members that become null, by their path. A path leads through every element of an array: `items.reference` is the reference of every row. A member that is missing is not added.",
        )
        .optional(),
    },
    keys,
  )
  .refine((value) => Object.keys(value).length > 0, "give status, headers, body, rows or setNull")
  .refine(({ rows }) => rows === undefined || JSON.stringify(rows).length <= longestRowPatch, {
    path: ["rows"],
    message: `give at most ${thousands(longestRowPatch)} characters of JSON: each row of a page repeats them`,
  })
  .refine(({ body, rows }) => body === undefined || rows === undefined || elementsIn(body) <= mostRows, {
    path: ["body"],
    message: `give at most ${mostRows} elements in arrays together with \`rows\`, which changes each row; or write the rows as they should be`,
  })
  .meta({
    description:
      "Change the real answer. It acts on every answer after certificate, token and scope were accepted, refusals included; on the token endpoint, it acts on every answer.",
    examples: [
      { body: { expires_in: 30, refresh_token: "not-for-you" } },
      { status: 203, headers: { "Content-Type": "text/plain", "X-Correlation-ID": null } },
      { rows: { category: "new", reference: null } },
      { setNull: ["items.reference"] },
    ],
    minProperties: 1,
  });
