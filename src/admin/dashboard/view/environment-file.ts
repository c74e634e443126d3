import type { IdentityFiles } from "./curl.js";
import type { SnippetFacts } from "./program-facts.js";

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
