import { describe, expect, it } from "vitest";
import { sharedSandbox, tokenPath } from "./sandbox.js";

// A scenario's error equals the sandbox's own answer: status, code, message, headers and the named assumption.
const errors = {
  "by-code": "UNAUTHORIZED",
  "by-id": "bearer.invalid-token",
  missing: "bearer.missing-token",
  request: "INVALID_REQUEST",
  client: "INVALID_CLIENT",
  date: "list.dates",
  method: "METHOD_NOT_ALLOWED",
  failure: "INTERNAL_SERVER_ERROR",
  validation: "VALIDATION_ERROR",
  rate: "TOO_MANY_REQUESTS",
  "rate-by-id": "http.rate-limit",
  "rate-slow": "{ code: TOO_MANY_REQUESTS, retryAfter: 5s }",
  "rate-own": "{ code: http.rate-limit, headers: { retry-after: '7' } }",
  own: "{ code: bearer.invalid-token, message: Mine., headers: { www-authenticate: Own } }",
};
const scenario = (error: string) => `description: One error.\nrules:\n  - then: { error: ${error} }\n`;
const files = Object.fromEntries(
  Object.entries(errors).map(([name, error]) => [`scenarios/${name}.yaml`, scenario(error)]),
);
const plain = sharedSandbox({ files });
const configured = sharedSandbox({
  files,
  yaml: `
assumptions:
  bearer.invalid-token: { status: 403, code: TOKEN_REJECTED, message: The token was rejected. }
  http.internal-error: { status: 502 }
`,
});

async function ask(sandbox: typeof plain, name: string, path = "/v1/ping") {
  const headers = { "Sandbox-Scenario": name };
  const answer =
    path === tokenPath
      ? await sandbox().postToken(undefined, { headers })
      : await sandbox().send(path, { token: await sandbox().token(), headers });
  const { code, message } = answer.json;
  return {
    error: `${answer.status} ${code}`,
    message,
    challenge: answer.headers["www-authenticate"],
    mark: answer.headers["sandbox-assumed"],
  };
}

const invalidToken = {
  error: "401 UNAUTHORIZED",
  message: "The access token is not valid on this connection.",
  challenge: 'Bearer error="invalid_token"',
  mark: "bearer.invalid-token",
};

describe("without a configuration", () => {
  it.each(["by-code", "by-id", "unauthorized-once"])(
    "%s: a valid token is refused like an invalid one",
    async (name) => {
      const real = await plain().send("/v1/ping", { token: "x" });
      expect([real.json.message, real.headers["www-authenticate"]]).toEqual([
        invalidToken.message,
        invalidToken.challenge,
      ]);
      expect(await ask(plain, name)).toEqual(invalidToken);
    },
  );

  it("the id of another assumption causes the answer of that one", async () => {
    expect(await ask(plain, "missing")).toMatchObject({
      challenge: 'Bearer realm="payments"',
      mark: "bearer.missing-token",
    });
    expect(await ask(plain, "date", "/v1/payments")).toMatchObject({
      error: "400 VALIDATION_ERROR",
      mark: "list.dates",
    });
  });

  it("a code is based on the operation's own assumption for it", async () => {
    expect(await ask(plain, "request")).toMatchObject({ error: "400 INVALID_REQUEST", mark: "bearer.invalid-request" });
    const token = await ask(plain, "request", tokenPath);
    expect(token.mark).toBe("token.invalid-request, token.error-body");
  });

  it("a code that the operation never has names no assumption", async () => {
    expect(await ask(plain, "client")).toMatchObject({ error: "400 INVALID_CLIENT", mark: undefined });
    expect(await ask(plain, "validation")).toMatchObject({ error: "400 VALIDATION_ERROR", mark: undefined });
    // RFC 9110 §15.5.2: a 401 has a challenge.
    expect(await ask(plain, "by-code", tokenPath)).toMatchObject({
      challenge: 'Bearer realm="payments"',
      mark: "token.error-body",
    });
  });

  it.each([
    ["rate", "1"],
    ["rate-by-id", "1"],
    ["rate-slow", "5"],
    ["rate-own", "7"],
  ])("%s says how long to wait, like the sandbox's own limit", async (name, wait) => {
    const headers = { "Sandbox-Scenario": name };
    const answer = await plain().send("/v1/ping", { token: await plain().token(), headers });
    expect([answer.status, answer.headers["retry-after"], answer.headers["sandbox-assumed"]]).toEqual([
      429,
      wait,
      "http.rate-limit",
    ]);
    const token = await plain().postToken(undefined, { headers });
    expect([token.status, token.headers["retry-after"]]).toEqual([429, wait]);
  });

  it("the scenario's own values take precedence over all of these", async () => {
    expect(await ask(plain, "own")).toEqual({ ...invalidToken, message: "Mine.", challenge: "Own" });
  });

  it("a failure by a scenario is not reported as a bug of the sandbox", async () => {
    const { message } = await ask(plain, "failure");
    expect(message).toBe("The service failed.");
    const journal = await fetch(`${plain().adminUrl}/requests`).then((answer) => answer.text());
    expect(journal).not.toContain("bug");
  });
});

describe("with a configuration", () => {
  it.each(["by-code", "by-id", "unauthorized-once"])("%s: the configured answer", async (name) => {
    expect(await ask(configured, name)).toEqual({
      error: "403 TOKEN_REJECTED",
      message: "The token was rejected.",
      challenge: 'Bearer error="invalid_token"',
      mark: "bearer.invalid-token",
    });
  });

  it("a message of the scenario takes precedence over the configured one", async () => {
    expect(await ask(configured, "own")).toMatchObject({
      error: "403 TOKEN_REJECTED",
      message: "Mine.",
      challenge: "Own",
    });
  });

  it("internal-error-once has the configured status", async () => {
    expect((await ask(configured, "internal-error-once")).error).toBe("502 INTERNAL_SERVER_ERROR");
  });
});
