import { readHeader, repeated } from "../connection/raw-headers.js";
import type { Basis } from "../errors.js";
import type { Cause } from "../journal/causes.js";
import { Refusal } from "../journal/refusal.js";
import { type AccessToken, TokenProblem } from "../tokens/token-service.js";
import { changeClient } from "./change-client.js";
import { issueToken } from "./issue-token.js";
import type { Call, Step } from "./service.js";

/** The scope that opens ping and the lists; the only one that §5 point 7 shows. */
export const neededScope = "read";

/**
 * The token and the certificate that it is bound to: §4.1 rule 2, §5 points 4 and 5, RFC 8705 §3. It returns a promise
 * only for a token that is not among the valid tokens seen before.
 */
export const bearerStep: Step = {
  name: "access-token",
  section: "4.1 rule 2",
  checks:
    "an access token is sent once, in the Authorization header; it is genuine, unexpired, and bound to the certificate of this connection",
  refuses: [
    "bearer.invalid-request",
    "bearer.missing-token",
    "bearer.invalid-token",
    "bearer.other-certificate",
    "certificate.ended",
  ],
  run(call) {
    const verified = call.service.tokens.verify(tokenIn(authorization(call), call));
    if (verified instanceof Promise) return verified.then((token) => judge(call, token));
    return judge(call, verified);
  },
};

/** §5 point 7: the scope of the token. */
export const scopeStep: Step = {
  name: "scope",
  section: "5 point 7",
  checks: `the access token has the scope "${neededScope}"`,
  refuses: ["bearer.insufficient-scope"],
  run({ exchange }) {
    const granted = exchange.token?.scopes ?? [];
    if (granted.includes(neededScope)) return;
    throw new Refusal("bearer.insufficient-scope", { kind: "scope-too-small", granted, needed: neededScope });
  },
};

/** RFC 6750 §2: of the three ways to send a token, only the header is accepted. */
function authorization({ exchange, parameters }: Call): string {
  if (parameters.has("access_token")) throw malformed("token-in-url", "An access token may not be sent in the URL.");
  const value = readHeader(exchange.rawHeaders, "authorization");
  if (value === repeated) throw malformed("token-repeated", "The Authorization header was sent more than once.");
  if (value === undefined) throw missing("no Authorization header was sent");
  return value;
}

