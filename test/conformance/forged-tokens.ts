import { createHmac, createPublicKey, type KeyObject, sign } from "node:crypto";

export type Json = Readonly<Record<string, unknown>>;

/** The parts of a compact JWS (RFC 7515 §3.1), decoded. */
export function readToken(token: string): { readonly header: Json; readonly claims: Json } {
  const [header = "", claims = ""] = token.split(".");
  return { header: JSON.parse(decode(header)), claims: JSON.parse(decode(claims)) };
}

/** A JWS that is signed with a P-256 key, as ES256 wants it (RFC 7518 §3.4). */
export function signToken(header: Json, claims: Json | string, key: KeyObject): string {
  const input = signingInput(header, claims);
  return `${input}.${sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

/** A JWS with a MAC in the place of a signature. */
export function macToken(header: Json, claims: Json, secret: string | Buffer): string {
  const input = signingInput(header, claims);
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

export function signingInput(header: Json, claims: Json | string): string {
  return `${encode(JSON.stringify(header))}.${encode(typeof claims === "string" ? claims : JSON.stringify(claims))}`;
}

export function publicJwk(key: KeyObject): Json {
  return { ...createPublicKey(key).export({ format: "jwk" }) } as Json;
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function decode(text: string): string {
  return Buffer.from(text, "base64url").toString();
}
