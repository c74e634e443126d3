import { defineCheck } from "../../check.js";
import { token } from "../../conversation.js";
import { onTheirWay } from "../../known/sending.js";
import { bearer, type EndedRequest, kindOf } from "../../known/tokens.js";
import type { ExchangeObservation } from "../../observation.js";

/**
 * Whether a token request arrived before another one had its answer. A request on a connection that began before that
 * answer may also have been sent before the answer, and read after it.
 */
export function wereOpenTogether(request: ExchangeObservation, before: EndedRequest | undefined): boolean {
  if (before === undefined) return false;
  const { arrivedAt, begunAt, ordinal } = request;
  const { endedAt } = before;
  if (arrivedAt < endedAt) return true;
  const good = before.token?.type === bearer && !before.token.rejected;
  return good && ordinal === 1 && begunAt < endedAt && arrivedAt < endedAt + onTheirWay;
}

export const shared = defineCheck({
  id: "token.shared",
  level: "should",
  source: "RFC 6749 §1.4, good practice",
  exercisedBy: "a second token request",
  failsWhen: "two token requests for one certificate and scope are open at once",
  excuses: ["the client gave up the first request"],
  fix: "Let parallel requests share one token request.",
  begin: () => ({ requests: 0 }),
  exchange(observed, { finding, state, known }) {
    const kind = kindOf(observed);
    if (kind === undefined) return;
    const { id } = observed;
    state.requests += 1;
    if (state.requests > 1) finding.exercise(id);
    const before = known.tokens.before(kind);
    if (before !== undefined && wereOpenTogether(observed, before))
      finding.fail("A token was requested while another request for the same token was open.", [before.id, id]);
  },
  fails: {
    steps: [
      token("first", { arrivedAt: 1000, releasedAt: 1050, overAt: 1050 }),
      token("second", { connection: 2, ordinal: 1, arrivedAt: 1020, releasedAt: 1060, overAt: 1060 }),
    ],
  },
  innocent: {
    steps: [
      token("first", { arrivedAt: 1000, releasedAt: 2050, overAt: 2050, endedByClient: true, ending: "abandoned" }),
      token("second", { connection: 2, ordinal: 1, arrivedAt: 2020, releasedAt: 2060, overAt: 2060 }),
    ],
  },
});
