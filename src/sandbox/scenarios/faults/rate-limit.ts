import * as z from "zod";
import { day, parseDuration, second } from "../../../base/text/duration.js";
import { compileWait, limitHeaders, wait, waitAs, waitsOnce } from "../answer-schema.js";
import { defineFault } from "../define-fault.js";
import { duration, keys, milliseconds, positive } from "../schema-values.js";
import { time } from "../words.js";

export const rateLimit = defineFault({
  name: "rateLimit",
  description:
    "Answer 429 `TOO_MANY_REQUESTS` with `Retry-After` beyond a rate: a token bucket for each client. It acts where `error` does.",
  examples: [
    { limit: 10, per: "1s" },
    { limit: 10, per: "1s", retryAfter: { in: "2s", format: "date" } },
    { limit: 10, per: "1s", retryAfter: "none", headers: { RateLimit: '"default";r=0;t=1' } },
  ],
  schema: z
    .strictObject(
      {
        limit: positive.describe("How many requests fit into the bucket."),
        per: duration("How long an empty bucket takes to fill; at most a day.", day).refine(
          (value) => parseDuration(value) !== 0,
          "give at least 1ms",
        ),
        retryAfter: waitAs(wait.describe("The wait, instead of that.").optional())
          .describe("By default in seconds, until the bucket has room.")
          .optional(),
        headers: limitHeaders.optional(),
      },
      keys,
    )
    .superRefine(waitsOnce),
  acts: "among-checks",
  makes: "limit",
  idle: "the limit was not reached",
  isUnalterable: true,
  compile: ({ limit, per, retryAfter, headers = {} }) => ({
    limit,
    headers,
    per: milliseconds(per),
    retryAfter: compileWait(retryAfter ?? {}),
  }),
  words: ({ limit, per }) => `429 beyond ${limit} requests in ${time(per)}`,
  asksToWait: ({ retryAfter }) => retryAfter !== "none",
  /** RFC 6585 §4. */
  async onCheck({ limit, per, headers, retryAfter }, request) {
    // A replay has no bucket.
    const wait = request.counter ? await request.counter.take({ limit, per }, request.now) : per / limit;
    if (wait <= 0) return;
    request.acts();
    request.refuse({
      code: "TOO_MANY_REQUESTS",
      headers,
      retryAfter: retryAfter === "none" ? "none" : { in: Math.max(wait, second), format: "seconds", ...retryAfter },
    });
  },
});
