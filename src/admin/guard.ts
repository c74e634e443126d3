import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { readCookie, sessionCookieName, sessionValue } from "./session.js";

/** Why a request to the admin API is turned away before it reaches a route. */
export interface GuardProblem {
  readonly status: 401 | 403;
  readonly code: "HOST_NOT_ALLOWED" | "ORIGIN_NOT_ALLOWED" | "ADMIN_TOKEN_REQUIRED";
  readonly message: string;
}

export interface GuardOptions {
  /** Names that the sandbox is reached by, besides the built-in ones. */
  readonly hostnames: readonly string[];
  /** The address that the admin API is bound to. */
  readonly adminHost: string;
  /** The token that is demanded; undefined when none is. */
  readonly token: string | undefined;
}

/** What the guard looks at. Header values as they were sent; undefined when absent. */
export interface GuardedRequest {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly authorization: string | undefined;
  readonly cookie?: string | undefined;
}

const builtInNames = ["localhost", "sandbox", "host.docker.internal"];

/** Addresses that mean "every address"; as a Host they would only serve an attacker. */
const wildcards = ["0.0.0.0", "::"];

/**
 * Guards a port without TLS that a browser on the same machine can reach.
 * `Host` is checked against DNS rebinding, `Origin` and `Sec-Fetch-Site` against requests from other sites' pages.
 */
export class Guard {
  readonly #names: ReadonlySet<string>;
  readonly #token: Buffer | undefined;
  /** What the cookie of a signed-in browser holds. */
  readonly #session: string | undefined;

  constructor({ hostnames, adminHost, token }: GuardOptions) {
    this.#names = new Set(
      [...builtInNames, ...hostnames, ...(wildcards.includes(adminHost) ? [] : [adminHost])].map((name) =>
        name.toLowerCase(),
      ),
    );
    this.#token = token === undefined ? undefined : Buffer.from(token);
    this.#session = this.#token && sessionValue(this.#token);
  }

  /** Whether a token, or the cookie of who gave it, is demanded of every route but `GET /health` and the page that asks for it. */
  get demandsToken(): boolean {
    return this.#token !== undefined;
  }

  /** @returns the reason to turn the request away; undefined when it may pass */
  check(request: GuardedRequest): GuardProblem | undefined {
    const { host, origin, fetchSite, fetchMode } = request;
    if (!this.#allowsHost(host)) {
      return {
        status: 403,
        code: "HOST_NOT_ALLOWED",
        message: `The admin API does not answer to this Host; use localhost, or start the sandbox with --hostname NAME.`,
      };
    }
    const foreignOrigin = origin !== undefined && origin.toLowerCase() !== `http://${host?.toLowerCase()}`;
    // A link from another site may open a page of ours; nothing else may come from there.
    const foreignFetch =
      fetchSite !== undefined && !["same-origin", "none"].includes(fetchSite) && fetchMode !== "navigate";
    if (foreignOrigin || foreignFetch) {
      return {
        status: 403,
        code: "ORIGIN_NOT_ALLOWED",
        message: "The admin API does not answer to pages of another origin.",
      };
    }
    if (!this.#allowsToken(request.authorization) && !this.isSignedIn(request)) {
      return {
        status: 401,
        code: "ADMIN_TOKEN_REQUIRED",
        message:
          "The admin API demands its token: send Authorization: Bearer TOKEN (--admin-token, or printed at start).",
      };
    }
    return undefined;
  }

  /** Whether a request carries the cookie of a browser in which the token was given. */
  isSignedIn({ host, cookie }: Pick<GuardedRequest, "host" | "cookie">): boolean {
    if (this.#session === undefined) return false;
    const sent = readCookie(cookie, sessionCookieName(host));
    return sent !== undefined && isSame(Buffer.from(sent), Buffer.from(this.#session));
  }

  /** @returns what the cookie is to hold for whoever gives this token; undefined when it is not the token */
  sessionFor(token: string): string | undefined {
    return this.#token && isSame(Buffer.from(token), this.#token) ? this.#session : undefined;
  }

  #allowsHost(host: string | undefined): boolean {
    if (host === undefined) return false;
    const match = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(:\d{1,5})?$/i.exec(host);
    if (!match?.[1]) return false;
    const name = match[1].replace(/^\[|\]$/g, "").toLowerCase();
    return this.#names.has(name) || isLoopback(name);
  }

  #allowsToken(authorization: string | undefined): boolean {
    if (!this.#token) return true;
    const sent = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (sent === undefined) return false;
    return isSame(Buffer.from(sent), this.#token);
  }
}

function isSame(sent: Buffer, secret: Buffer): boolean {
  return sent.length === secret.length && timingSafeEqual(sent, secret);
}

/** Whether an address is one that only this machine can reach: 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  return address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}
