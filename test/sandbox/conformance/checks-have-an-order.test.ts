import { createPrivateKey } from "node:crypto";
import { expect, it } from "vitest";
import { readToken, signToken } from "./forged-tokens.js";
import { expectError, sharedSandbox } from "./sandbox.js";

// §7 leaves open which error wins; the order is route, method, peer and token, scope, correlation ID, parameters
// (`checks.order`).
const sandbox = sharedSandbox();
const badId = "X-Correlation-ID: bad";

it("everything wrong at once, fixed one by one", async () => {
  const token = await sandbox().token();
  const { header, claims } = readToken(token);
  const unscoped = signToken(
    header,
    { ...claims, scope: "write" },
    createPrivateKey(sandbox().file("token-signing.key.pem")),
  );
  const bad = "pageSize=0&fromCreatedAt=x&cursor=x";

  expectError(await sandbox().send(`/nothing?${bad}`, { method: "POST", as: "nobody" }), 404, "NOT_FOUND");
  expectError(await sandbox().send(`/v1/payments?${bad}`, { method: "POST", as: "nobody" }), 405, "METHOD_NOT_ALLOWED");
  const authorization = (value: string) => [`Authorization: Bearer ${value}`, badId];
  expectError(await sandbox().get(`/v1/payments?${bad}`, [badId], "nobody"), 401, "UNAUTHORIZED");
  expectError(await sandbox().get(`/v1/payments?${bad}`, authorization(unscoped), "other"), 401, "UNAUTHORIZED");
  expectError(await sandbox().get(`/v1/payments?${bad}`, authorization(unscoped)), 403, "FORBIDDEN");
  expectError(await sandbox().get(`/v1/payments?${bad}`, authorization(token)), 400, "INVALID_CORRELATION_ID");
  expectError(await sandbox().send(`/v1/payments?${bad}`, { token }), 400, "INVALID_PAGE_SIZE");
  expectError(
    await sandbox().send("/v1/payments?pageSize=1&fromCreatedAt=x&cursor=x", { token }),
    400,
    "VALIDATION_ERROR",
  );
  expectError(await sandbox().send("/v1/payments?pageSize=1&cursor=x", { token }), 400, "INVALID_CURSOR");
  expect((await sandbox().send("/v1/payments?pageSize=1", { token })).status).toBe(200);
});

it("a peer without a token learns nothing about parameters, nor whether produceError works", async () => {
  for (const as of ["nobody", "other", "untrusted"] as const) {
    const texts = await Promise.all(
      ["/v1/ping", "/v1/ping?produceError=true", "/v1/payments?pageSize=0", "/v1/payments?cursor=x"].map(
        async (path) => (await sandbox().send(path, { as, token: await sandbox().token() })).text,
      ),
    );
    expect(new Set(texts).size).toBe(1);
  }
});
