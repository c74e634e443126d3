import { beforeAll, describe, expect, it } from "vitest";
import { speaksHttp2 } from "../../support/https-client.js";
import { expectError, sharedSandbox } from "./sandbox.js";

// §4: the paths of the interface, and no other paths. RFC 9112 §3.2 for the forms of a target.
const sandbox = sharedSandbox();
let authorization: string;
beforeAll(async () => {
  authorization = `Authorization: Bearer ${await sandbox().token()}`;
});

describe("404 NOT_FOUND", () => {
  it.each([
    "/",
    "/v1",
    "/v1/",
    "/v2/ping",
    "//v1/../v1/ping",
    "//v1/ping",
    "/v1//ping",
    "/v1/%70ing",
    "/%76%31/ping",
    "/v1%2fping",
    "/v1/ping/",
    "/v1/ping//",
    "/V1/PING",
    "/v1/Ping",
    "/v1/./ping",
    "/./v1/ping",
    "/v1/../v1/ping",
    "/../v1/ping",
    "/v1/%2e%2e/v1/ping",
    "/v1/%2e/ping",
    "/v1/ping;x=1",
    "/v1;x/ping",
    "/v1/ping%20",
    "/v1/ping%00",
    "/v1/ping%3fproduceError=true",
    "/v1/ping%23",
    "/v1/ping#x",
    "/v1/ping.json",
    "/v1/payments/",
    "/v1/payments/1",
    "/v1/Payments",
    "/oauth/v2/oauth-token/",
    "/oauth/v2/OAuth-Token",
    "/oauth/token",
    "/health",
    "/ca.pem",
    "/.well-known/oauth-authorization-server",
    "/favicon.ico",
    "/constructor",
    "/__proto__",
  ])("%s", async (target) => {
    const answer = await sandbox().get(target, [authorization]);
    expectError(answer, 404, "NOT_FOUND");
    expect(answer.headers["sandbox-assumed"]).toBe("http.not-found, checks.order");
  });
});

/** HTTP/2 has no absolute form: nghttp2 resets the stream (RFC 9113 §8.3.1). */
const absoluteForm = it.skipIf(speaksHttp2);

describe("the same resource", () => {
  it("/v1/ping?, an empty query", async () => {
    expect((await sandbox().get("/v1/ping?", [authorization])).status).toBe(200);
  });

  absoluteForm.each([
    "https://localhost/v1/ping",
    "https://localhost:8443/v1/ping",
    "HTTPS://LOCALHOST/v1/ping",
    "http://sandbox/v1/ping",
    "https://[::1]:1/v1/ping?x",
  ])("%s, the absolute form", async (target) => {
    expect((await sandbox().get(target, [authorization])).status).toBe(200);
  });

  absoluteForm.each([
    "https://localhost/v1/%70ing",
    "https://localhost//v1/ping",
    "https://localhost",
    "https://localhost?/v1/ping",
  ])("but not %s", async (target) => {
    expectError(await sandbox().get(target, [authorization]), 404, "NOT_FOUND");
  });
});

it("an unregistered peer gets 404 too: the route is checked first", async () => {
  for (const as of ["nobody", "untrusted"] as const)
    expectError(await sandbox().get("/nothing", [], as), 404, "NOT_FOUND");
});

it("an unknown path is 404 for every method", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"]) {
    expectError(await sandbox().send("/nothing", { method }), 404, "NOT_FOUND");
  }
});
