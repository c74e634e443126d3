import { createHmac, createPublicKey, generateKeyPairSync } from "node:crypto";
import { exportJWK, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { certificatePeer, createHarness, start } from "./harness.js";

const ping = "/v1/ping";

describe("a token on the right connection", () => {
  it("is accepted by ping until the exact millisecond of its expiry", async () => {
    const { send, tokenFor, clock } = await createHarness();
    const token = await tokenFor();
    const issued = start;
    clock.time = issued + 299_999;
    expect((await send(ping, { token })).status).toBe(200);
    clock.time = issued + 300_000;
    const expired = await send(ping, { token });
    expect([expired.status, expired.json.code]).toEqual([401, "UNAUTHORIZED"]);
    expect(expired.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    expect(expired.exchange?.refusal?.reason).toMatchObject({
      kind: "token-expired",
      issuedTo: "demo",
      expiredAt: issued + 300_000,
    });
  });

  it("is checked against the client's own clock", async () => {
    const { send, tokenFor, clients } = await createHarness();
    const [demo, other] = [await tokenFor("demo"), await tokenFor("other")];
    clients.get("demo")?.clock.advance(301_000);
    expect((await send(ping, { token: demo })).status).toBe(401);
    const { peers, ...harness } = await createHarness();
    const token = await harness.tokenFor("other");
    harness.clients.get("demo")?.clock.advance(301_000);
    expect((await harness.send(ping, { token, peer: peers.other })).status).toBe(200);
    expect(other).not.toBe(demo);
  });

  it("may be sent with the scheme in any case", async () => {
    const { send, tokenFor } = await createHarness();
    expect((await send(ping, { headers: ["authorization", `bEARER ${await tokenFor()}`] })).status).toBe(200);
  });
});

describe("a token on another connection", () => {
  it("is refused: another client's certificate, an unregistered one, none", async () => {
    const { send, tokenFor, peers } = await createHarness();
    const token = await tokenFor();
    for (const peer of [peers.other, certificatePeer("renewed"), peers.none]) {
      const answer = await send(ping, { token, peer });
      expect([answer.status, answer.json.code, answer.headers.get("sandbox-assumed")]).toEqual([
        401,
        "UNAUTHORIZED",
        `bearer.invalid-token${peer === peers.none ? ", certificate.handshake" : ""}, checks.order`,
      ]);
      expect(answer.exchange?.refusal?.reason).toMatchObject({
        kind: "token-of-another-certificate",
        issuedTo: "demo",
      });
    }
  });

  it("is refused once its certificate is no longer registered, has expired or is not valid yet", async () => {
    const { send, tokenFor, clients, peers } = await createHarness();
    const token = await tokenFor();
    const early = certificatePeer("demo-thumbprint", { notBefore: start + 1000 });
    const late = certificatePeer("demo-thumbprint", { notAfter: start - 1000 });
    const wrong = certificatePeer("demo-thumbprint", { clientUsage: false });
    for (const peer of [early, late, wrong]) expect((await send(ping, { token, peer })).status).toBe(401);
    const demo = clients.get("demo");
    if (demo) clients.removeCertificate(demo, "demo-thumbprint");
    expect((await send(ping, { token, peer: peers.demo })).status).toBe(401);
  });

  it("forwarded certificates are ignored", async () => {
    const { send, tokenFor, peers } = await createHarness();
    const token = await tokenFor();
    const headers = [
      "X-Client-Cert",
      "x",
      "X-Forwarded-Client-Cert",
      "Hash=demo-thumbprint",
      "X-SSL-Client-Verify",
      "SUCCESS",
    ];
    expect((await send(ping, { token, peer: peers.none, headers })).status).toBe(401);
  });
});

describe("no token", () => {
  it.each([
    ["none", []],
    ["another scheme", ["Authorization", "Basic ZGVtbzp4"]],
    ["no token after the scheme", ["Authorization", "Bearer"]],
    ["only spaces after the scheme", ["Authorization", "Bearer   "]],
    ["two words", ["Authorization", "Bearer a b"]],
    ["a comma", ["Authorization", "Bearer a,b"]],
    ["empty", ["Authorization", ""]],
  ])("%s", async (_name, headers) => {
    const { send } = await createHarness();
    const answer = await send(ping, { headers });
    expect([answer.status, answer.json.code]).toEqual([401, "UNAUTHORIZED"]);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="payments"');
    expect(answer.headers.get("sandbox-assumed")).toBe("bearer.missing-token, checks.order");
  });

  it("two Authorization headers, even equal ones; a token in the URL, even next to a valid one", async () => {
    const { send, tokenFor } = await createHarness();
    const token = await tokenFor();
    const twice = await send(ping, {
      headers: ["Authorization", `Bearer ${token}`, "authorization", `Bearer ${token}`],
    });
    expect([twice.status, twice.json.code]).toEqual([400, "INVALID_REQUEST"]);
    for (const target of [`${ping}?access_token=${token}`, `${ping}?access%5Ftoken=${token}`]) {
      const inUrl = await send(target, { token });
      expect([inUrl.status, inUrl.json.code]).toEqual([400, "INVALID_REQUEST"]);
    }
  });
});

describe("scope", () => {
  it("a token without read is refused with 403", async () => {
    const { send, tokenFor } = await createHarness();
    const answer = await send(ping, { token: await tokenFor("demo", "other") });
    expect([answer.status, answer.json.code]).toEqual([403, "FORBIDDEN"]);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="read"');
  });
});

describe("forged tokens", () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? "", "base64url").toString());

  async function forge() {
    const harness = await createHarness();
    const token = await harness.tokenFor();
    const [header, payload, signature] = token.split(".");
    return {
      ...harness,
      token,
      header: decode(header),
      payload: decode(payload),
      parts: [header, payload, signature] as string[],
    };
  }

  it("the genuine one has the announced type, algorithm and claims", async () => {
    const { header, payload } = await forge();
    expect(header).toMatchObject({ alg: "ES256", typ: "at+jwt" });
    expect(payload).toMatchObject({
      sub: "demo",
      client_id: "demo",
      scope: "read",
      cnf: { "x5t#S256": "demo-thumbprint" },
    });
    expect(payload.exp - payload.iat).toBe(300);
    expect(payload.iss && payload.aud && payload.jti).toBeTruthy();
  });

  it("any single character changed", async () => {
    const { send, token } = await forge();
    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === "A" ? "B" : "A";
      const altered = token.slice(0, at) + other + token.slice(at + 1);
      expect((await send(ping, { token: altered })).status, `character ${at}`).toBe(401);
    }
  });

  it("the unused bits of the last character", async () => {
    const { send, token } = await forge();
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = alphabet.indexOf(token.at(-1) as string);
    const twin = token.slice(0, -1) + alphabet[last ^ 1];
    expect(Buffer.from(twin.split(".")[2] as string, "base64url")).toEqual(
      Buffer.from(token.split(".")[2] as string, "base64url"),
    );
    expect((await send(ping, { token: twin })).status).toBe(401);
  });

  it("alg none, with and without a signature", async () => {
    const { send, payload, parts } = await forge();
    for (const alg of ["none", "None", "NONE"]) {
      const unsigned = `${encode({ alg, typ: "at+jwt" })}.${encode(payload)}.`;
      expect((await send(ping, { token: unsigned })).status).toBe(401);
      expect((await send(ping, { token: unsigned + parts[2] })).status).toBe(401);
    }
  });

  it("HS256 keyed with the public key, in several encodings", async () => {
    const { send, payload, signingKeyPem } = await forge();
    const pem = createPublicKey(signingKeyPem);
    for (const key of [pem.export({ type: "spki", format: "pem" }), pem.export({ type: "spki", format: "der" })]) {
      const signed = `${encode({ alg: "HS256", typ: "at+jwt" })}.${encode(payload)}`;
      const mac = createHmac("sha256", key).update(signed).digest("base64url");
      expect((await send(ping, { token: `${signed}.${mac}` })).status).toBe(401);
    }
  });

  it("an own key offered by jwk, jku, x5u or kid", async () => {
    const { send, payload } = await forge();
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = await exportJWK(publicKey);
    for (const extra of [
      { jwk },
      { jku: "https://evil.test/jwks" },
      { x5u: "https://evil.test/x" },
      { kid: "../../../dev/null" },
      { crit: ["exp"] },
    ]) {
      const token = await new SignJWT(payload)
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", ...extra } as never)
        .sign(privateKey)
        .catch(() => "x.y.z");
      expect((await send(ping, { token })).status).toBe(401);
    }
  });

  it.each(["x", "a.b", "a.b.c", "..", "a.b.c.d.e", `${"a".repeat(9000)}.b.c`, "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"])(
    "not a token at all: %.20s",
    async (token) => {
      const { send } = await forge();
      const answer = await send(ping, { token });
      expect([answer.status, answer.json.code]).toEqual([401, "UNAUTHORIZED"]);
    },
  );
});
