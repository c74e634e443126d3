import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { ping, refusedPing, token } from "../../conversation.js";
import { Finding } from "../../finding.js";
import { requestOf } from "../../known/same-request.js";

/** How many requests of a client are remembered that were refused and not sent again. */
const most = 64;

export const retried = defineCheck({
  id: "token.retried",
  level: "should",
  source: "RFC 6750 §3.1",
  exercisedBy:
    "a request that is refused with invalid_token and sent again, by a client that has finished (exit status 0)",
  failsWhen: "the client has finished, and never sent a request again that was refused with invalid_token",
  excuses: ["list.lost-page judges pages"],
  fix: "Get a new token after a 401 and send the request once more, or report the error.",
  begin: () => ({ pending: new Map<string, number>() }),
  exchange(observed, { finding, state: { pending } }) {
    const { id, operation, ending, invalidToken, expected, tokenSent, tokenRequest } = observed;
    if (tokenRequest !== undefined || tokenSent === "nowhere" || operation === "list") return;
    const key = requestOf(observed);
    const before = pending.get(key);
    if (before !== undefined) finding.exercise(before);
    pending.delete(key);
    if (ending === "delivered" && invalidToken && expected === undefined) remember(pending, key, id, most);
  },
  conclude: ({ finding, state: { pending } }, finish) =>
    finish === undefined
      ? new Finding()
      : finding.withPending(pending.values(), "A request was refused with invalid_token, and never sent again."),
  giveUp: ({ pending }) => pending.clear(),
  fails: { steps: [refusedPing()], finish: "ended-with-0" },
  innocent: {
    steps: [token(), refusedPing(), token("second"), ping({ token: "second" })],
    finish: "ended-with-0",
  },
});
