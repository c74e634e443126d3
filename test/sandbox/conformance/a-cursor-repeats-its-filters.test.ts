import { beforeAll, describe, expect, it } from "vitest";
import { expectError, sharedSandbox } from "./sandbox.js";

// §7 CURSOR_FILTERS_CHANGED, rules 1 and 2
const sandbox = sharedSandbox();
let token: string;
beforeAll(async () => {
  token = await sandbox().token();
});

const from = "2020-01-01T00:00:00Z";
const to = "2090-01-01T00:00:00Z";

const list = (parameters: Record<string, string>, path = "/v1/payments") =>
  sandbox().send(`${path}?${new URLSearchParams(parameters)}`, { token });

async function cursorOf(parameters: Record<string, string>): Promise<string> {
  return (await list(parameters)).json.nextCursor;
}

describe("the same filters", () => {
  it.each<Record<string, string>>([{}, { fromCreatedAt: from, toCreatedAt: to, status: "COMPLETED" }])(
    "%j continue the walk",
    async (filters) => {
      const answer = await list({ ...filters, cursor: await cursorOf(filters) });
      expect(answer.status).toBe(200);
      expect(answer.json.items).toHaveLength(10);
    },
  );

  it("in another order, or encoded another way, are the same", async () => {
    const cursor = await cursorOf({ fromCreatedAt: from, status: "COMPLETED" });
    const query = `cursor=${cursor}&status=%43OMPLETED&fromCreatedAt=2020-01-01T00%3a00:00Z`;
    expect((await sandbox().send(`/v1/payments?${query}`, { token })).status).toBe(200);
  });

  it("with another page size are the same: it is not a filter", async () => {
    const cursor = await cursorOf({ pageSize: "3" });
    expect((await list({ cursor, pageSize: "50" })).json.items).toHaveLength(50);
    expect((await list({ cursor })).json.items).toHaveLength(10);
  });

  it("with an unknown parameter are the same", async () => {
    expect((await list({ cursor: await cursorOf({ colour: "red" }) })).status).toBe(200);
  });
});

describe("other filters", () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["status changed", { status: "COMPLETED" }, { status: "FAILED" }],
    ["status dropped", { status: "COMPLETED" }, {}],
    ["status added", {}, { status: "COMPLETED" }],
    ["from added", {}, { fromCreatedAt: from }],
    ["from becomes to", { fromCreatedAt: from }, { toCreatedAt: from }],
    ["the same instant written another way", { fromCreatedAt: from }, { fromCreatedAt: "2020-01-01T00:00:00.000Z" }],
    ["all dropped", { fromCreatedAt: from, toCreatedAt: to, status: "FAILED" }, {}],
  ])("%s", async (_name, before, after) => {
    expectError(await list({ ...after, cursor: await cursorOf(before) }), 400, "CURSOR_FILTERS_CHANGED");
  });

  it("on a later page of the walk as well", async () => {
    const second = (await list({ status: "COMPLETED", cursor: await cursorOf({ status: "COMPLETED" }) })).json
      .nextCursor;
    expectError(await list({ cursor: second }), 400, "CURSOR_FILTERS_CHANGED");
  });
});

it("rule 2: without the cursor, other filters start a new result set", async () => {
  const cursor = await cursorOf({ status: "COMPLETED" });
  expectError(await list({ status: "FAILED", cursor }), 400, "CURSOR_FILTERS_CHANGED");
  const fresh = await list({ status: "FAILED" });
  expect(fresh.status).toBe(200);
  expect(fresh.json.items.every(({ status }: { status: string }) => status === "FAILED")).toBe(true);
});

it("an altered cursor is invalid before its filters are compared", async () => {
  const cursor = await cursorOf({ status: "COMPLETED" });
  expectError(await list({ cursor: `${cursor}A` }), 400, "INVALID_CURSOR");
});

it("a filter that is wrong in itself is a validation error first", async () => {
  const cursor = await cursorOf({ fromCreatedAt: from });
  expectError(await list({ fromCreatedAt: "yesterday", cursor }), 400, "VALIDATION_ERROR");
});
