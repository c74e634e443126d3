import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { ping, refusedPing, token } from "../../conversation.js";
import type { Finding } from "../../finding.js";
import type { Known } from "../../known/known.js";
import { answeredBy, isSentAfter } from "../../known/sending.js";
import { type Sequel, sequelOf, sequelWith } from "../../known/sequel.js";
import { mostTokens, mostUnaware } from "../../known/tokens.js";

const message = "A token was sent again after it was refused with invalid_token.";

/** A token that was refused. */
interface Refused extends Sequel {
  /** The last request to the token endpoint that carries it. */
  readonly toEndpoint: number | undefined;
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
    // A client that sends another token has discarded those that were refused: for certain, if it got it afterwards.
    if (tokenRequest === undefined)
      for (const [other, { answer }] of tokens) {
        const isNewer = token !== undefined && token.releasedAt > answer.releasedAt;
        if (other !== hash && (isNewer || isSentAfter(observed, known.sent, answer) === true))
          finding.exercise(answer.id);
      }
    const before = hash === undefined ? undefined : tokens.get(hash);
    if (hash !== undefined && before !== undefined && observed.arrivedAt >= before.answer.releasedAt) {
      finding.withdraw(before.answer.id);
      const sequel = sequelWith(before, observed, known.sent);
      const toEndpoint = tokenRequest === undefined ? before.toEndpoint : id;
      remember(tokens, hash, { ...sequel, toEndpoint }, mostTokens);
      const proof = known.tokenSentAgain(hash);
      if (proof !== undefined) finding.fail(message, proof);
      else if (sequel.later > mostUnaware) finding.fail(message, [before.answer.id, id]);
    }
    for (const each of tokens.values()) judgeEndpoint(finding, each, known);
    if (status !== 401 || ending !== "delivered" || !invalidToken || before !== undefined) return;
    if (hash === undefined || token === undefined || thumbprint !== token.thumbprint) return;
    finding.exercise(id);
    remember(tokens, hash, { ...sequelOf(answeredBy(observed, known.sent)), toEndpoint: undefined }, mostTokens);
  },
  /** Of a client that was never seen to have two requests open at once, it is likely that it knew. */
  conclude({ finding, state: { tokens }, known }) {
    const now = finding.copy();
    for (const { answer, doubtful, toEndpoint } of tokens.values()) {
      const last = doubtful ?? toEndpoint;
      if (last !== undefined && known.isAlone) now.suspect(message, [answer.id, last]);
    }
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

/** No call of an operation authorises the token endpoint: a token there was never its first attempt. */
function judgeEndpoint(finding: Finding, { answer, toEndpoint }: Refused, { reading }: Known): void {
  if (toEndpoint !== undefined && reading.isProven(answer)) finding.fail(message, [answer.id, toEndpoint]);
}
