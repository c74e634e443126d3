/**
 * The content of an access token whose signature has been verified. Expiry is not judged here: it depends on a clock.
 */
export interface AccessToken {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The certificate that it is bound to (`cnf.x5t#S256`, RFC 8705 §3.1). */
  readonly thumbprint: string;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Milliseconds since the epoch; the token is valid before this instant, not at it (RFC 7519 §4.1.4). */
  readonly expiresAt: number;
  readonly id: string;
}

/** Why a string is not an access token of this sandbox. `reason` is for the journal, never for the wire. */
export class TokenProblem {
  constructor(readonly reason: string) {}
}

/** The content of a new token. Instants in milliseconds since the epoch. */
export interface TokenRequest extends Omit<AccessToken, "scopes" | "id"> {
  readonly scope: string;
}
