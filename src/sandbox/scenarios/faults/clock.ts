import * as z from "zod";
import { day } from "../../../base/text/duration.js";
import { defineFault } from "../define-fault.js";
import { duration, keys, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const clock = defineFault({
  name: "clock",
  description:
    "Move the client's clock forward from this request on, so that a token expires in the middle of a walk without waiting. It can be combined with any other fault.",
  examples: [{ advance: "301s" }],
  schema: z.strictObject({ advance: duration("How far; at most 366 days.", 366 * day) }, keys),
  acts: "always",
  compile: ({ advance }) => ({ advance: milliseconds(advance) }),
  words: ({ advance }) => `the client's clock moves ${time(advance)} on`,
  async onArrival({ advance }, request) {
    // A peer without a client has no clock.
    if (await request.advanceClock(advance)) request.acts();
    return undefined;
  },
});
