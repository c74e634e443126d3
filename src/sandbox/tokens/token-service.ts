import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import type * as jose from "jose";
import { remember } from "../../base/remember.js";
import { valueAt } from "../../base/text/json-object.js";

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
export interface TokenRequest extends Omit<AccessToken, "scopes"> {
  readonly scope: string;
}

/** The order n of the curve P-256 (SEC 2 §2.4.2). */
const order = 0xffffffff_00000000_ffffffff_ffffffff_bce6faad_a7179e84_f3b9cac2_fc632551n;

/** Half of the order, rounded down, as the 32 bytes of an `s`. */
const halfOrder = Buffer.from((order / 2n).toString(16).padStart(64, "0"), "hex");

/** An ES256 signature is `r` and `s`, 32 bytes each (RFC 7518 §3.4). */
const sLength = 32;

/**
 * Whether an ES256 signature has the smaller of its two possible values of `s`. If `(r, s)` is valid, `(r, n - s)` is
 * valid as well. Only one of them may be accepted: otherwise a token has two forms.
 */
function isLowS(signature: Buffer): boolean {
  return signature.subarray(-sLength).compare(halfOrder) <= 0;
}

/** The same signature with the smaller `s`. */
function withLowS(signature: Buffer): Buffer {
  if (isLowS(signature)) return signature;
  const s = order - BigInt(`0x${signature.toString("hex", signature.length - sLength)}`);
  return Buffer.concat([
    signature.subarray(0, -sLength),
    Buffer.from(s.toString(16).padStart(2 * sLength, "0"), "hex"),
  ]);
}

interface TokenServiceOptions {
  /** EC P-256 private key, PEM. */
  readonly signingKeyPem: string;
  readonly issuer: string;
  readonly audience: string;
}

const algorithm = "ES256";
const tokenType = "at+jwt";

/**
 * A private claim (RFC 7519 §4.3): the instants of `iat` and `exp` to the millisecond. A NumericDate may have a
 * fraction (RFC 7519 §2), but many readers of JWTs expect whole seconds. Whole seconds alone would end a token up to a
 * second before its announced end.
 */
const exactInstants = "issued_and_expires_ms";

const alteredSignature = new TokenProblem(
  "Its signature does not fit: it was altered, or signed by another key (by a sandbox with another certs folder).",
);

/** Longer than any token of the sandbox. */
const longestToken = 8192;

/** About 6 MB of strings and claims when full. A test suite has far fewer clients at once. */
const cacheSize = 10_000;

interface Keys {
  readonly jose: typeof jose;
  readonly privateKey: KeyObject;
  readonly publicKey: jose.CryptoKey;
  /** The encoded header of every token. */
  readonly header: string;
}

/**
 * Makes and verifies access tokens: JWTs as in RFC 9068, bound to a certificate as in RFC 8705 §3.1. They are
 * self-contained: they survive a restart, and any sandbox with the same `certs/` folder accepts them.
 */
export class TokenService {
  readonly #options: TokenServiceOptions;
  readonly #verified = new Map<string, AccessToken>();
  #keys: Promise<Keys> | undefined;

  constructor(options: TokenServiceOptions) {
    this.#options = options;
  }

  /** Loads the library and the keys before the first token, so that the first client does not wait for them. */
  async warmUp(): Promise<void> {
    await this.#load();
  }

  /** @returns the compact serialization (RFC 7515 §3.1); its signature has the smaller `s` */
  async issue(request: TokenRequest): Promise<string> {
    const { privateKey, header } = await this.#load();
    const claims = {
      iss: this.#options.issuer,
      aud: this.#options.audience,
      sub: request.clientId,
      iat: Math.floor(request.issuedAt / 1000),
      exp: Math.floor(request.expiresAt / 1000),
      jti: request.id,
      client_id: request.clientId,
      scope: request.scope,
      cnf: { "x5t#S256": request.thumbprint },
      [exactInstants]: [request.issuedAt, request.expiresAt],
    };
    const signed = `${header}.${encode(claims)}`;
    // jose signs on another thread, and the change of threads takes longer than signing
    // (docs/decisions/performance.md).
    const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
    return `${signed}.${withLowS(signature).toString("base64url")}`;
  }

  /**
   * Verifies signature, type, issuer, audience and the presence of every claim, but not the expiry, which depends on a
   * clock. For a token that was verified before, the result is returned directly, without a promise: this is the hot
   * path of every request.
   */
  verify(token: string): AccessToken | TokenProblem | Promise<AccessToken | TokenProblem> {
    return this.#verified.get(token) ?? this.#verifyUncached(token);
  }

