import { METHODS } from "node:http";
import { expect, it } from "vitest";
import { openTls, parseResponses } from "../../support/raw-client.js";
import { expectError, expectTokenError, sharedSandbox, tokenPath } from "./sandbox.js";

// §4.1 and §4.2: POST for the token, GET for ping; RFC 9110 §15.5.6
const sandbox = sharedSandbox();
// CONNECT has no path; HEAD has no body, and has its own test.
const methods = METHODS.filter((method) => method !== "CONNECT" && method !== "HEAD");

it("ping accepts only GET", async () => {
  for (const method of methods.filter((name) => name !== "GET")) {
    const answer = await sandbox().send("/v1/ping", { method });
    expectError(answer, 405, "METHOD_NOT_ALLOWED");
    expect(answer.headers["allow"]).toBe("GET");
  }
});

it("the token endpoint accepts only POST", async () => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const answer = await sandbox().send(tokenPath, { method });
    expectTokenError(answer, 405, "METHOD_NOT_ALLOWED", "invalid_request");
    expect(answer.headers["allow"]).toBe("POST");
  }
});

it("HEAD is refused as well, and has no body", async () => {
  for (const path of ["/v1/ping", tokenPath, "/nothing"]) {
    const client = await openTls({ port: sandbox().port, ca: sandbox().ca, ...sandbox().identity("demo") });
    const received = await client.sendAndClose(`HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const [head = "", body] = received.split("\r\n\r\n");
    expect(body).toBe("");
    expect(parseResponses(`${head.replace(/content-length: \d+/i, "content-length: 0")}\r\n\r\n`)[0]?.status).toBe(
      path === "/nothing" ? 404 : 405,
    );
  }
});

it("the method is checked before the token, so that any peer gets the answer", async () => {
  expectError(await sandbox().send("/v1/ping", { method: "POST", as: "nobody" }), 405, "METHOD_NOT_ALLOWED");
});
