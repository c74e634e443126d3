import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type Json, macToken, otherSpelling, publicJwk, readToken, signingInput, signToken } from "./forged-tokens.js";
import { expectError, sharedSandbox } from "./sandbox.js";

// §5 points 4 and 5: only a token that this service issued; RFC 8725 §3.1 (algorithms), §3.10 (keys that the token
// contains)
const sandbox = sharedSandbox();
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

let key: KeyObject;
let genuine: string;
let header: Json;
let claims: Json;

beforeAll(async () => {
  key = createPrivateKey(sandbox().file("token-signing.key.pem"));
  genuine = await sandbox().token();
  ({ header, claims } = readToken(genuine));
});

async function expectRefused(token: string): Promise<void> {
  const answer = await sandbox().send("/v1/ping", { token });
  expectError(answer, 401, "UNAUTHORIZED");
  expect(answer.headers["www-authenticate"]).toMatch(/^Bearer (realm="payments"|error="invalid_token")$/);
}

it("a token that is signed here with the real key and the real claims is valid", async () => {
  expect((await sandbox().send("/v1/ping", { token: signToken(header, claims, key) })).status).toBe(200);
  expect((await sandbox().send("/v1/ping", { token: signToken(header, { ...claims, jti: "x" }, key) })).status).toBe(
    200,
  );
});

describe("algorithms", () => {
  it.each(["none", "None", "NONE", "nOnE", ""])("alg %j, without a signature and with the old one", async (alg) => {
    const input = signingInput({ ...header, alg }, claims);
    await expectRefused(`${input}.`);
    await expectRefused(input);
    await expectRefused(`${input}.${genuine.split(".")[2]}`);
  });

  it("HS256 keyed with the public key, in every form that a library might accept as a secret", async () => {
    const publicKey = createPublicKey(key);
    const secrets = [
      publicKey.export({ type: "spki", format: "pem" }),
      publicKey.export({ type: "spki", format: "pem" }).toString().trim(),
      publicKey.export({ type: "spki", format: "der" }),
      JSON.stringify(publicJwk(key)),
      sandbox().ca,
      "",
    ];
    for (const secret of secrets) await expectRefused(macToken({ ...header, alg: "HS256" }, claims, secret));
  });

  it.each(["ES384", "RS256", "EdDSA", "ES256K", "es256"])("%s in the header of an ES256 signature", async (alg) => {
    await expectRefused(signToken({ ...header, alg }, claims, key));
  });

  it("a header without alg", async () => {
    await expectRefused(signToken({ typ: header["typ"], kid: header["kid"] }, claims, key));
  });
});

describe("keys that the token contains", () => {
  it.each<[string, () => Json]>([
    ["jwk", () => ({ jwk: publicJwk(stranger) })],
    ["jku", () => ({ jku: "https://attacker.test/jwks.json" })],
    ["x5u", () => ({ x5u: "https://attacker.test/cert.pem" })],
    ["x5c", () => ({ x5c: [Buffer.from(sandbox().ca).toString("base64")] })],
    ["another kid", () => ({ kid: "another" })],
    ["a kid that is a path", () => ({ kid: "../../../../dev/null" })],
    ["a kid that is SQL", () => ({ kid: "' UNION SELECT 'secret" })],
    ["a kid that is an object", () => ({ kid: { $ne: null } })],
  ])("%s, signed with a foreign key", async (_name, extra) => {
    await expectRefused(signToken({ ...header, ...extra() }, claims, stranger));
  });

  it("with a kid that means an empty HMAC key", async () => {
    await expectRefused(macToken({ ...header, alg: "HS256", kid: "/dev/null" }, claims, ""));
  });

  it("an extension that must be understood (RFC 7515 §4.1.11)", async () => {
    await expectRefused(signToken({ ...header, crit: ["exp"] }, claims, key));
    await expectRefused(signToken({ ...header, crit: ["b64"], b64: false }, claims, key));
  });
});

