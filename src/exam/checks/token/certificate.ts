import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { ping, refusedPing, token } from "../../conversation.js";
import { answeredBy } from "../../known/sending.js";
import { type Sequel, sequelOf, sequelWith } from "../../known/sequel.js";
import { mostTokens, mostUnaware } from "../../known/tokens.js";
import { usualCertificate } from "../certificate/renewed.js";

const renewed = { ...usualCertificate, replaces: true } as const;
const other = "A token was sent over another certificate than the one that it was requested with.";

export const certificate = defineCheck({
  id: "token.certificate",
  level: "must",
  source: "§4.1 rule 2, §5 point 4",
  exercisedBy: "an authorised request",
  failsWhen: "a token is sent over another certificate than it was requested with, or over none",
  excuses: [
    "the certificate was renewed, and no refusal has told the client yet",
    "other workers do not know of the refusal (at most sixteen times)",
  ],
  fix: "Send a token only over connections with the certificate that it was requested with.",
  /** By token: the refusal over a renewed certificate by which the client learns that it has ended with the old one. */
  begin: () => ({ ended: new Map<string, Sequel>() }),
  exchange(observed, { finding, state: { ended }, known }) {
    const { id, token: hash, thumbprint, status, ending, tokenRequest, tokenSent } = observed;
    const token = known.tokens.of(observed);
    if (tokenSent === "nowhere" || tokenRequest !== undefined || hash === undefined || token === undefined) return;
    if (thumbprint === token.thumbprint) {
      finding.exercise(id);
      return;
    }
    const message = thumbprint === undefined ? "A token was sent over a connection without a certificate." : other;
    if (observed.certificate?.replaces !== true) {
      finding.fail(message, [token.request, id]);
      return;
    }
    const before = ended.get(hash);
    if (before === undefined) {
      if (status === 401 && ending === "delivered")
        remember(ended, hash, sequelOf(answeredBy(observed, known.sent)), mostTokens);
      return;
    }
    const proof = known.tokenSentAgain(hash);
    if (proof !== undefined) finding.fail(message, proof);
    const sequel = sequelWith(before, observed, known.sent);
    remember(ended, hash, sequel, mostTokens);
    if (sequel.doubtful === id && sequel.later > mostUnaware) finding.fail(message, [before.answer.id, id]);
  },
  conclude({ finding, state: { ended }, known }) {
    const now = finding.copy();
    for (const { answer, doubtful } of ended.values())
      if (doubtful !== undefined && known.isAlone) now.suspect(other, [answer.id, doubtful]);
    return now;
  },
  fails: { steps: [token(), ping({ connection: 2, ordinal: 1, thumbprint: undefined })] },
  innocent: {
    steps: [
      token(),
      refusedPing({ connection: 2, ordinal: 1, thumbprint: "new", certificate: renewed }),
      token("second", { connection: 2, ordinal: 2, thumbprint: "new", certificate: renewed }),
      ping({ token: "second", connection: 2, ordinal: 3, thumbprint: "new", certificate: renewed }),
    ],
  },
});
