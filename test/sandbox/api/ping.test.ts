import { describe, expect, it } from "vitest";
import { createHarness } from "./harness.js";

describe("ping", () => {
  it("without produceError, or with false, says OK", async () => {
    const { send, tokenFor } = await createHarness();
    const token = await tokenFor();
    for (const target of ["/v1/ping", "/v1/ping?", "/v1/ping?produceError=false", "/v1/ping?unknown=1&unknown=2"]) {
      const answer = await send(target, { token });
      expect([answer.status, answer.text]).toEqual([200, '{"status":"OK"}']);
      const ignored = target.includes("unknown") ? ", request.unknown-parameters" : "";
      expect(answer.headers.get("sandbox-assumed")).toBe(`ping.response${ignored}`);
    }
  });

  it("with produceError=true answers the example error, the same text each time", async () => {
    const { send, tokenFor } = await createHarness();
    const token = await tokenFor();
    const [first, second] = [
      await send("/v1/ping?produceError=true", { token }),
      await send("/v1/ping?produceError=%74rue", { token }),
    ];
    expect(first.status).toBe(400);
    expect(first.json).toEqual({ message: "This is an example of an error response.", code: "EXAMPLE_ERROR" });
    expect(second.text).toBe(first.text);
    expect(first.headers.has("sandbox-assumed")).toBe(false);
  });

  it.each(["1", "TRUE", "yes", "", "true%00", "true&produceError=true", "true&produceError=false", "%ff", "%4"])(
    "produceError=%s is a VALIDATION_ERROR",
    async (value) => {
      const { send, tokenFor } = await createHarness();
      const answer = await send(`/v1/ping?produceError=${value}`, { token: await tokenFor() });
      expect([answer.status, answer.json.code]).toEqual([400, "VALIDATION_ERROR"]);
    },
  );

  it("a query whose names cannot be decoded is a VALIDATION_ERROR", async () => {
    const { send, tokenFor } = await createHarness();
    expect((await send("/v1/ping?%ff=1", { token: await tokenFor() })).json.code).toBe("VALIDATION_ERROR");
  });

  it("its answer is configurable", async () => {
    const { values } = (await createHarness()).service.assumptions;
    const { send, tokenFor } = await createHarness({
      assumptions: { values: { ...values, "ping.response": { status: 202, body: { pong: [1] } } } },
    });
    const answer = await send("/v1/ping", { token: await tokenFor() });
    expect([answer.status, answer.text]).toEqual([202, '{"pong":[1]}']);
  });
});
