import type { ZodType } from "zod";
import { headerNamePattern, headersInUse } from "../connection/header-names.js";
import type { Assumption } from "./assumption.js";

/** Points that concern all requests, and ping. */
export const requestAssumptions = {
  "checks.order": {
    section: "7",
    point: "which error wins when several apply",
    choice:
      "route, method, peer and token, scope, correlation ID, parameters (those of the path, page size, dates and filters, cursor, unknown ones); of a token request route, method, form, other authentication, correlation ID, grant type, client, scope",
    why: "an unregistered peer learns nothing about parameters",
    named: "a refusal by a check that rests on an assumption",
    key: null,
  },
  "correlation.header": {
    section: "7 rule 3",
    point: "name of the header that carries the correlation ID",
    choice: "`X-Correlation-ID`, optional, sent at most once, echoed in the answer, made when absent",
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
    point: "required format of the correlation ID",
    choice:
      "a UUID (any version, any case); `uuid`, or a regular expression that the whole value must match, matched in linear time",
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
    named: "the refusal of a request without it, where it is configured as required",
    refuses: "INVALID_CORRELATION_ID",
    value: false,
    schema: ({ z }) => z.boolean("give true or false"),
    another: { value: true, effect: "a request without a correlation ID is refused with 400 INVALID_CORRELATION_ID" },
  },
  "request.unknown-parameters": {
    section: "4",
    point: "what happens to a query parameter that an operation does not know",
    choice:
      "it is ignored, and named on the console and in the journal (`ignore`); or refused: 400 VALIDATION_ERROR (`refuse`); one whose name is not validly encoded is refused in any case. A list may do something else (`unknownParameters`)",
    why: "most services ignore them; a misspelt filter is a mistake that nobody sees",
    named: "an answer to a request that has one, unless an earlier check refused the request",
    refuses: "VALIDATION_ERROR",
    value: "ignore",
    schema: ({ z }) => z.enum(["ignore", "refuse"]),
    another: { value: "refuse", effect: "ping with an unknown parameter is refused with 400" },
  },
  "ping.response": {
    section: "4.2",
    point: "the answer of ping without `produceError`",
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
    point: "answer to a `produceError` that is neither `true` nor `false`, or repeated",
    choice: "400 VALIDATION_ERROR",
    why: "the parameter is a boolean",
    error: "VALIDATION_ERROR",
    message: "The parameter produceError must be true or false, and sent once.",
  },
} as const satisfies Record<
  `checks.${string}` | `correlation.${string}` | `request.${string}` | `ping.${string}`,
  Assumption
>;