describe("correctly signed, with claims that are not those of an access token", () => {
  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => Json]>([
    ["another issuer", () => ({ iss: "https://attacker.test" })],
    ["no issuer", () => ({ iss: undefined })],
    ["another audience", () => ({ aud: "another-service" })],
    ["no audience", () => ({ aud: undefined })],
    ["an empty audience", () => ({ aud: [] })],
    ["no confirmation", () => ({ cnf: undefined })],
    ["an empty confirmation", () => ({ cnf: {} })],
    ["a confirmation that is null", () => ({ cnf: null })],
    ["a confirmation that is a list", () => ({ cnf: [] })],
    ["a thumbprint that is empty", () => ({ cnf: { "x5t#S256": "" } })],
    ["a thumbprint that is not a text", () => ({ cnf: { "x5t#S256": 1 } })],
    ["a thumbprint that is a list", () => ({ cnf: { "x5t#S256": [(claims["cnf"] as Json)["x5t#S256"]] } })],
    ["another thumbprint", () => ({ cnf: { "x5t#S256": "A".repeat(43) } })],
    ["a thumbprint by SHA-1 only", () => ({ cnf: { x5t: "A".repeat(27) } })],
    ["a key instead of a certificate", () => ({ cnf: { jwk: publicJwk(stranger) } })],
    ["another client with this certificate", () => ({ client_id: "other", sub: "other" })],
    ["a client that does not exist", () => ({ client_id: "nobody", sub: "nobody" })],
    ["a client that is not its subject", () => ({ client_id: "other" })],
    ["no client", () => ({ client_id: undefined })],
    ["no subject", () => ({ sub: undefined })],
    ["expired by a second", () => ({ exp: now() - 1 })],
    ["expired now", () => ({ exp: now() })],
    ["expired at the beginning of time", () => ({ exp: 0 })],
    ["expired before it", () => ({ exp: -1 })],
    ["no expiry", () => ({ exp: undefined })],
    ["an expiry that is a text", () => ({ exp: String(now() + 300) })],
    ["an expiry that is null", () => ({ exp: null })],
    ["no instant of issue", () => ({ iat: undefined })],
    ["no id", () => ({ jti: undefined })],
    ["no scope", () => ({ scope: undefined })],
    ["a scope that is a list", () => ({ scope: ["read"] })],
    ["not valid yet", () => ({ nbf: now() + 60 })],
  ])("%s", async (_name, change) => {
    await expectRefused(signToken(header, { ...claims, ...change() }, key));
  });

  it("a scope without read is another refusal: 403", async () => {
    for (const scope of ["", "write", "READ", "readwrite", "read.all"]) {
      const answer = await sandbox().send("/v1/ping", { token: signToken(header, { ...claims, scope }, key) });
      expectError(answer, 403, "FORBIDDEN");
      expect(answer.headers["www-authenticate"]).toBe('Bearer error="insufficient_scope", scope="read"');
    }
  });

  it.each(["JWT", "jwt", "dpop+jwt", undefined, "", "at+jws"])("the type %j", async (typ) => {
    await expectRefused(signToken({ ...header, typ }, claims, key));
  });

  it.each(["null", "[]", '"text"', "1", "", "{"])("claims that are %j", async (text) => {
    await expectRefused(signToken(header, text, key));
  });
});

describe("altered", () => {
  it("every character of a token counts", { tags: "slow" }, async () => {
    for (let at = 0; at < genuine.length; at += 1) {
      const other = genuine[at] === "A" ? "B" : "A";
      const answer = await sandbox().send("/v1/ping", { token: genuine.slice(0, at) + other + genuine.slice(at + 1) });
      expect(`${at} ${answer.status}`).toBe(`${at} 401`);
    }
  });

  it("the last character, whose unused bits decoders ignore", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const base = genuine.slice(0, -1);
    for (const last of alphabet.replace(genuine.at(-1) ?? "", "")) await expectRefused(base + last);
  });

  it("n - s instead of s, which is valid too: only the smaller of the two is issued and accepted", async () => {
    for (let count = 0; count < 16; count += 1) {
      const other = otherSpelling(await sandbox().token());
      expect(other.isLow).toBe(true);
      await expectRefused(other.token);
    }
  });

  it("r and s with more bytes than they need", async () => {
    const at = genuine.lastIndexOf(".") + 1;
    const signature = Buffer.from(genuine.slice(at), "base64url");
    await expectRefused(genuine.slice(0, at) + Buffer.concat([Buffer.alloc(1), signature]).toString("base64url"));
  });

  it.each<[string, (token: string) => string]>([
    ["after a space that only Unicode knows", (token) => `\u00a0${token}`],
    ["before one", (token) => `${token}\u00a0`],
    ["cut short", (token) => token.slice(0, -1)],
    ["without its signature", (token) => token.slice(0, token.lastIndexOf(".") + 1)],
    ["padded", (token) => `${token}=`],
    ["in ordinary base64", (token) => token.replaceAll("-", "+").replaceAll("_", "/").replace(/$/, "==")],
    ["with a fourth part", (token) => `${token}.x`],
    ["twice", (token) => `${token}.${token}`],
    ["an encrypted one's shape", () => "a.b.c.d.e"],
    ["empty parts", () => ".."],
    ["long", () => `${"a".repeat(5000)}.${"b".repeat(5000)}.c`],
    ["not base64url at all", () => "~.~.~"],
  ])("%s", async (_name, change) => {
    await expectRefused(change(genuine));
  });

  it("a signature in DER, and one of zeros (CVE-2022-21449)", async () => {
    const [head = "", body = ""] = genuine.split(".");
    await expectRefused(`${head}.${body}.${Buffer.alloc(64).toString("base64url")}`);
    await expectRefused(`${head}.${body}.`);
    const r1 = Buffer.alloc(64);
    r1[31] = 1;
    r1[63] = 1;
    await expectRefused(`${head}.${body}.${r1.toString("base64url")}`);
  });

  it("the token of a sandbox with other keys", async () => {
    await expectRefused(signToken(header, claims, stranger));
  });
});
