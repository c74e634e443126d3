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
    value: "X-Correlation-ID" as string,
  },
  "correlation.format": {
    section: "7 rule 3",
    point: "required format of the correlation ID",
    choice:
      "a UUID (any version, any case); `uuid`, or a regular expression that the whole value must match, matched in linear time",
    why: "the most common format; a bad value is never echoed",
    named: "the refusal of another format",
    refuses: "INVALID_CORRELATION_ID",
    value: "uuid" as string,
  },
  "correlation.required": {
    section: "7 rule 3",
    point: "whether the correlation ID must be sent",
    choice: "no",
    why: "§4.2 shows ping without it",
    named: "the refusal of a request without it, where it is configured as required",
    refuses: "INVALID_CORRELATION_ID",
    value: false as boolean,
  },
  "request.unknown-parameters": {
    section: "4",
    point: "what happens to a query parameter that an operation does not know",
    choice:
      "it is ignored, and named on the console and in the journal (`ignore`); or refused: 400 VALIDATION_ERROR (`refuse`); one whose name is not validly encoded is refused in any case. A list may do something else (`unknownParameters`)",
    why: "most services ignore them; a misspelt filter is a mistake that nobody sees",
    named: "an answer to a request that has one, unless an earlier check refused the request",
    refuses: "VALIDATION_ERROR",
    value: "ignore" as "ignore" | "refuse",
  },
  "ping.response": {
    section: "4.2",
    point: "the answer of ping without `produceError`",
    choice: '200 `{"status":"OK"}`',
    why: "a body that says what happened",
    named: "ping's answer",
    value: { status: 200 as number, body: { status: "OK" } as unknown },
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
