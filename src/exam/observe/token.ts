import { hash } from "node:crypto";
import { jsonObject } from "../../base/text/json-object.js";
import { readHeader, repeated } from "../../sandbox/connection/raw-headers.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { Parameters } from "../../sandbox/lists/problems.js";
import type { AccessToken } from "../../sandbox/tokens/token-service.js";
import type { ExchangeObservation, IssuedObservation, TokenRequestObservation } from "../observation.js";

/** What the judges keep instead of a token, a cursor or a body: its SHA-256. */
export function hashOf(text: string): string {
  return hash("sha256", text, "base64url");
}

/**
 * Where a request has access tokens.
 * @param query of the request
 */
export function tokenSent(
  { token, rawHeaders, operation }: Exchange,
  query: Parameters,
): ExchangeObservation["tokenSent"] {
  // It was accepted, so it was in the header.
  if (token !== undefined) return "header";
  if (query.has("access_token")) return "url";
  const authorization = readHeader(rawHeaders, "authorization");
  if (authorization === repeated) return operation === "token" ? "nowhere" : "twice";
  return authorization !== undefined && bearer.test(authorization) ? "header" : "nowhere";
}

const bearer = /^bearer +/i;

/** The hashes of tokens that were verified: each is computed once. */
const verified = new WeakMap<AccessToken, string>();

/** The hash of the access token in the header, if exactly one was sent there. */
export function tokenHash({ token, rawHeaders }: Exchange): string | undefined {
  const known = token && verified.get(token);
  if (known !== undefined) return known;
  const authorization = readHeader(rawHeaders, "authorization");
  if (typeof authorization !== "string") return undefined;
  const computed = hashOf(authorization.replace(bearer, "").trim());
  if (token !== undefined) verified.set(token, computed);
  return computed;
}

/**
 * What the judges get of a request to the token endpoint, and of its answer.
 * @param query of the request
 */
export function tokenRequestOf(exchange: Exchange, query: Parameters): TokenRequestObservation {
  const { form, refusal, rawHeaders, status } = exchange;
  const authorization = readHeader(rawHeaders, "authorization");
  const cause = refusal?.reason;
  const isCoded = cause?.kind === "content-coding" || (cause?.kind === "media-type" && anyForm.test(cause.sent ?? ""));
  return {
    form,
    otherMediaType: cause?.kind === "media-type" && !isCoded,
    ...(isCoded && { isCoded }),
    basic: typeof authorization === "string" && /^basic(\s|$)/i.test(authorization),
    inUrl: [...query.keys()].slice(0, 100),
    issued: status === 200 ? issuedBy(exchange) : undefined,
  };
}

/** A form in any charset. */
const anyForm = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i;

/** RFC 6750 §2.1: what a client can send as a bearer token. */
const sendable = /^[\w.~+/-]+=*$/;

/** Some services send a number as a text. */
function isLifetime(seconds: unknown): boolean {
  return typeof seconds === "number" ? seconds >= 0 : typeof seconds === "string" && /^\d{1,9}$/.test(seconds);
}

function issuedBy(exchange: Exchange): IssuedObservation | undefined {
  const body = exchange.wholeBody;
  if (body === undefined) return undefined;
  const { access_token: token, token_type: type, expires_in: seconds } = jsonObject(body);
  if (typeof token !== "string" || !sendable.test(token)) return undefined;
  return {
    token: hashOf(token),
    type: type === undefined || type === null ? undefined : String(type),
    lifetime: isLifetime(seconds) ? Number(seconds) * 1000 : undefined,
  };
}
