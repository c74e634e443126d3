import { remember } from "../../base/remember.js";
import type { ExchangeObservation } from "../observation.js";

/**
 * How many tokens of a client are remembered. A forgotten token is not judged.
 */
export const mostTokens = 64;

/**
 * How many combinations of certificate and scope a client has for which the end of the newest token request is
 * remembered.
 */
const mostKinds = 16;

/** Other workers that do not know of the refusal of a token excuse so many requests with it. */
export const mostUnaware = 16;

/** RFC 6749 §7.1: in any case. */
export const bearer = "bearer";

export interface IssuedToken {
  readonly request: number;
  readonly connection: number;
  /** The certificate and the scope that it was requested with. */
  readonly kind: string | undefined;
  readonly thumbprint: string | undefined;
  /** The type in the answer, in lower case. */
  readonly type: string | undefined;
  readonly releasedAt: number;
  /** In milliseconds, as announced. */
  readonly lifetime: number | undefined;
  /** Whether it was sent: then it has arrived. */
  wasUsed: boolean;
  /** Whether any 401 was given for it. */
  rejected: boolean;
}

/** The newest token request with a certificate and a scope. */
export interface EndedRequest {
  readonly id: number;
  /** When the last request with its certificate and scope ended. */
  readonly endedAt: number;
  readonly token: IssuedToken | undefined;
}

/** The access tokens that a client got, and what became of them. */
export class Tokens {
  private readonly issued = new Map<string, IssuedToken>();
  private readonly newest = new Map<string, EndedRequest>();
  /** When the first of all tokens expires. */
  firstEnd = Number.POSITIVE_INFINITY;

  /** The token that a request carries, if it was issued to this client. */
  of({ token }: Pick<ExchangeObservation, "token">): IssuedToken | undefined {
    return token === undefined ? undefined : this.issued.get(token);
  }

  all(): Iterable<IssuedToken> {
    return this.issued.values();
  }

  /** The newest token request with the same certificate and scope. */
  before(kind: string): EndedRequest | undefined {
    return this.newest.get(kind);
  }

  /** Remembers an exchange that all checks have judged. */
  after(observed: ExchangeObservation): void {
    const { tokenRequest, tokenSent, status } = observed;
    if (tokenRequest !== undefined) this.#afterRequest(observed);
    else if (tokenSent !== "nowhere") {
      const token = this.of(observed);
      if (token === undefined) return;
      token.wasUsed = true;
      // The client may have read the status even if the answer broke after it.
      if (status === 401) token.rejected = true;
    } else if (status === 401)
      // A request without a token, such as one that was redirected, may well be followed by one for a new token.
      for (const token of this.issued.values()) token.rejected = true;
  }

  #afterRequest(observed: ExchangeObservation): void {
    const { id, connection, thumbprint, releasedAt, ending, endedByClient } = observed;
    const issued = observed.tokenRequest?.issued;
    const kind = kindOf(observed);
    let token: IssuedToken | undefined;
    if (issued !== undefined && ending === "delivered") {
      const { lifetime } = issued;
      const type = issued.type?.toLowerCase();
      const request = { request: id, connection, kind, thumbprint, releasedAt };
      token = { ...request, type, lifetime, wasUsed: false, rejected: false };
      remember(this.issued, issued.token, token, mostTokens);
      if (lifetime !== undefined) this.firstEnd = Math.min(this.firstEnd, releasedAt + lifetime);
    }
    if (kind === undefined || endedByClient) return;
    const before = this.newest.get(kind);
    const endedAt = Math.max(before?.endedAt ?? releasedAt, releasedAt);
    remember(this.newest, kind, { endedAt, id, token }, mostKinds);
  }
}

/** The certificate and the scope of a token request: one token serves all requests with both. */
export function kindOf({ thumbprint, tokenRequest }: ExchangeObservation): string | undefined {
  const scope = tokenRequest?.form?.get("scope")?.[0];
  return scope === undefined || scope === null ? undefined : `${thumbprint} ${scope.slice(0, 200)}`;
}

/** Whether the answer said that a token has another type than bearer. */
export function isForeign(type: string | undefined): boolean {
  return type !== undefined && type.toLowerCase() !== bearer;
}
