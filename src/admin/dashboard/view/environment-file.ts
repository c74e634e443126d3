import type { SnippetFacts } from "./program-facts.js";

/**
 * The variables that snippets need; undefined if one is missing.
 * @param downloads the paths of the files on the admin port
 */
export function snippetFacts(
  variables: ReadonlyMap<string, string>,
  downloads: readonly string[],
): SnippetFacts | undefined {
  const [url, clientId, ca, cert, key, p12] = ["URL", "CLIENT_ID", "CA_FILE", "CERT_FILE", "KEY_FILE", "P12_FILE"].map(
    (name) => variables.get(`SANDBOX_${name}`),
  );
  if (!url || !clientId || !ca || !cert || !key || !p12) return undefined;
  return { url, clientId, ca, cert, key, p12, downloads };
}
