import * as z from "zod";
import { compileRetryAfter, limitHeaders, retryAfter, waitsOnce } from "../answer-schema.js";
import { defineFault } from "../define-fault.js";
import { keys, positive } from "../schema-values.js";

export const concurrency = defineFault({
  name: "concurrency",
  description:
    "Answer 429 `TOO_MANY_REQUESTS` with `Retry-After` while `limit` requests of the rule are open. A `delay` in the same rule holds requests open; a refused one does not wait. A request without a good token does not count. It acts where `error` does.",
  examples: [
    { limit: 2, headers: { RateLimit: '"default";r=0;t=1' } },
    { limit: 2, retryAfter: { in: "1s", format: "seconds" } },
  ],
  schema: z
    .strictObject(
      {
        limit: positive.describe("How many requests may be open at once."),
        retryAfter: retryAfter.describe("By default 1 second.").optional(),
        headers: limitHeaders.optional(),
      },
      keys,
    )
    .superRefine(waitsOnce),
  acts: "among-checks",
  makes: "limit",
  idle: "the limit was not reached",
  isUnalterable: true,
  compile: ({ limit, retryAfter, headers = {} }) => ({ limit, headers, retryAfter: compileRetryAfter(retryAfter) }),
  words: ({ limit }) => `429 while ${limit} others are open`,
  asksToWait: ({ retryAfter }) => retryAfter !== "none",
  async onArrival({ limit, headers, retryAfter }, request) {
    // A request that is refused for its certificate, token or scope does not count.
    if (!(await request.isAccepted())) return undefined;
    const { counter } = request;
    // A replay is not counted, and always refused.
    if (counter && (await counter.enter(limit))) {
      request.onceOver(() => counter.leave());
      return undefined;
    }
    return () => {
      request.acts();
      return request.refuse({ code: "TOO_MANY_REQUESTS", headers, retryAfter });
    };
  },
});
