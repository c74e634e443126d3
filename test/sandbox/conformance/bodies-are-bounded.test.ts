import { expect, it } from "vitest";
import { speaksHttp2 } from "../../support/https-client.js";
import { expectError, goodForm, sharedSandbox } from "./sandbox.js";

// §8: `http.payload-too-large`, 64 KiB
const sandbox = sharedSandbox();
const padded = (length: number) => `${goodForm()}&x=`.padEnd(length, "a");

it("64 KiB are read, one byte more is not", async () => {
  expect((await sandbox().postToken(padded(65_536))).status).toBe(200);
  const answer = await sandbox().postToken(padded(65_537));
  expect([answer.status, answer.json.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
});

it("the same limit applies to chunks", async () => {
  const headers = { "Transfer-Encoding": "chunked" };
  expect((await sandbox().postToken(padded(65_536), { headers })).status).toBe(200);
  const answer = await sandbox().postToken(padded(65_537), { headers });
  expect([answer.status, answer.json.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  // The rest of such a body is read only for a short time.
  expect(answer.headers.connection).toBe(speaksHttp2 ? undefined : "close");
});

it("a body of megabytes is refused, and the client that still sends it can read why", async () => {
  for (const headers of [{}, { "Transfer-Encoding": "chunked" }]) {
    const answer = await sandbox().postToken(padded(5_000_000), { headers });
    expect([answer.status, answer.json.code, answer.json.error]).toEqual([413, "PAYLOAD_TOO_LARGE", "invalid_request"]);
  }
});

it("an unexpected body causes neither a wait nor a failure", async () => {
  const body = "x".repeat(1_000_000);
  const headers = { "Content-Length": String(body.length) };
  expectError(await sandbox().send("/nothing", { method: "POST", body, headers }), 404, "NOT_FOUND");
  expectError(await sandbox().send("/v1/ping", { body, headers }), 401, "UNAUTHORIZED");
});

it("a compressed body is not unpacked", async () => {
  const answer = await sandbox().postToken(goodForm(), { headers: { "Content-Encoding": "gzip" } });
  expect([200, 400]).toContain(answer.status);
});