  async #verifyUncached(token: string): Promise<AccessToken | TokenProblem> {
    if (token.length > longestToken) return new TokenProblem(`It is longer than ${longestToken} characters.`);
    if (!isCanonical(token)) return new TokenProblem("It is not three parts of canonical base64url.");
    const { jose, publicKey } = await this.#load();
    let payload: jose.JWTPayload;
    try {
      ({ payload } = await jose.jwtVerify(token, publicKey, {
        algorithms: [algorithm],
        typ: tokenType,
        issuer: this.#options.issuer,
        audience: this.#options.audience,
        requiredClaims: ["sub", "iat", "exp", "jti"],
        // Expiry is judged on every request, on the client's clock; jose must not judge it by another clock.
        currentDate: new Date(0),
      }));
    } catch (error) {
      return problemOf(error, jose);
    }
    if (!isLowS(decode(token.slice(token.lastIndexOf(".") + 1)))) return alteredSignature;
    const read = readClaims(payload);
    if (read instanceof TokenProblem) return read;
    remember(this.#verified, token, read, cacheSize);
    return read;
  }

  #load(): Promise<Keys> {
    this.#keys ??= loadKeys(this.#options.signingKeyPem);
    return this.#keys;
  }
}

/**
 * Only one form is accepted: decoders ignore the unused bits of a last character, so an altered token could still
 * verify.
 */
function isCanonical(token: string): boolean {
  const parts = token.split(".");
  return parts.length === 3 && parts.every((part) => decode(part).toString("base64url") === part);
}

function decode(part: string): Buffer {
  return Buffer.from(part, "base64url");
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

async function loadKeys(signingKeyPem: string): Promise<Keys> {
  const jose = await import("jose");
  const privateKey = createPrivateKey(signingKeyPem);
  const publicKeyObject = createPublicKey(privateKey);
  const publicJwk = publicKeyObject.export({ format: "jwk" });
  const [publicKey, kid] = await Promise.all([
    jose.importSPKI(publicKeyObject.export({ type: "spki", format: "pem" }).toString(), algorithm),
    jose.calculateJwkThumbprint(publicJwk as jose.JWK),
  ]);
  return { jose, privateKey, publicKey, header: encode({ alg: algorithm, typ: tokenType, kid }) };
}

function readClaims(payload: jose.JWTPayload): AccessToken | TokenProblem {
  const { sub, iat, exp, jti, client_id: clientId, scope } = payload as jose.JWTPayload & Record<string, unknown>;
  const thumbprint = valueAt(payload, ["cnf", "x5t#S256"]);
  if (typeof thumbprint !== "string") return new TokenProblem("It is not bound to a certificate (cnf.x5t#S256).");
  if (typeof clientId !== "string" || sub !== clientId)
    return new TokenProblem("Its client_id is missing, or is not its subject.");
  if (typeof scope !== "string") return new TokenProblem("It has no scope.");
  if (typeof iat !== "number" || typeof exp !== "number" || typeof jti !== "string") {
    return new TokenProblem("Its iat, exp or jti is missing.");
  }
  const exact = payload[exactInstants];
  // `iat` and `exp` decide; the exact instants only add the milliseconds.
  const fits = isPairOfNumbers(exact) && Math.floor(exact[0] / 1000) === iat && Math.floor(exact[1] / 1000) === exp;
  const [issuedAt, expiresAt] = fits ? exact : [iat * 1000, exp * 1000];
  return { clientId, scopes: scope.split(" "), thumbprint, issuedAt, expiresAt, id: jti };
}

function isPairOfNumbers(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((member) => typeof member === "number");
}

function problemOf(error: unknown, { errors }: typeof jose): TokenProblem {
  if (error instanceof errors.JWSSignatureVerificationFailed) return alteredSignature;
  if (error instanceof errors.JOSEAlgNotAllowed) return new TokenProblem(`Its algorithm is not ${algorithm}.`);
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === "typ") return new TokenProblem(`Its type is not ${tokenType}.`);
    if (error.claim === "iss") return new TokenProblem("It was issued by another issuer.");
    if (error.claim === "aud") return new TokenProblem("It was issued for another audience.");
    return new TokenProblem(`Its claim "${error.claim}" is missing or not valid.`);
  }
  if (error instanceof errors.JOSEError) return new TokenProblem("It is not a token of this sandbox.");
  throw error;
}
