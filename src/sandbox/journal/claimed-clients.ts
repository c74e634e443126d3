import { jsonObject } from "../../base/text/json-object.js";
import type { Exchange } from "./exchange.js";

/** Longest payload of a token that is read, in characters. The sandbox's own tokens have about four hundred. */
const longestPayload = 4096;

/** The claims of a token. Its signature is not verified. */
export interface Claims {
  readonly clientId: string | undefined;
  readonly id: string | undefined;
}

/** The claims of refused and issued tokens; each token is read once. */
const claims = new WeakMap<Exchange, Claims>();

/**
 * The clients that a request belongs to, or claims to belong to: that of its token, that of its certificate,
 * `client_id` of its form, and `client_id` of a token that could not be verified.
 */
export function claimedClients(exchange: Exchange): readonly (string | undefined)[] {
  const { token, client, form } = exchange;
  const found = [token?.clientId, client?.id];
  if (form) for (const value of form.get("client_id") ?? []) found.push(value ?? undefined);
  if (token === undefined && exchange.refusal !== undefined) found.push(tokenClaims(exchange).clientId);
  return found;
}

/** The client that sent a request: that of its token, or that of its certificate. */
export function clientIdOf({ token, client }: Exchange): string | undefined {
  return token?.clientId ?? client?.id;
}

/** The client that an exchange is counted for: the first known one. */
export function clientNamed(exchange: Exchange): string | undefined {
  return claimedClients(exchange).find((id) => id !== undefined);
}

/** The client that a request only claims to belong to. */
export function claimedClient(exchange: Exchange): string | undefined {
  return claimedClients(exchange)
    .slice(2)
    .find((id) => id !== undefined);
}

/** The id of the token that was sent, or that was issued. */
export function tokenIdOf(exchange: Exchange): string | undefined {
  const { token, operation, status } = exchange;
  if (token !== undefined) return token.id;
  return operation === "token" && status === 200 ? tokenClaims(exchange).id : undefined;
}

/** The claims that are read of an exchange; undefined if none are. */
export function claimsOfExchange(exchange: Exchange): Claims | undefined {
  const { token, refusal, operation, status } = exchange;
  const isRead = token === undefined && (refusal !== undefined || (operation === "token" && status === 200));
  return isRead ? tokenClaims(exchange) : undefined;
}

/** Gives an exchange that was restored without its token the claims of the token. */
export function restoreClaims(exchange: Exchange, known: Claims): void {
  claims.set(exchange, known);
}

function tokenClaims(exchange: Exchange): Claims {
  let known = claims.get(exchange);
  if (known === undefined) {
    const token = exchange.status === 200 ? issuedToken(exchange) : bearerToken(exchange);
    known = token === undefined ? noClaims : claimsOf(token);
    claims.set(exchange, known);
  }
  return known;
}

function issuedToken({ answerBody }: Exchange): string | undefined {
  const { access_token: token } = jsonObject(answerBody ?? "");
  return typeof token === "string" ? token : undefined;
}

function bearerToken({ rawHeaders }: Exchange): string | undefined {
  const place = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === "authorization");
  return place < 0 ? undefined : /^bearer +(\S+)/i.exec(rawHeaders[place + 1] ?? "")?.[1];
}

const noClaims: Claims = { clientId: undefined, id: undefined };

/** The claims of a JWT (RFC 7519 §3). */
function claimsOf(token: string): Claims {
  const [, payload = ""] = token.split(".", 2);
  if (payload.length > longestPayload) return noClaims;
  const { client_id: clientId, jti: id } = jsonObject(Buffer.from(payload, "base64url").toString());
  return {
    clientId: typeof clientId === "string" ? clientId : undefined,
    id: typeof id === "string" ? id : undefined,
  };
}
