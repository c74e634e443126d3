import * as z from "zod";
import { defineFault } from "../define-fault.js";

/** RFC 9110 §15.4: a client may follow each of them with the same method, if that is GET. */
const statuses = [301, 302, 307, 308] as const;

export const redirect = defineFault({
  name: "redirect",
  description:
    "Redirect with 301, 302, 307 or 308 to the same path at another host: `127.0.0.1` if the request was sent to `localhost`, otherwise `localhost`. The same sandbox sees there whether the token comes along. It acts where `error` does.",
  examples: [307, 302],
  schema: z.literal(statuses, `give one of ${statuses.join(", ")}`),
  acts: "among-checks",
  makes: "redirect",
  isUnalterable: true,
  compile: (status): number => status,
  words: (status) => `a redirect to another host with status ${status}`,
  onCheck(status, request) {
    request.acts();
    const headers = { Location: request.otherUrl };
    request.answer({ status, headers, retryAfter: undefined, body: "", chunked: false });
  },
});
