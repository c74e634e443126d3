import { defineCheck } from "../../check.js";
import { ping, token } from "../../conversation.js";

export const header = defineCheck({
  id: "token.header",
  level: "must",
  source: "§5 point 4, RFC 6750 §5.3",
  exercisedBy: "an authorised request",
  failsWhen: "a token is sent in a URL, or twice",
  excuses: [],
  fix: "Send the token once, in the header Authorization: Bearer.",
  exchange({ id, tokenSent, tokenRequest }, { finding }) {
    if (tokenSent === "nowhere" || tokenRequest !== undefined) return;
    if (tokenSent === "header") finding.exercise(id);
    else
      finding.fail(tokenSent === "url" ? "A token was sent in a URL." : "A token was sent twice in one request.", [id]);
  },
  fails: { steps: [ping({ tokenSent: "url", token: undefined })] },
  innocent: { steps: [token(), ping({ unknown: [{ name: "token", near: undefined }] })] },
});
