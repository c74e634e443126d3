import { defineCheck } from "../../check.js";
import { ping, refusedPing, token } from "../../conversation.js";
import type { Known } from "../../known/known.js";
import { bearer, type IssuedToken, kindOf } from "../../known/tokens.js";
import type { ExchangeObservation } from "../../observation.js";
import { wereOpenTogether } from "./shared.js";

/** Whether a token with a shorter lifetime was needed is not judged, in milliseconds. */
const shortestLifetime = 120_000;

/** A token that would have served instead of a new one, and how long it was still valid, in milliseconds. */
function usable(observed: ExchangeObservation, kind: string, { tokens, sent }: Known) {
  const { arrivedAt, connection, stream } = observed;
  const hasArrived = (token: IssuedToken) => token.wasUsed || (connection === token.connection && stream === undefined);
  for (const token of tokens.all()) {
    const { lifetime, releasedAt } = token;
    if (!hasArrived(token) || token.kind !== kind || token.type !== bearer || token.rejected) continue;
    if (lifetime === undefined || lifetime < shortestLifetime) continue;
    const left = releasedAt + lifetime - arrivedAt;
    if (releasedAt >= arrivedAt || releasedAt > sent.at || left <= lifetime / 2) continue;
    return { token, left, lifetime };
  }
  return undefined;
}

export const reused = defineCheck({
  id: "token.reused",
  level: "should",
  source: "§4.1 rule 3",
  exercisedBy: "a second authorised request",
  failsWhen:
    "a token is requested although another for the same certificate and scope was not refused, and has more than half of its lifetime left",
  excuses: [
    "the client gave up the answer with the other token, and used neither it nor its connection",
    "the request may have been sent before it came",
    "the announced lifetime is under 120 s",
  ],
  fix: "Cache the token, and use it until shortly before it expires.",
  begin: () => ({ authorised: 0 }),
  exchange(observed, { finding, state, known }) {
    const { id, tokenSent, tokenRequest } = observed;
    if (tokenRequest === undefined) {
      if (tokenSent === "nowhere") return;
      state.authorised += 1;
      if (state.authorised > 1) finding.exercise(id);
      return;
    }
    const kind = kindOf(observed);
    if (kind === undefined || wereOpenTogether(observed, known.tokens.before(kind))) return;
    const found = usable(observed, kind, known);
    if (found === undefined) return;
    const seconds = `${Math.floor(found.left / 1000)} of ${Math.round(found.lifetime / 1000)} s`;
    finding.fail(`A token was requested although another for the same certificate and scope had ${seconds} left.`, [
      found.token.request,
      id,
    ]);
  },
  fails: { steps: [token(), token("second")] },
  innocent: { steps: [token(), refusedPing(), token("second"), ping({ token: "second" })] },
});
