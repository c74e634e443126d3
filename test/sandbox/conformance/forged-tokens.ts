import { createHmac, createPublicKey, type KeyObject, sign } from "node:crypto";

export type Json = Readonly<Record<string, unknown>>;

/** The parts of a compact JWS (RFC 7515 §3.1), decoded. */
export function readToken(token: string): { readonly header: Json; readonly claims: Json } {
  const [header = "", claims = ""] = token.split(".");
  return { header: JSON.parse(decode(header)), claims: JSON.parse(decode(claims)) };
}

/** A JWS that is signed with a P-256 key, as ES256 requires (RFC 7518 §3.4), with the smaller `s`. */
export function signToken(header: Json, claims: Json | string, key: KeyObject): string {
  const input = signingInput(header, claims);
  for (;;) {
    const signature = sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" });
    if (sOf(signature) <= order / 2n) return `${input}.${signature.toString("base64url")}`;
  }
}

/** The order n of the curve P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The second half of an ES256 signature. */
function sOf(signature: Buffer): bigint {
  return BigInt(`0x${signature.toString("hex", 32)}`);
}

/** `s` of a token's ES256 signature, and the token with `n - s` instead, which is valid too. */
export function otherSpelling(token: string): { readonly isLow: boolean; readonly token: string } {
  const at = token.lastIndexOf(".") + 1;
  const signature = Buffer.from(token.slice(at), "base64url");
  const s = sOf(signature);
  const other = Buffer.from((order - s).toString(16).padStart(64, "0"), "hex");
  return {
    isLow: s <= order / 2n,
    token: token.slice(0, at) + Buffer.concat([signature.subarray(0, 32), other]).toString("base64url"),
  };
}

/** A JWS with a MAC instead of a signature. */
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
