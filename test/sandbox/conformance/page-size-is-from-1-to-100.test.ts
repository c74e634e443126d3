import { beforeAll, describe, expect, it } from "vitest";
import { expectError, sharedSandbox } from "./sandbox.js";

// §7 INVALID_PAGE_SIZE, §8: an integer from 1 to 100 inclusive, 10 when omitted
const sandbox = sharedSandbox();
let token: string;
beforeAll(async () => {
  token = await sandbox().token();
});

const path = "/v1/payments";

describe("pageSize", () => {
  it("omitted: 10 rows", async () => {
    expect((await sandbox().send(path, { token })).json.items).toHaveLength(10);
  });

  it.each([1, 2, 10, 24])("%i rows", async (size) => {
    const answer = await sandbox().send(`${path}?pageSize=${size}`, { token });
    expect([answer.status, answer.json.items.length]).toEqual([200, size]);
  });

  it.each(["0", "101", "-1", "1.5", "%2B5", encodeURIComponent("٣"), "", "010", "1".repeat(1000), "ten", "%ff"])(
    "pageSize=%s is refused",
    async (size) => {
      expectError(
        await sandbox().send(encodeURI(`${path}?pageSize=${size}`).replaceAll("%25", "%"), { token }),
        400,
        "INVALID_PAGE_SIZE",
      );
    },
  );

  it.each(["pageSize=5&pageSize=5", "pageSize=5&pageSize=6", "pageSize&pageSize=5", "pageSize=5&page%53ize=5"])(
    "repeated, %s, is refused",
    async (query) => {
      expectError(await sandbox().send(`${path}?${query}`, { token }), 400, "INVALID_PAGE_SIZE");
    },
  );

  it("without a value is refused", async () => {
    expectError(await sandbox().send(`${path}?pageSize`, { token }), 400, "INVALID_PAGE_SIZE");
  });
});

it("100 rows, and no more", async () => {
  expect((await sandbox().send("/v1/payments?pageSize=100", { token })).json.items).toHaveLength(100);
});

it("more rows than exist: all rows, and no cursor", async () => {
  const { json } = await sandbox().send("/v1/payouts?pageSize=100", { token });
  expect([json.items.length, "nextCursor" in json]).toEqual([25, false]);
});

it("the name in another case is another name, and the encoded name is the same", async () => {
  expect((await sandbox().send("/v1/payments?pagesize=0", { token })).json.items).toHaveLength(10);
  expectError(await sandbox().send("/v1/payments?page%53ize=0", { token }), 400, "INVALID_PAGE_SIZE");
});

it("the limits also apply to later pages", async () => {
  const { nextCursor } = (await sandbox().send("/v1/payments?pageSize=5", { token })).json;
  expectError(
    await sandbox().send(`/v1/payments?pageSize=0&cursor=${nextCursor}`, { token }),
    400,
    "INVALID_PAGE_SIZE",
  );
});
