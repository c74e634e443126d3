import * as z from "zod";
import { refusalAssumptionIds } from "../../assumptions.js";
import { type ErrorCode, errorCodes } from "../../errors.js";
import { answerHeaders, compileRetryAfter, hasWait, retryAfter, waitsOnce } from "../answer-schema.js";
import { defineFault } from "../define-fault.js";
import type { GivenError } from "../fault.js";
import { oneOf, status, text } from "../schema-values.js";

const errorCode = oneOf([...(errorCodes as [ErrorCode, ...ErrorCode[]]), ...refusalAssumptionIds], "error code");

export const error = defineFault({
  name: "error",
  description:
    "Answer with an error as the sandbox itself gives it, with its configured status, message, headers and assumption; `TOO_MANY_REQUESTS` has `Retry-After: 1`. Give its code alone, or with changes. A code that the operation never gives by itself names no assumption. On every operation except token it acts after certificate, token and scope were accepted; on the token endpoint it acts at once.",
  examples: [
    "VALIDATION_ERROR",
    "bearer.invalid-token",
    { code: "SERVICE_UNAVAILABLE", message: "Back at noon.", headers: { "Retry-After": "30" } },
    { code: "SERVICE_UNAVAILABLE", status: 502, retryAfter: "5s" },
    { code: "SERVICE_UNAVAILABLE", retryAfter: { in: "5s", format: "date" } },
  ],
  schema: z.union([
    errorCode,
    z
      .strictObject({
        code: errorCode.describe("An error code, or the id of an assumption, such as `bearer.invalid-token`."),
        status: status(400).describe("Instead of the code's own.").optional(),
        message: text.describe("Instead of the code's own.").optional(),
        headers: answerHeaders.describe("Further headers, or other values.").optional(),
        retryAfter: retryAfter.optional(),
      })
      .superRefine(waitsOnce),
  ]),
  acts: "among-checks",
  makes: "error",
  compile(written): GivenError {
    const given = typeof written === "string" ? { code: written } : written;
    return { ...given, headers: given.headers ?? {}, retryAfter: compileRetryAfter(given.retryAfter) };
  },
  words: ({ code, status }) => `the error ${code}${status === undefined ? "" : ` with status ${status}`}`,
  asksToWait: (given) => hasWait(given),
  onCheck(given, request) {
    request.acts();
    request.refuse(given);
  },
});
