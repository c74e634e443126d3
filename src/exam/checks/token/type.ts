import { defineCheck } from "../../check.js";
import { issuing, ping, token } from "../../conversation.js";
import { isForeign } from "../../known/tokens.js";

export const type = defineCheck({
  id: "token.type",
  level: "must",
  source: "RFC 6749 §7.1",
  exercisedBy: "an answer with a token_type that is not bearer",
  failsWhen: "a token is used although its token_type is not bearer",
  excuses: ["case does not matter"],
  fix: "Compare token_type with bearer, ignoring case, and use no other token.",
  exchange(observed, { finding, known: { tokens } }) {
    const { id, tokenRequest, tokenSent, ending } = observed;
    if (tokenRequest !== undefined) {
      if (ending === "delivered" && isForeign(tokenRequest.issued?.type)) finding.exercise(id);
      return;
    }
    const token = tokenSent === "nowhere" ? undefined : tokens.of(observed);
    if (token !== undefined && isForeign(token.type))
      finding.fail("A token was used although its token_type is not bearer.", [token.request, id]);
  },
  fails: { steps: [token("first", { tokenRequest: issuing("first", "mac") }), ping()] },
  innocent: { steps: [token("first", { tokenRequest: issuing("first", "Bearer") }), ping()] },
});
