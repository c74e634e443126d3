import { defineCheck } from "../../check.js";
import { ping, refusedToken } from "../../conversation.js";

const without = ping({
  token: undefined,
  tokenSent: "nowhere",
  status: 401,
  refusal: { code: "UNAUTHORIZED", kind: "token-missing" },
});

export const sent = defineCheck({
  id: "token.sent",
  level: "must",
  source: "§5 point 4, RFC 6750 §2.1",
  exercisedBy: "a request with a token, or one that is refused because it has none",
  failsWhen: "a request is refused because it has no token in the header, and the client never sends one",
  excuses: ["the client asked for a token, and got none"],
  fix: "Request a token, and send it in the header Authorization: Bearer.",
  begin: () => ({ without: [] as readonly number[], hasToken: false, hasAsked: false, hasGot: false }),
  exchange({ id, operation, tokenSent, tokenRequest, refusal, expected, ending }, { finding, state }) {
    if (tokenRequest !== undefined) {
      state.hasAsked = true;
      if (tokenRequest.issued !== undefined && ending === "delivered") state.hasGot = true;
    } else if (tokenSent !== "nowhere") {
      state.hasToken = true;
      state.without = [];
      finding.exercise(id);
    } else if (
      operation !== undefined &&
      refusal?.kind === "token-missing" &&
      expected === undefined &&
      !state.hasToken
    )
      state.without = [...state.without, id].slice(-3);
  },
  conclude: ({ finding, state }) =>
    state.hasAsked && !state.hasGot
      ? finding
      : finding.withPending(state.without, "A request was sent without a token, and no other one had one."),
  fails: { steps: [without] },
  innocent: { steps: [without, refusedToken({ status: 500 })] },
});
