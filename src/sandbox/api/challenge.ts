import type { Basis } from "../errors.js";

/** The scope that opens ping and the lists; the only one that §5 point 7 shows. */
export const neededScope = "read";

/** The challenges (RFC 6750 §3). Each needs a parameter. If no token was sent, there is no error code. */
const challenges = {
  "bearer.missing-token": 'Bearer realm="payments"',
  "bearer.invalid-request": 'Bearer error="invalid_request"',
  "bearer.invalid-token": 'Bearer error="invalid_token"',
  "bearer.other-certificate": 'Bearer error="invalid_token"',
  "certificate.ended": 'Bearer error="invalid_token"',
  "bearer.insufficient-scope": `Bearer error="insufficient_scope", scope="${neededScope}"`,
} as const;

/** The configured value that removes `WWW-Authenticate`. */
const noChallenge = "none";

/**
 * The value of `WWW-Authenticate`. Every 401 has one (RFC 9110 §15.5.2), unless `configured` removes it.
 * @param configured replaces the usual one
 */
export function challengeOf(basis: Basis, status: number, configured: string | undefined): string | undefined {
  const usual = Object.hasOwn(challenges, basis) ? challenges[basis as keyof typeof challenges] : undefined;
  const challenge = configured ?? usual ?? (status === 401 ? challenges["bearer.missing-token"] : undefined);
  return challenge === noChallenge ? undefined : challenge;
}
