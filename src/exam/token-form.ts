import type { TokenRequestObservation } from "./observation.js";

/** The parameters of the token endpoint (RFC 6749 §3.2). */
const parameters = ["grant_type", "client_id", "scope"];
/** Parameters that would authenticate the client a second time (RFC 6749 §2.3.1, RFC 7521 §4). */
const secrets = ["client_secret", "client_assertion", "client_assertion_type", "assertion"];

/** Half of a surrogate pair: it replaces a name that could not be decoded. */
const undecodable = /\p{Cs}/u;

/**
 * What authenticates the client in addition to its certificate. A parameter without a value counts as omitted (RFC 6749
 * §3.2).
 */
export function secretIn({ form, basic, inUrl }: TokenRequestObservation): string | undefined {
  if (basic) return "Basic authentication";
  const name = secrets.find((secret) => inUrl.includes(secret) || form?.get(secret)?.some((value) => value !== ""));
  return name === undefined ? undefined : `the parameter ${name}`;
}

/** What is wrong with the form of a token request, as the end of a sentence; undefined if nothing is. */
export function formProblem(
  { form, otherMediaType, inUrl }: TokenRequestObservation,
  hasSecret: boolean,
): string | undefined {
  if (otherMediaType) return "the body was not a form, or was coded";
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
  // An assertion has its own grant type: it is a secret, and judged as one.
  if (form.get("grant_type")?.[0] !== "client_credentials" && !hasSecret)
    return "the grant type was not client_credentials";
  return undefined;
}
