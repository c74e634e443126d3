import { defineCheck } from "../../check.js";
import { refusedToken, usualForm } from "../../conversation.js";
import type { TokenRequestObservation } from "../../observation.js";
import { failRefused } from "../../refused.js";
import { secretIn, secrets } from "./no-secret.js";

/** The parameters of the token endpoint (RFC 6749 §3.2). */
const parameters = ["grant_type", "client_id", "scope"];

/** Half of a surrogate pair: it replaces a name that could not be decoded. */
const undecodable = /\p{Cs}/u;

/** What to do about a body that is empty. */
const sentAgain = "Give the body as text or bytes, which can be sent again: a stream is empty in the second attempt.";

/** What is wrong with the form of a token request, as the end of a sentence; undefined if nothing is. */
function formProblem(request: TokenRequestObservation): string | undefined {
  const { form, otherMediaType, inUrl } = request;
  if (otherMediaType) return "the body was not a form";
  const misplaced = parameters.find((name) => inUrl.includes(name));
  if (misplaced !== undefined) return `the parameter ${misplaced} was in the URL`;
  if (form === undefined) return undefined;
  for (const [name, values] of form) {
    if (values.includes(null) || undecodable.test(name)) return "the form was not validly encoded";
    if (values.length > 1 && !secrets.includes(name))
      return parameters.includes(name) ? `the parameter ${name} was repeated` : "a parameter was repeated";
  }
  if (form.size === 0) return "the body was empty, as when a library repeats a request whose body it has already read";
  const missing = parameters.find((name) => !form.get(name)?.[0]);
  if (missing !== undefined) return `the parameter ${missing} was missing`;
  const isOther = form.get("grant_type")?.[0] !== "client_credentials";
  return isOther && secretIn(request) === undefined ? "the grant type was not client_credentials" : undefined;
}

export const form = defineCheck({
  id: "token.form",
  level: "must",
  source: "§4.1, RFC 6749 §3.2",
  assumptions: ["token.media-type"],
  exercisedBy: "a token request",
  failsWhen:
    "the body of a token request is not a form, a parameter is missing, repeated or in the URL, or the grant type is not client_credentials",
  excuses: ["token.no-secret alone judges assertions"],
  fix: "Send grant_type=client_credentials, client_id and scope once each, in an application/x-www-form-urlencoded body.",
  exchange(observed, { finding }) {
    const { id, tokenRequest } = observed;
    if (tokenRequest === undefined) return;
    const problem = formProblem(tokenRequest);
    if (tokenRequest.isCoded === true)
      failRefused(finding, observed, "In a token request, the form was coded, or in another charset than UTF-8");
    else if (problem !== undefined)
      finding.fail(`In a token request, ${problem}.`, [id], [], tokenRequest.form?.size === 0 ? sentAgain : undefined);
    else if (tokenRequest.form !== undefined) finding.exercise(id);
  },
  fails: { steps: [refusedToken({}, new Map([...usualForm].slice(0, 2)))] },
  innocent: { steps: [refusedToken({ status: 500 })] },
});
