import * as z from "zod";
import {
  chunked,
  compileRetryAfter,
  hasWait,
  headersWith,
  headerValues,
  retryAfter,
  waitsOnce,
} from "../answer-schema.js";
import { defineFault } from "../define-fault.js";
import type { GivenAnswer } from "../fault.js";
import { keys, status } from "../schema-values.js";

export const respond = defineFault({
  name: "respond",
  description: "Answer with exactly this. It acts where `error` does.",
  examples: [
    { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad Gateway</h1>" },
    { status: 400, body: { message: "Something new.", code: "SOMETHING_NEW" } },
    { status: 503, retryAfter: { in: "5s", format: "date" } },
    { status: 200, headers: { Link: ['</a>; rel="first"', '</b>; rel="last"'] }, body: { status: "OK" } },
    { status: 200, body: { status: "OK" }, chunked: true },
  ],
  schema: z
    .strictObject(
      {
        status: status(200).describe("The status."),
        headers: headersWith(headerValues)
          .describe(
            "Without a `Content-Type`, it is derived from the body. With a list, a header is sent once for each value.",
          )
          .optional(),
        retryAfter: retryAfter.optional(),
        body: z.json().describe("A text is sent as it is, anything else as JSON.").optional(),
        chunked: chunked.optional(),
      },
      keys,
    )
    .superRefine(waitsOnce),
  acts: "among-checks",
  makes: "response",
  isUnalterable: true,
  compile({ status, headers = {}, retryAfter, body, chunked = false }): GivenAnswer {
    const isText = typeof body === "string" || body === undefined;
    const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
    const type = isText ? "text/plain; charset=utf-8" : "application/json";
    return {
      status,
      headers: { ...(isTyped || body === undefined ? {} : { "Content-Type": type }), ...headers },
      retryAfter: compileRetryAfter(retryAfter),
      body: isText ? (body ?? "") : JSON.stringify(body),
      chunked,
    };
  },
  words: ({ status, chunked }) => `an answer of its own with status ${status}${chunked ? ", in chunks" : ""}`,
  asksToWait: (given) => hasWait(given),
  onCheck(given, request) {
    request.acts();
    request.answer(given);
  },
});
