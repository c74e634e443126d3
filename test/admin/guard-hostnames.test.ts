import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSandbox, type RunningSandbox } from "../sandbox/conformance/sandbox.js";

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ settings: { hostnames: ["Bücher.test", "[fd00::1]", "PAYMENTS.internal"] } });
});
afterAll(() => sandbox.close());

function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${sandbox.adminUrl}/ca.pem`, { headers: { Host: host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

it.each(["xn--bcher-kva.test", "[fd00::1]:8090", "payments.internal:80"])(
  "a configured name is accepted as Host, as clients write it: %s",
  async (host) => {
    expect(await statusFor(host)).toBe(200);
  },
);

it("any other name is not", async () => {
  expect(await statusFor("xn--bcher-kva.test.evil.test")).toBe(403);
});
