import { operations } from "../../../sandbox/operations.js";

/** The values that a snippet contains. Paths are those of the user's machine. */
export interface SnippetFacts {
  readonly url: string;
  readonly clientId: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly p12: string;
}

/** The values for a program, which makes a connection. */
export interface ProgramFacts extends SnippetFacts {
  /** Whether it presents a certificate. */
  readonly certificate: boolean;
}

/** A string literal: those of JSON are valid in JavaScript, Python, Java and Go. */
export const text = (value: string) => JSON.stringify(value);

/** The form by which a client requests a token. */
export const tokenForm = ({ clientId }: ProgramFacts) =>
  `grant_type=client_credentials&client_id=${encodeURIComponent(clientId)}&scope=read`;

/** Where the API is, and the target of its token endpoint. */
export function place({ url }: ProgramFacts) {
  const { origin, hostname, port, pathname } = new URL(url);
  const tokenTarget = `${pathname.replace(/\/$/, "")}${operations.token.path}`;
  return { origin, hostname: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? "443" : port, tokenTarget };
}
