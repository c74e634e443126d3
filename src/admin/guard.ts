import { timingSafeEqual } from "node:crypto";
import { isLoopback } from "../sandbox/connection/addresses.js";
import { AdminError } from "./error.js";
import { readCookie, sessionCookieName, sessionValue } from "./session.js";

export interface GuardOptions {
  /** Further names of the sandbox, in addition to the built-in ones. */
  readonly hostnames: readonly string[];
  /** The addresses that the admin API is bound to. */
  readonly adminHosts: readonly string[];
  /** The token that is demanded; undefined if none is. */
  readonly token: string | undefined;
}

/** What the guard checks: header values as they were sent; undefined if absent. */
export interface GuardedRequest {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly method: string;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDest: string | undefined;
  readonly authorization: string | undefined;
  readonly cookie?: string | undefined;
}

const builtInNames = ["localhost", "sandbox", "host.docker.internal"];

/** Addresses that mean "every address". Real clients do not send them as `Host`. */
const wildcards = ["0.0.0.0", "::"];

/**
 * Guards a port without TLS that a browser on the same machine can reach. Checking `Host` prevents DNS rebinding.
 * Checking `Origin` and `Sec-Fetch-Site` prevents requests from pages of other sites.
 */
export class Guard {
  readonly #names: ReadonlySet<string>;
  readonly #token: Buffer | undefined;
  /** The value of the cookie of a signed-in browser. */
  readonly #session: string | undefined;

  constructor({ hostnames, adminHosts, token }: GuardOptions) {
    this.#names = new Set(
      [...builtInNames, ...hostnames, ...adminHosts.filter((host) => !wildcards.includes(host))].map((name) =>
        name.toLowerCase(),
      ),
    );
    this.#token = token === undefined ? undefined : Buffer.from(token);
    this.#session = this.#token && sessionValue(this.#token);
  }

  /**
   * Whether every route except `GET /health` and the sign-in page demands the token, or the cookie of a signed-in
   * browser.
   */
  get demandsToken(): boolean {
    return this.#token !== undefined;
  }

  /** @returns the reason to refuse the request; undefined if it may pass */
  check(request: GuardedRequest): AdminError | undefined {
    const { host, origin, fetchSite } = request;
    if (!this.#allowsHost(host)) {
      return new AdminError(
        "HOST_NOT_ALLOWED",
        "The admin API does not answer to this Host; use localhost, or start the sandbox with --hostname NAME.",
      );
    }
    const foreignOrigin = origin !== undefined && origin.toLowerCase() !== `http://${host?.toLowerCase()}`;
    const foreignFetch =
      fetchSite !== undefined && !["same-origin", "none"].includes(fetchSite) && !followsLink(request);
    if (foreignOrigin || foreignFetch) {
      return new AdminError("ORIGIN_NOT_ALLOWED", "The admin API does not answer to pages of another origin.");
    }
    if (!this.#allowsToken(request.authorization) && !this.isSignedIn(request)) {
      return new AdminError(
        "ADMIN_TOKEN_REQUIRED",
        "The admin API demands its token: send Authorization: Bearer TOKEN (--admin-token, or printed at start).",
      );
    }
    return undefined;
  }

  /** Whether a request carries the cookie of a signed-in browser. */
  isSignedIn({ host, cookie }: Pick<GuardedRequest, "host" | "cookie">): boolean {
    if (this.#session === undefined) return false;
    const sent = readCookie(cookie, sessionCookieName(host));
    return sent !== undefined && isSame(sent, Buffer.from(this.#session));
  }

  /** @returns the value of the cookie for a browser that sent this token; undefined if the token is wrong */
  sessionFor(token: string): string | undefined {
    return this.#token && isSame(token, this.#token) ? this.#session : undefined;
  }

  #allowsHost(host: string | undefined): boolean {
    const match = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(:\d{1,5})?$/i.exec(host ?? "");
    if (!match?.[1]) return false;
    const name = match[1].replace(/^\[|\]$/g, "").toLowerCase();
    return this.#names.has(name) || isLoopback(name);
  }

  #allowsToken(authorization: string | undefined): boolean {
    if (!this.#token) return true;
    const sent = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    return sent !== undefined && isSame(sent, this.#token);
  }
}

/**
 * A link on another site may open a page of the sandbox, not in a frame. A form that such a site submits is a
 * navigation as well, but by POST. Browsers that do not send `Sec-Fetch-Dest` are covered by the policy of the page.
 */
function followsLink({ method, fetchMode, fetchDest = "document" }: GuardedRequest): boolean {
  return ["GET", "HEAD"].includes(method) && fetchMode === "navigate" && fetchDest === "document";
}

function isSame(text: string, secret: Buffer): boolean {
  const sent = Buffer.from(text);
  return sent.length === secret.length && timingSafeEqual(sent, secret);
}
