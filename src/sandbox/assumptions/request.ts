import type { ZodType } from "zod";
import { headerNamePattern, headersInUse } from "../connection/header-names.js";
import type { Assumption } from "./assumption.js";

/** Points that concern all requests, and ping. */
export const requestAssumptions = {
  "checks.order": {
    section: "7",
    point: "which of several errors wins",
    choice:
      "route, method, peer and token, scope, correlation ID, parameters (of the path, page size, dates and filters, cursor, unknown ones); for a token request route, method, form, other authentication, correlation ID, grant type, client, scope",
    why: "an unregistered peer learns nothing about parameters",
    named: "a refusal by an assumption's check",
    key: null,
  },
  "correlation.header": {
    section: "7 rule 3",
    point: "header with the correlation ID",
    choice: "optional, sent at most once, echoed in the answer, made when absent",
    why: "the most common name",
    named: "the refusal of a repeated header; the header itself is on every answer",
    refuses: "INVALID_CORRELATION_ID",
    value: "X-Correlation-ID",
    schema: ({ text }) =>
      text
        .regex(headerNamePattern, "give the name of a header")
        .refine((name) => !headersInUse.has(name.toLowerCase()), "this header has a meaning of its own"),
    another: { value: "X-Trace", effect: "the correlation ID of answers is in this header" },
  },
  "correlation.format": {
    section: "7 rule 3",
    point: "format of the correlation ID",
    choice: "`uuid` (any version, any case), or a regular expression for the whole value, matched in linear time",
    why: "the most common format; a bad value is never echoed",
    named: "the refusal of another format",
    refuses: "INVALID_CORRELATION_ID",
    value: "uuid",
    schema: ({ text }) => text,
    another: { value: "[a-z]{3}-\\d|x", effect: "only a match of the whole pattern is accepted, and a UUID is not" },
  },
  "correlation.required": {
    section: "7 rule 3",
    point: "whether the correlation ID must be sent",
    choice: "no",
    why: "§4.2 shows ping without it",
    named: "the refusal without it",
    refuses: "INVALID_CORRELATION_ID",
    value: false,
    schema: ({ z }) => z.boolean("give true or false"),
    another: { value: true, effect: "a request without a correlation ID is refused with 400 INVALID_CORRELATION_ID" },
  },
  "request.unknown-parameters": {
    section: "4",
    point: "a query parameter that an operation does not know",
    choice:
      "`ignore`, and name it on the console and in the journal; or `refuse` it with 400 VALIDATION_ERROR, as one whose name is not validly encoded always is. A list may have its own `unknownParameters`",
    why: "most services ignore them; a misspelt filter is a mistake that nobody sees",
    named: "an answer to a request that has one, unless an earlier check refused it",
    refuses: "VALIDATION_ERROR",
    value: "ignore",
    schema: ({ z }) => z.enum(["ignore", "refuse"]),
    another: { value: "refuse", effect: "ping with an unknown parameter is refused with 400" },
  },
  "ping.response": {
    section: "4.2",
    point: "answer to ping without `produceError`",
    choice: '200 `{"status":"OK"}`',
    why: "a body that says what happened",
    named: "ping's answer",
    value: { status: 200, body: { status: "OK" } },
    schema: ({ z }) =>
      z.strictObject({
        status: z.int().min(200, "give a status from 200 to 299").max(299, "give a status from 200 to 299"),
        body: z.json() as ZodType<unknown>,
      }),
    another: { value: { status: 207, body: ["pong", { at: null }] }, effect: "ping has this status and this body" },
  },
  "ping.produce-error": {
    section: "4.2",
    point: "answer to a `produceError` that is repeated, or neither `true` nor `false`",
    choice: "400 VALIDATION_ERROR",
    why: "the parameter is a boolean",
    error: "VALIDATION_ERROR",
    message: "The parameter produceError must be true or false, and sent once.",
  },
} as const satisfies Record<
  `checks.${string}` | `correlation.${string}` | `request.${string}` | `ping.${string}`,
  Assumption
>;
