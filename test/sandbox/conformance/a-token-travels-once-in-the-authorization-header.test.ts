import { describe, expect, it } from "vitest";
import { expectError, sharedSandbox } from "./sandbox.js";

// §5 point 4; RFC 6750 §2 and §3
const sandbox = sharedSandbox();

describe("without a token", () => {
  it("401 with a challenge that carries no error code (RFC 6750 §3)", async () => {
    for (const path of ["/v1/ping", "/v1/ping?produceError=true", "/v1/payments", "/v1/payouts?cursor=x"]) {
      const answer = await sandbox().send(path);
      expectError(answer, 401, "UNAUTHORIZED");
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="payments"');
      expect(answer.headers["sandbox-assumed"]).toBe("bearer.missing-token, checks.order");
    }
  });

  it.each([
    "",
    "Bearer",
    "Bearer ",
    "Basic ZGVtbzpzZWNyZXQ=",
    "Bearer a b",
    'Bearer "a"',
    "Bearer a,b",
    "Bearer=a",
    "DPoP a",
    "Token a",
    "Bearer é",
    "a",
  ])("the header %j counts as no token", async (value) => {
    const answer = await sandbox().get("/v1/ping", [`Authorization: ${value}`]);
    expectError(answer, 401, "UNAUTHORIZED");
    expect(answer.headers["www-authenticate"]).toBe('Bearer realm="payments"');
  });

  it("a token in another header counts as no token", async () => {
    const token = await sandbox().token();
    for (const name of ["X-Authorization", "Proxy-Authorization", "Access-Token", "Cookie"]) {
      expectError(await sandbox().send("/v1/ping", { headers: { [name]: `Bearer ${token}` } }), 401, "UNAUTHORIZED");
    }
  });

  it("a token without a scheme counts as no token", async () => {
    expectError(
      await sandbox().send("/v1/ping", { headers: { Authorization: await sandbox().token() } }),
      401,
      "UNAUTHORIZED",
    );
  });
});

it("the case of the scheme's name does not matter (RFC 9110 §11.1)", async () => {
  const token = await sandbox().token();
  for (const scheme of ["bearer", "BEARER", "bEaReR"]) {
    expect((await sandbox().send("/v1/ping", { headers: { Authorization: `${scheme} ${token}` } })).status).toBe(200);
  }
});

describe("sent twice", () => {
  it("two Authorization headers, in any order and case, are refused even when both are valid", async () => {
    const good = `Authorization: Bearer ${await sandbox().token()}`;
    for (const headers of [
      [good, good],
      [good, good.toLowerCase().replace("bearer", "Bearer")],
      [good, "AUTHORIZATION: Bearer x"],
      ["authorization: Bearer x", good],
      [good, "Authorization: Basic ZGVtbzo="],
      [good, "Authorization:"],
    ]) {
      expectError(await sandbox().get("/v1/ping", headers), 400, "INVALID_REQUEST");
    }
  });
});

describe("in the URL", () => {
  it.each(["access_token", "access%5Ftoken", "%61ccess_token"])(
    "%s is refused, whatever the header contains",
    { tags: "slow" },
    async (name) => {
      const token = await sandbox().token();
      for (const path of ["/v1/ping", "/v1/payments"]) {
        for (const value of [token, "x", ""]) {
          const target = `${path}?${name}=${value}`;
          const answer = await sandbox().get(target);
          expectError(answer, 400, "INVALID_REQUEST");
          // RFC 6750 §3: also if the status is not 401.
          expect(answer.headers["www-authenticate"]).toBe('Bearer error="invalid_request"');
          expectError(await sandbox().get(target, [`Authorization: Bearer ${token}`]), 400, "INVALID_REQUEST");
        }
      }
    },
  );
});

it("a token in an unexpected body does not count", async () => {
  const token = await sandbox().token();
  const body = `access_token=${token}`;
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": String(body.length) };
  expectError(await sandbox().send("/v1/ping", { headers, body }), 401, "UNAUTHORIZED");
});
