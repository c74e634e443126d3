import { describe, expect, it } from "vitest";
import { type Caller, expectError, misfits, sharedSandbox, versions } from "./sandbox.js";

// §4.1 rule 2, §5 points 4 and 5
const sandbox = sharedSandbox();
const strangers: Caller[] = [...misfits, "other", "nobody"];

describe.each(versions)("on %s", (version) => {
  const tls = { minVersion: version, maxVersion: version };

  it("is valid over its own certificate", async () => {
    const token = await sandbox().token();
    expect((await sandbox().send("/v1/ping", { token, tls })).status).toBe(200);
    expect((await sandbox().send("/v1/payments", { token, tls })).status).toBe(200);
  });

  it.each(strangers)("is refused over the certificate of %s", async (as) => {
    const token = await sandbox().token();
    for (const path of ["/v1/ping", "/v1/payments"]) {
      const answer = await sandbox().send(path, { token, as, tls });
      expectError(answer, 401, "UNAUTHORIZED");
      expect(answer.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
    }
    // It is still valid over its own certificate.
    expect((await sandbox().send("/v1/ping", { token })).status).toBe(200);
  });
});

it("the refusal is the same for every certificate, and does not name the correct certificate", async () => {
  const token = await sandbox().token();
  const answers = await Promise.all(strangers.map((as) => sandbox().send("/v1/ping", { token, as })));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.text).not.toContain("demo");
});

it("the token of the other client is refused in the same way", async () => {
  const token = await sandbox().token("other");
  expectError(await sandbox().send("/v1/ping", { token, as: "demo" }), 401, "UNAUTHORIZED");
  expect((await sandbox().send("/v1/ping", { token, as: "other" })).status).toBe(200);
});
