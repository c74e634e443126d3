import { beforeAll, describe, expect, it } from "vitest";
import { expectError, sharedSandbox, versions } from "./sandbox.js";

// §4.2
const sandbox = sharedSandbox();
let token: string;
beforeAll(async () => {
  token = await sandbox().token();
});

describe.each(versions)("on %s", (version) => {
  const tls = { minVersion: version, maxVersion: version };

  it("without produceError: 200", async () => {
    const answer = await sandbox().send("/v1/ping", { token, tls });
    expect([answer.status, answer.text]).toEqual([200, '{"status":"OK"}']);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.headers["sandbox-assumed"]).toBe("ping.response");
  });

  it("with produceError=true: 400, EXAMPLE_ERROR and a fixed text, which is not an assumption", async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => sandbox().send("/v1/ping?produceError=true", { token, tls })),
    );
    for (const answer of answers) {
      expectError(answer, 400, "EXAMPLE_ERROR");
      expect(answer.headers["sandbox-assumed"]).toBeUndefined();
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

it("with produceError=false: 200", async () => {
  expect((await sandbox().send("/v1/ping?produceError=false", { token })).status).toBe(200);
});

it("percent-encoding does not matter", async () => {
  expectError(await sandbox().send("/v1/ping?produce%45rror=%74rue", { token }), 400, "EXAMPLE_ERROR");
});

it.each(["=", "", "=TRUE", "=1", "=true%20", "=%ff", "=true&produceError=true"])(
  "produceError%s is neither true nor false: VALIDATION_ERROR",
  async (value) => {
    expectError(await sandbox().send(`/v1/ping?produceError${value}`, { token }), 400, "VALIDATION_ERROR");
  },
);

it("a query whose names cannot be decoded is refused, and other parameters are ignored", async () => {
  expectError(await sandbox().send("/v1/ping?%ff=1", { token }), 400, "VALIDATION_ERROR");
  for (const query of [
    "?",
    "?x=1",
    "?produceerror=true",
    "?ProduceError=true",
    "?=",
    "?&&",
    "?=x",
    "?x=%ff",
    "?produceError[]=true",
  ]) {
    expect(`${query} ${(await sandbox().send(`/v1/ping${query}`, { token })).status}`).toBe(`${query} 200`);
  }
});

it("a body does not affect it or the next request of the connection", async () => {
  const body = "GET /nothing HTTP/1.1\r\n\r\n";
  for (const framing of [{ "Content-Length": String(body.length) }, { "Transfer-Encoding": "chunked" }]) {
    expect((await sandbox().send("/v1/ping", { token, body, headers: framing })).status).toBe(200);
    expect((await sandbox().send("/v1/ping", { token })).status).toBe(200);
  }
});
