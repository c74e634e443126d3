import { defineCheck } from "../../check.js";
import { ping, token, wait } from "../../conversation.js";

/** How much later than its announced end a token may still arrive, in milliseconds. */
const graceAfterEnd = 1000;

export const expired = defineCheck({
  id: "token.expired",
  level: "should",
  source: "§5 point 6",
  exercisedBy: "a request more than a second after the announced end of a token",
  failsWhen: "a request carries a token more than a second after its announced end",
  excuses: [],
  fix: "Compute the end from expires_in, and renew the token before it.",
  exchange(observed, { finding, known: { tokens } }) {
    const { id, arrivedAt, tokenRequest } = observed;
    if (arrivedAt > tokens.firstEnd + graceAfterEnd) finding.exercise(id);
    const token = tokenRequest === undefined ? tokens.of(observed) : undefined;
    if (token?.lifetime === undefined) return;
    const late = arrivedAt - token.releasedAt - token.lifetime;
    if (late > graceAfterEnd)
      finding.fail(`A token was sent ${(late / 1000).toFixed(1)} s after its announced end.`, [token.request, id]);
  },
  fails: { steps: [token(), wait(302_000), ping()] },
  innocent: { steps: [token(), wait(300_500), ping(), wait(5000), token("second"), ping({ token: "second" })] },
});
