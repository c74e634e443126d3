import type { IdentityFiles } from "./curl.js";
import type { SnippetFacts } from "./program-facts.js";

/** The variables of a `client.env`. */
export function readEnvironment(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) variables.set(name, unquoted(value));
  }
  return variables;
}

/** A value without quotes, or in quotes; `'\''` is a quote within single quotes. */
function unquoted(value: string): string {
  const [, quote, inner = ""] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (quote === undefined) return value;
  return quote === "'" ? inner.replaceAll("'\\''", "'") : inner;
}

/** The variables that snippets need; undefined if one is missing. */
export function snippetFacts(variables: ReadonlyMap<string, string>): SnippetFacts | undefined {
  const [url, clientId, ca, cert, key, p12] = ["URL", "CLIENT_ID", "CA_FILE", "CERT_FILE", "KEY_FILE", "P12_FILE"].map(
    (name) => variables.get(`SANDBOX_${name}`),
  );
  if (!url || !clientId || !ca || !cert || !key || !p12) return undefined;
  return { url, clientId, ca, cert, key, p12 };
}

/** The files of an identity. @param certificate whether the connection had a certificate */
export function identityFiles(facts: SnippetFacts, certificate: boolean): IdentityFiles {
  const { url, clientId, ca, cert, key } = facts;
  return { url, clientId, ca, cert: certificate ? cert : undefined, key: certificate ? key : undefined };
}
