import { describe, expect, it } from "vitest";
import { createHarness } from "../api/harness.js";
import { documentOf } from "./documents.js";
import { assertAnswerMatchesOpenApi } from "./validate.js";

const document = await documentOf();

/** A successful answer of ping, and one of its errors. */
async function answers() {
  const { send, tokenFor } = await createHarness();
  const token = await tokenFor();
  return { pong: await send("/v1/ping", { token }), refused: await send("/v1/ping") };
}

type Sent = Awaited<ReturnType<typeof answers>>["pong"];

function check(
  answer: Sent,
  changes: { status?: number; headers?: Record<string, string | undefined>; body?: unknown },
) {
  const headers = { ...Object.fromEntries(answer.headers), ...changes.headers };
  const body = changes.body === undefined ? answer.text : JSON.stringify(changes.body);
  return assertAnswerMatchesOpenApi(document, "GET", "/v1/ping", changes.status ?? answer.status, headers, body);
}

describe("an answer matches the document", () => {
  it("when it is the sandbox's own", async () => {
    const { pong, refused } = await answers();
    await check(pong, {});
    await check(refused, {});
  });

  it.each([
    ["a status", { status: 201 }, "status 201 is not described"],
    ["a body", { body: { status: "BAD", more: 1 } }, "#/more"],
    ["a body without a member", { body: {} }, "/required"],
    ["no correlation ID", { headers: { "x-correlation-id": undefined } }, "header X-Correlation-ID is missing"],
    ["a correlation ID", { headers: { "x-correlation-id": "1" } }, "header X-Correlation-ID does not fit"],
    ["a header", { headers: { "x-powered-by": "me" } }, "header x-powered-by is not described"],
    ["no assumption", { headers: { "sandbox-assumed": undefined } }, "header Sandbox-Assumed is missing"],
    ["a content type", { headers: { "content-type": "text/plain" } }, '"text/plain" is not described'],
  ])("not with another %s", async (_name, changes, problem) => {
    const { pong } = await answers();
    await expect(check(pong, changes)).rejects.toThrow(problem);
  });

  it.each([
    ["a code", { body: { message: "No.", code: "NO" } }, "code NO has no example"],
    ["an assumption", { headers: { "sandbox-assumed": "http.not-found" } }, "rests on http.not-found"],
    ["a challenge", { headers: { "www-authenticate": "Basic" } }, "WWW-Authenticate does not fit"],
  ])("not as an error with another %s", async (_name, changes, problem) => {
    const { refused } = await answers();
    await expect(check(refused, changes)).rejects.toThrow(problem);
  });

  it("with any content that a scenario injects, as long as it says so", async () => {
    const { pong } = await answers();
    const fault = { "sandbox-fault": "name/rule#1;seed=x" };
    await check(pong, { status: 502, headers: { ...fault, "content-type": "text/html" }, body: "<" });
    await expect(check(pong, { headers: { "sandbox-fault": "?" } })).rejects.toThrow("Sandbox-Fault does not fit");
  });

  it("at an unknown path when it is NOT_FOUND, and with another method when it is METHOD_NOT_ALLOWED", async () => {
    const { send, peers } = await createHarness();
    // `send` asserts this.
    expect((await send("/nowhere")).status).toBe(404);
    expect((await send("/v1/ping", { method: "POST" })).status).toBe(405);
    expect((await send("/oauth/v2/oauth-token", { peer: peers.none })).status).toBe(405);
  });
});
