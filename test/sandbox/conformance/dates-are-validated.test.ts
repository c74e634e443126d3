import { beforeAll, describe, expect, it } from "vitest";
import { expectError, sharedSandbox } from "./sandbox.js";

// §7 VALIDATION_ERROR: for example a `fromCreatedAt` date later than `toCreatedAt`
const sandbox = sharedSandbox();
let token: string;
beforeAll(async () => {
  token = await sandbox().token();
});

const list = (parameters: Record<string, string>) =>
  sandbox().send(`/v1/payments?${new URLSearchParams(parameters)}`, { token });

describe("from and to", () => {
  it("a from later than to is refused, by a year or by a millisecond", async () => {
    for (const [from, to] of [
      ["2026-02-01T00:00:00Z", "2025-02-01T00:00:00Z"],
      ["2026-02-01T00:00:00.001Z", "2026-02-01T00:00:00Z"],
      ["2026-02-01T00:00:00.0000001Z", "2026-02-01T00:00:00Z"],
      ["2026-02-01T00:00:00Z", "2026-02-01T00:00:00+01:00"],
    ] as const) {
      expectError(await list({ fromCreatedAt: from, toCreatedAt: to }), 400, "VALIDATION_ERROR");
    }
  });

  it("equal bounds, also in other offsets, are a range", async () => {
    expect(
      (await list({ fromCreatedAt: "2026-02-01T00:00:00Z", toCreatedAt: "2026-02-01T01:00:00+01:00" })).status,
    ).toBe(200);
  });

  it("both bounds belong to the range", async () => {
    const [first, second] = (await list({ pageSize: "2" })).json.items;
    const within = await list({ fromCreatedAt: second.createdAt, toCreatedAt: first.createdAt });
    expect(within.json.items).toEqual([first, second]);
    const only = await list({ fromCreatedAt: first.createdAt, toCreatedAt: first.createdAt });
    expect(only.json.items).toEqual([first]);
  });

  it("a range without rows is an empty page", async () => {
    expect((await list({ toCreatedAt: "1999-01-01T00:00:00Z" })).json).toEqual({ items: [] });
    expect((await list({ fromCreatedAt: "2999-01-01T00:00:00Z" })).json).toEqual({ items: [] });
  });
});

describe.each(["fromCreatedAt", "toCreatedAt"])("%s", (name) => {
  it.each(["2026-01-31T09:30:00.123456789Z", "2026-01-31T09:30:00-05:30"])(
    "%s is a date-time of RFC 3339",
    async (value) => {
      expect((await list({ [name]: value })).status).toBe(200);
    },
  );

  it.each([
    "",
    "yesterday",
    "2026-01-31",
    "2026-01-31T09:30:00",
    "2026-01-31T09:30:00 01:00",
    "2026-02-30T00:00:00Z",
    "2026-01-01T24:00:00Z",
    `2026-01-31T09:30:00.${"0".repeat(100)}Z`,
  ])("%j is not", async (value) => {
    expectError(await list({ [name]: value }), 400, "VALIDATION_ERROR");
  });

  it("repeated, undecodable, or with a raw plus for its offset, is refused", async () => {
    const good = "2026-01-31T09:30:00Z";
    for (const query of [
      `${name}=${good}&${name}=${good}`,
      `${name}=%ff`,
      `${name}=%`,
      `${name}`,
      `${name}=2026-01-31T09:30:00+01:00`,
    ]) {
      expectError(await sandbox().send(`/v1/payments?${query}`, { token }), 400, "VALIDATION_ERROR");
    }
  });
});

describe("status", () => {
  it("a status that no row has is an empty page", async () => {
    expect((await list({ status: "NOWHERE" })).json).toEqual({ items: [] });
  });

  it("empty, repeated, undecodable or very long is refused", async () => {
    for (const query of [
      "status=",
      "status",
      "status=FAILED&status=FAILED",
      "status=%ff",
      `status=${"A".repeat(257)}`,
    ]) {
      expectError(await sandbox().send(`/v1/payments?${query}`, { token }), 400, "VALIDATION_ERROR");
    }
  });
});

it("a query whose names cannot be decoded is refused; unknown parameters are ignored", async () => {
  expectError(await sandbox().send("/v1/payments?%ff=1", { token }), 400, "VALIDATION_ERROR");
  for (const query of ["x=1", "=", "=1", "x=%ff", "sort=asc&sort=desc", "fromcreatedat=x"]) {
    expect(`${query} ${(await sandbox().send(`/v1/payments?${query}`, { token })).status}`).toBe(`${query} 200`);
  }
});
