import { expect, it } from "vitest";
import { assumptionIds } from "../../src/assumptions.js";
import { sharedSandbox, tokenPath } from "./sandbox.js";

// Every answer that rests on a choice of the sandbox names the assumption, so that clients do not rely on it. Answers that the interface defines do not.
const sandbox = sharedSandbox();

it("each answer names its assumption, which is one of the table", async () => {
  const token = await sandbox().token();
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const answers: [string | undefined, Promise<{ headers: Record<string, unknown> }>][] = [
    ["token.format", sandbox().postToken()],
    ["token.invalid-client", sandbox().postToken(undefined, { as: "other" })],
    ["token.invalid-request", sandbox().postToken("")],
    ["token.invalid-scope", sandbox().postToken("grant_type=client_credentials&client_id=demo")],
    ["token.unsupported-grant-type", sandbox().postToken("grant_type=x&client_id=demo")],
    ["token.media-type", sandbox().send(tokenPath, { method: "POST", body: "" })],
    ["http.method-not-allowed", sandbox().send(tokenPath)],
    ["http.payload-too-large", sandbox().postToken("a".repeat(70_000))],
    ["http.not-found", sandbox().send("/x")],
    ["bearer.missing-token", sandbox().send("/v1/ping")],
    ["bearer.invalid-token", sandbox().send("/v1/ping", { token: "x" })],
    ["bearer.invalid-request", sandbox().send(`/v1/ping?access_token=${token}`)],
    ["ping.response", sandbox().send("/v1/ping", { token })],
    ["ping.produce-error", sandbox().send("/v1/ping?produceError=x", { token })],
    ["list.endpoints", sandbox().send("/v1/payments", { token })],
    [undefined, sandbox().send("/v1/ping?produceError=true", { token })],
    [undefined, sandbox().send("/v1/payments?pageSize=0", { token })],
    [undefined, sandbox().send("/v1/payments?cursor=x", { token })],
    [undefined, sandbox().send("/v1/payments?fromCreatedAt=x", { token })],
    [undefined, sandbox().send("/v1/ping", { token, headers: { "X-Correlation-ID": "x" } })],
    [undefined, sandbox().postToken(undefined, { headers: { ...form, "X-Correlation-ID": "x" } })],
  ];
  for (const [id, answer] of answers) {
    expect((await answer).headers["sandbox-assumed"]).toBe(id);
    if (id !== undefined) expect(assumptionIds).toContain(id);
  }
});
