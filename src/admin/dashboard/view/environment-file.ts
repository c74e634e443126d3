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

/** Bare, or in quotes; `'\''` stands for a quote within single ones. */
function unquoted(value: string): string {
  const [, quote, inner = ""] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (quote === undefined) return value;
  return quote === "'" ? inner.replaceAll("'\\''", "'") : inner;
}

/** What snippets need of it; undefined where something is missing. */
export function snippetFacts(variables: ReadonlyMap<string, string>): SnippetFacts | undefined {
  const [url, clientId, ca, cert, key, p12] = ["URL", "CLIENT_ID", "CA_FILE", "CERT_FILE", "KEY_FILE", "P12_FILE"].map(
    (name) => variables.get(`SANDBOX_${name}`),
  );
  if (!url || !clientId || !ca || !cert || !key || !p12) return undefined;
  return { url, clientId, ca, cert, key, p12 };
}

/** The files of a connection's certificate; its own are unknown where nobody but the client has them. */
export function identityFiles(facts: SnippetFacts, certificate: boolean): IdentityFiles {
  const { url, clientId, ca, cert, key } = facts;
  return { url, clientId, ca, cert: certificate ? cert : undefined, key: certificate ? key : undefined };
}
