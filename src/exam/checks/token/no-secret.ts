import { defineCheck } from "../../check.js";
import { refusedToken, token, usualForm } from "../../conversation.js";
import type { TokenRequestObservation } from "../../observation.js";

/** Parameters that would authenticate the client a second time (RFC 6749 §2.3.1, RFC 7521 §4). */
export const secrets: readonly string[] = ["client_secret", "client_assertion", "client_assertion_type", "assertion"];

/**
 * What authenticates the client in addition to its certificate. A parameter without a value counts as omitted (RFC 6749
 * §3.2).
 */
export function secretIn({ form, basic, inUrl }: TokenRequestObservation): string | undefined {
  if (basic) return "Basic authentication";
  const name = secrets.find((secret) => inUrl.includes(secret) || form?.get(secret)?.some((value) => value !== ""));
  return name === undefined ? undefined : `the parameter ${name}`;
}

export const noSecret = defineCheck({
  id: "token.no-secret",
  level: "must",
  source: "§4.1",
  exercisedBy: "a token request",
  failsWhen: "a token request carries a client secret, Basic authentication or an assertion",
  excuses: ["an empty parameter counts as omitted (RFC 6749 §3.2)"],
  fix: "Send client_id, grant_type and scope only.",
  exchange({ id, tokenRequest }, { finding }) {
    if (tokenRequest === undefined) return;
    const secret = secretIn(tokenRequest);
    if (secret !== undefined) finding.fail(`A token request carried ${secret}.`, [id]);
    else if (tokenRequest.form !== undefined) finding.exercise(id);
  },
  fails: { steps: [refusedToken({}, new Map([...usualForm, ["client_secret", ["hush"]]]))] },
  innocent: { steps: [refusedToken({}, new Map([...usualForm, ["client_secret", [""]]])), token()] },
});
