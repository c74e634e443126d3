import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { ping, refusedPing, token } from "../../conversation.js";
import { type Answered, answeredBy, isSentAfter } from "../../known/sending.js";
import { mostTokens, mostUnaware } from "../../known/tokens.js";

const message = "A token was sent again after it was refused with invalid_token.";

/** A token that was refused. */
interface Refused {
  readonly answer: Answered;
  /** Requests that had it afterwards. */
  readonly later: number;
  /** The last of them, as long as the client has not sent another token. */
  readonly doubtful: number | undefined;
}

export const refused = defineCheck({
  id: "token.refused",
  level: "must",
  source: "RFC 6750 §3.1",
  exercisedBy: "a refusal with invalid_token of a token over the certificate that it was issued to",
  failsWhen: "a token is sent again, to any operation, after it was refused with invalid_token",
  excuses: [
    "another worker that does not know of the refusal sent it, at most sixteen times and once per call",
    "the client gave up the answer unread",
  ],
  fix: "Discard a token that is refused with invalid_token, and request a new one.",
  begin: () => ({ tokens: new Map<string, Refused>() }),
  exchange(observed, { finding, state: { tokens }, known }) {
    const { id, token: hash, thumbprint, status, ending, invalidToken, tokenRequest } = observed;
    const token = known.tokens.of(observed);
    // A client that sends another token has discarded those that were refused.
    if (tokenRequest === undefined)
      for (const [other, before] of tokens)
        if (other !== hash && isSentAfter(observed, known.sent, before.answer) === true)
          finding.exercise(before.answer.id);
    if (hash === undefined || token === undefined) return;
    const before = tokens.get(hash);
    if (before !== undefined && observed.arrivedAt >= before.answer.releasedAt) {
      finding.withdraw(before.answer.id);
      const isAfter = isSentAfter(observed, known.sent, before.answer) === true;
      // The client may have given up the first refusal. It has not given up one after the other.
      const isRead = known.reading.isProven(before.answer);
      const later = before.later + (isAfter && invalidToken ? 1 : 0);
      remember(tokens, hash, { ...before, later, doubtful: isAfter ? id : before.doubtful }, mostTokens);
      const proof = known.tokenSentAgain(hash);
      if (proof !== undefined) finding.fail(message, proof);
      // No call of an operation authorises the token endpoint: a token there was never its first attempt.
      else if (later > mostUnaware || (isAfter && isRead && tokenRequest !== undefined))
        finding.fail(message, [before.answer.id, id]);
    }
    if (status !== 401 || ending !== "delivered" || !invalidToken || thumbprint !== token.thumbprint) return;
    if (before !== undefined) return;
    finding.exercise(id);
    remember(tokens, hash, { answer: answeredBy(observed, known.sent), later: 0, doubtful: undefined }, mostTokens);
  },
  /** Of a client that was never seen to have two requests open at once, it is likely that it knew. */
  conclude({ finding, state: { tokens }, known }) {
    const now = finding.copy();
    for (const { answer, doubtful } of tokens.values())
      if (doubtful !== undefined && known.isAlone) now.suspect(message, [answer.id, doubtful]);
    return now;
  },
  fails: {
    plain: [token(), ping()],
    steps: [token(), refusedPing(), refusedPing()],
  },
  innocent: {
    plain: [token(), ping(), ping()],
    steps: [
      token(),
      refusedPing(),
      refusedPing({ connection: 2, ordinal: 1, begunAt: 990, arrivedAt: 1001 }),
      token("second"),
      ping({ token: "second" }),
      ping({ token: "second" }),
    ],
  },
});