/** The token of an Authorization header (RFC 6750 §2.1). */
function tokenIn(value: string, { service }: Call): string {
  const [, scheme = ""] = /^([!#$%&'*+\-.^_`|~\w]+)(?: |$)/.exec(value) ?? [];
  const isOther = scheme !== "" && scheme.toLowerCase() !== "bearer";
  if (isOther && service.assumptions.values["bearer.other-scheme"] === "invalid-token")
    throw invalid({ kind: "other-scheme" });
  if (!/^bearer /i.test(value)) throw missing("the Authorization header does not have the form `Bearer TOKEN`");
  const [, token] = /^ *([\w.~+/-]+=*)$/.exec(value.slice(7)) ?? [];
  if (token === undefined) throw missing("what follows `Bearer` is not a token (RFC 6750 §2.1)");
  return token;
}

function malformed(kind: "token-in-url" | "token-repeated", message: string): Refusal {
  return new Refusal("bearer.invalid-request", { kind }, { message });
}

function missing(reason: string): Refusal {
  return new Refusal("bearer.missing-token", { kind: "token-missing", reason });
}

function judge(call: Call, token: AccessToken | TokenProblem): void {
  const { service, exchange } = call;
  if (token instanceof TokenProblem) throw invalid({ kind: "token-unusable", reason: token.reason });
  const { peer, client, now } = exchange;
  exchange.tokenVerified(token, client?.id === token.clientId ? undefined : service.clients.get(token.clientId));
  const used = peer.kind === "certificate" ? peer.certificate.thumbprint : undefined;
  if (token.thumbprint !== used) {
    const cause: Cause = {
      kind: "token-of-another-certificate",
      issuedTo: token.clientId,
      bound: token.thumbprint,
      used,
    };
    const isOwn = service.assumptions.errors["bearer.other-certificate"] !== undefined;
    throw isOwn ? new Refusal("bearer.other-certificate", cause) : invalid(cause);
  }
  if (now >= token.expiresAt) {
    throw invalid({ kind: "token-expired", expiredAt: token.expiresAt, now, issuedTo: token.clientId });
  }
  if (client?.scenario.isRevoked(token.id)) throw invalid({ kind: "token-revoked", issuedTo: token.clientId });
  const ended = client?.scenario.tokens.endOf(token.id);
  if (ended) throw invalid({ kind: "token-ended", issuedTo: token.clientId, ...ended });
  // The certificate may have been taken from the client, or expired, since the token was issued.
  if (client && client.id !== token.clientId)
    throw invalid({ kind: "token-of-removed-client", issuedTo: token.clientId });
  const problem = certificateProblem(call);
  if (problem) throw certificateRefusal(call, problem, "bearer.invalid-token");
}

/** Revokes the token of a request, for scenarios. The request is refused. */
export async function revokeToken({ service, exchange: { client, token } }: Call): Promise<never> {
  if (!client || !token) throw new Error("A request without a token has no token to revoke.");
  await changeClient(service, client, ({ scenario }) => scenario.revoke(token.id));
  throw invalid({ kind: "token-revoked", issuedTo: token.clientId });
}

/** Another worker of the client gets a token, for scenarios: it ends that of the request, which is refused. */
export async function issueToOtherWorker(call: Call): Promise<never> {
  const { service, exchange } = call;
  const { token, now } = exchange;
  if (!token) throw new Error("A request without a token has no token to end.");
  const { clientId, thumbprint, scopes } = token;
  const expiresAt = now + service.assumptions.values["token.lifetime"] * 1000;
  const issued = { thumbprint, issuedAt: now, expiresAt, type: "bearer", scope: scopes.join(" ") };
  await issueToken(call, { ...issued, isFaulty: true, endsEarlier: true });
  throw invalid({ kind: "token-ended", issuedTo: clientId, at: now, byScenario: true });
}

function invalid(cause: Cause): Refusal {
  return new Refusal("bearer.invalid-token", cause);
}

/**
 * Judges the certificate of a connection: was one sent, is it registered, and may it be used now? The issuer does not
 * matter: registration is by exact thumbprint (§5 point 8 leaves it open; assumption `certificate.registration`).
 * @returns the first problem found; undefined if there is none
 */
export function certificateProblem({ exchange, service, hasRenewed }: Call): Cause | undefined {
  const { peer, client: holder, now } = exchange;
  const { values } = service.assumptions;
  if (peer.kind === "none") return { kind: "no-certificate" };
  const { notBefore, notAfter, clientUsage } = peer.certificate;
  if (!holder) return { kind: "certificate-unregistered" };
  const end = holder.ends.size === 0 ? undefined : holder.ends.get(peer.certificate.thumbprint);
  if (end && now >= end.at && !hasRenewed) {
    const { how, at } = end;
    return { kind: "certificate-ended", how, like: how === "renewed" ? values["certificate.end"] : how, at, now };
  }
  if (values["certificate.validity"]) {
    if (now > notAfter) return { kind: "certificate-expired", notAfter, now };
    if (now < notBefore) return { kind: "certificate-not-yet-valid", notBefore, now };
  }
  if (values["certificate.usage"] && !clientUsage) return { kind: "certificate-usage" };
  return undefined;
}

/**
 * The refusal of a certificate. One that has ended may have an answer of its own (assumption `certificate.ended`), and
 * may end its connection (`certificate.old-connection`).
 * @param usual what the refusal is based on otherwise
 */
export function certificateRefusal(
  { service, bindings }: Call,
  problem: Cause,
  usual: "bearer.invalid-token" | "token.invalid-client",
): Refusal {
  if (problem.kind !== "certificate-ended" && problem.kind !== "certificate-expired")
    return new Refusal(usual, problem);
  const { values, errors } = service.assumptions;
  if (values["certificate.old-connection"] === "close") bindings.wire?.().goAway("NO_ERROR", "this");
  return new Refusal(errors["certificate.ended"] === undefined ? usual : "certificate.ended", problem);
}

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
