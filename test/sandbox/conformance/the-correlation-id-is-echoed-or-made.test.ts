import { once } from "node:events";
import { sensitiveHeaders } from "node:http2";
import { beforeAll, describe, expect, it } from "vitest";
import { openHttp2 } from "../../support/http2-session.js";
import { expectError, freshId, sharedSandbox } from "./sandbox.js";

// §7 INVALID_CORRELATION_ID, rule 3
const sandbox = sharedSandbox();
let token: string;
beforeAll(async () => {
  token = await sandbox().token();
});

const name = "X-Correlation-ID";
const good = "0b9f2c7e-5d3a-4f61-9b0e-2f6a1c8d7e55";

describe("a UUID", () => {
  it.each([good, good.toUpperCase(), "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-7fff-ffff-ffffffffffff"])(
    "%s is echoed unchanged, on every kind of answer",
    async (id) => {
      const headers = { [name]: id };
      const answers = [
        await sandbox().send("/v1/ping", { token, headers }),
        await sandbox().send("/v1/ping?produceError=true", { token, headers }),
        await sandbox().send("/v1/ping", { headers }),
        await sandbox().send("/v1/ping", { token, headers, as: "other" }),
        await sandbox().send("/v1/payments", { token, headers }),
        await sandbox().send("/v1/payments?pageSize=0", { token, headers }),
        await sandbox().send("/nothing", { headers }),
        await sandbox().send("/v1/ping", { method: "POST", headers }),
        await sandbox().postToken(undefined, { headers }),
        await sandbox().postToken("", { headers }),
      ];
      expect(answers.map((answer) => answer.headers["x-correlation-id"])).toEqual(answers.map(() => id));
    },
  );

  it("the case of the header's name does not matter", async () => {
    const answer = await sandbox().send("/v1/ping", { token, headers: { "x-CORRELATION-id": good } });
    expect([answer.status, answer.headers["x-correlation-id"]]).toEqual([200, good]);
  });
});

it("is made when absent, a different one for each answer", { tags: "slow" }, async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => sandbox().send("/v1/ping", { token })));
  const ids = answers.map((answer) => String(answer.headers["x-correlation-id"]));
  for (const id of ids) expect(id).toMatch(freshId);
  expect(new Set(ids).size).toBe(ids.length);
});

describe("anything else is refused with a new one, and never echoed", () => {
  it.each([
    "1",
    "",
    "x".repeat(5000),
    good.slice(0, -1),
    `urn:uuid:${good}`,
    good.replace("0b", "zz"),
    `${good}, ${good}`,
    "<script>alert(1)</script>",
    "é",
  ])("%j", async (id) => {
    const raw = `${name}: ${id}`;
    const answer = await sandbox().get("/v1/ping", [`Authorization: Bearer ${token}`, raw]);
    expectError(answer, 400, "INVALID_CORRELATION_ID");
    expect(answer.headers["x-correlation-id"]).toMatch(freshId);
    if (id.length > 4) expect(JSON.stringify(answer)).not.toContain(id);
    // A request that is refused earlier for another reason gets a new one as well.
    expect((await sandbox().get("/nothing", [raw])).headers["x-correlation-id"]).toMatch(freshId);
  });

  it("twice, even the same", async () => {
    const authorization = `Authorization: Bearer ${token}`;
    for (const second of [`${name}: ${good}`, `x-correlation-id: ${good}`, `${name}:`]) {
      const answer = await sandbox().get("/v1/ping", [authorization, `${name}: ${good}`, second]);
      expectError(answer, 400, "INVALID_CORRELATION_ID");
      expect(answer.headers["x-correlation-id"]).toMatch(freshId);
    }
  });

  it("at the token endpoint", async () => {
    const answer = await sandbox().postToken(undefined, { headers: { [name]: "1" } });
    expect([answer.status, answer.json.code, answer.json.error]).toEqual([
      400,
      "INVALID_CORRELATION_ID",
      "invalid_request",
    ]);
  });
});

it("is not added to the table that compresses the headers of HTTP/2", async () => {
  const { port, ca } = sandbox();
  const { session } = await openHttp2(`https://localhost:${port}`, { ca });
  const [got] = await once(session.request({ ":path": "/v1/ping" }), "response");
  session.destroy();
  expect(got["x-correlation-id"]).toMatch(freshId);
  expect(got[sensitiveHeaders]).toEqual(["x-correlation-id"]);
});
