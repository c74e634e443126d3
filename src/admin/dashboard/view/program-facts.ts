import { operations } from "../../../sandbox/operations.js";

/** The values that a snippet contains. Paths are those of the user's machine. */
export interface SnippetFacts {
  readonly url: string;
  readonly clientId: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly p12: string;
  /** The paths of these files on the admin port; empty if only the client has its key. */
  readonly downloads: readonly string[];
}

/** The values for a program, which makes a connection. */
export interface ProgramFacts {
  readonly url: string;
  readonly ca: string;
  /** The certificate that it presents; undefined for none. */
  readonly own: SnippetFacts | undefined;
  /** The client that it gets a token for: the token is bound to this certificate. */
  readonly holder: SnippetFacts;
  /** The scope of the token. */
  readonly scope: string;
}

/** A program in which one client gets a token and uses it. */
export function ownProgram(facts: SnippetFacts): ProgramFacts {
  return { url: facts.url, ca: facts.ca, own: facts, holder: facts, scope: "read" };
}

/** Whether the token is sent over another connection than the one that it was got over. */
export function isBorrowed({ own, holder }: ProgramFacts): boolean {
  return own?.cert !== holder.cert;
}

/** The facts of a client whose key only the client itself has. */
export function placeholders(facts: SnippetFacts, clientId: string): SnippetFacts {
  return { ...facts, clientId, cert: "your-cert.pem", key: "your-key.pem", p12: "your-client.p12", downloads: [] };
}

/** Whether the user has the files only after a download. */
export function needsDownload({ cert, downloads }: SnippetFacts): boolean {
  return downloads.length > 0 && !/^(\/|[A-Za-z]:|\\\\)/.test(cert);
}

/** A string literal: those of JSON are valid in JavaScript, Python, Java and Go. */
export const text = (value: string) => JSON.stringify(value);

/** The form by which a client requests a token. */
export const tokenForm = ({ holder: { clientId }, scope }: ProgramFacts) =>
  `grant_type=client_credentials&client_id=${encodeURIComponent(clientId)}&scope=${encodeURIComponent(scope)}`;

/** Where the API is, and the target of its token endpoint. */
export function place({ url }: Pick<ProgramFacts, "url">) {
  const { origin, hostname, port, pathname } = new URL(url);
  const tokenTarget = `${pathname.replace(/\/$/, "")}${operations.token.path}`;
  return { origin, hostname: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? "443" : port, tokenTarget };
}

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
