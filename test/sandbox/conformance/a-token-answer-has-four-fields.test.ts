import { describe, expect, it } from "vitest";
import { expectTokenError, goodForm, sharedSandbox, versions } from "./sandbox.js";

// §2.1 and §4.1
const sandbox = sharedSandbox();

describe.each(versions)("on %s", (version) => {
  const tls = { minVersion: version, maxVersion: version };

  it("access_token, token_type, expires_in, scope, and nothing else", async () => {
    const answer = await sandbox().postToken(goodForm(), { tls });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(["access_token", "token_type", "expires_in", "scope"]);
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^[\w.~+/-]{20,}=*$/),
      token_type: "bearer",
      expires_in: 300,
      scope: "read",
    });
  });
});

it("is JSON and not to be stored (RFC 6749 §5.1)", async () => {
  const { headers } = await sandbox().postToken();
  expect(headers["sandbox-assumed"]).toBeUndefined();
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "cache-control": "no-store",
    pragma: "no-cache",
  });
});

it("each token is different", async () => {
  const tokens = await Promise.all(Array.from({ length: 5 }, () => sandbox().token()));
  expect(new Set(tokens).size).toBe(5);
});

it.each([
  "application/x-www-form-urlencoded; charset=UTF-8",
  "APPLICATION/X-WWW-FORM-URLENCODED",
  "application/x-www-form-urlencoded;charset=utf-8",
])("the content type may be written %s", async (type) => {
  expect((await sandbox().postToken(goodForm(), { headers: { "Content-Type": type } })).status).toBe(200);
});

it("the body may be chunked, and the names percent-encoded", async () => {
  const headers = { "Transfer-Encoding": "chunked" };
  expect(
    (await sandbox().postToken("client%5Fid=demo&scope=%72ead&grant_type=client_credentials", { headers })).status,
  ).toBe(200);
});

it("unknown parameters are ignored, an empty one counts as omitted (RFC 6749 §3.2)", async () => {
  for (const extra of [
    "&audience=x",
    "&resource=a&resource=b",
    "&client_secret=",
    "&client_assertion=",
    "&&",
    "&=",
    "&x",
  ]) {
    const answer = await sandbox().postToken(goodForm() + extra);
    expect(`${extra} ${answer.status}`).toBe(`${extra} 200`);
  }
  expectTokenError(
    await sandbox().postToken("client_id=&grant_type=client_credentials&scope=read"),
    400,
    "INVALID_REQUEST",
    "invalid_request",
  );
});
