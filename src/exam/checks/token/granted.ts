import { defineCheck } from "../../check.js";
import { refusedToken, token } from "../../conversation.js";
import { failRefused } from "../../refused.js";

/** Why the token endpoint grants nothing to a client: causes of a refusal that are not in its form. */
const notGranted: Readonly<Record<string, string>> = {
  "unknown-client": "its client_id is not that of the certificate",
  "certificate-of-another-client": "its client_id is not that of the certificate",
  "scope-not-allowed": "its scope was never granted to the client",
};

export const granted = defineCheck({
  id: "token.granted",
  level: "must",
  source: "§4.1, RFC 6749 §5.2",
  assumptions: ["token.invalid-scope"],
  exercisedBy: "a token request",
  failsWhen: "a token request is refused for its client_id or scope, not by a scenario",
  excuses: [],
  fix: "Send the client_id of the certificate, and a scope granted to it.",
  exchange(observed, { finding }) {
    const { id, tokenRequest, refusal } = observed;
    if (tokenRequest === undefined) return;
    const reason = refusal && notGranted[refusal.kind];
    if (reason !== undefined) failRefused(finding, observed, `A token request was refused because ${reason}`);
    else if (tokenRequest.issued !== undefined) finding.exercise(id);
  },
  fails: {
    steps: [refusedToken({ code: "invalid_client", refusal: { code: "INVALID_CLIENT", kind: "unknown-client" } })],
  },
  innocent: { steps: [refusedToken({ code: "invalid_client" }), token()] },
});
