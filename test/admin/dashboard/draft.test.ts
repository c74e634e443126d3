import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { ExchangeDetail } from "../../../src/admin/dashboard/client/api.js";
import { draftOf } from "../../../src/admin/dashboard/client/editor/draft.js";
import { namePattern } from "../../../src/base/text/name.js";
import { anyText } from "../../support/any-text.js";
import { type ApiClient, startShared, type TestSandbox } from "../fixture.js";
import { exchangeDetail } from "./items.js";

let sandbox: TestSandbox;
let demo: ApiClient;

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
});

const check = async (body: string) =>
  (await sandbox.admin.send("POST", "/scenario/check", { headers: { "Content-Type": "application/yaml" }, body })).json;

async function newest(): Promise<ExchangeDetail> {
  const { items } = (await sandbox.admin.get("/requests?pageSize=1")).json;
  return (await sandbox.admin.get(`/requests/${items[0].id}`)).json;
}

describe("a scenario that is made from a request", () => {
  it.each([
    ["a refusal", () => demo.get("/v1/payments?pageSize=500&status=it's%20%22%0A")],
    ["a refused cursor", () => demo.get("/v1/payments?cursor=x")],
    ["a refused token", () => demo.ping("none")],
    ["a refused form", () => demo.requestToken({ scope: "more" })],
  ])("gives the same answer again: %s", async (_name, send) => {
    await send();
    const before = await newest();
    const { name, text } = draftOf(before);
    expect(name).toMatch(namePattern);
    expect(await check(text)).toEqual({ problems: [] });
    await sandbox.admin.putYaml(`/scenarios/${name}`, text);
    await sandbox.admin.put("/clients/demo/scenario", { name });
    const { json } = await sandbox.admin.post(`/requests/${before.id}/repeat`, { replay: false });
    await sandbox.admin.delete("/clients/demo/scenario");
    expect(json).toMatchObject({ status: before.status });
    const after = await newest();
    expect(after.code).toBe(before.code);
    // A text that is not a token is refused before any scenario acts.
    if (before.code !== "UNAUTHORIZED") expect(after.fault).toContain(`${name}/`);
    expect(JSON.parse(after.answer.body ?? "").message).toBe(JSON.parse(before.answer.body ?? "").message);
  });

  it("fails at the same operation if the request was successful", async () => {
    await demo.get("/v1/payments?pageSize=5");
    const before = await newest();
    const { text } = draftOf(before);
    expect(await check(text)).toEqual({ problems: [] });
    expect(text).toContain("SERVICE_UNAVAILABLE");
  });

  it("is valid for any request", { tags: "slow" }, async () => {
    const anything = anyText({ maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        anything,
        anything,
        anything,
        fc.constantFrom("ping", "list", "token", null),
        fc.constantFrom(200, 418),
        async (a, b, code, operation, status) => {
          const target = `/v1/x?${new URLSearchParams([
            [a, b],
            ["cursor", "c"],
          ])}`;
          const answer = { status, headers: [], body: JSON.stringify({ message: a }), length: 1 };
          const detail = exchangeDetail({
            status,
            target,
            code,
            operation,
            list: operation === "list" ? "payments" : null,
            answer,
          });
          const { name, text } = draftOf(detail);
          expect(name).toMatch(namePattern);
          expect((await check(text)).problems).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
