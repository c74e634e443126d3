import { describe, expect, it } from "vitest";
import { expectError, sharedSandbox } from "./sandbox.js";

// Configured items that have a member with a path parameter's name are shown under its value only. An unknown value
// gets a 404, which can be configured.
const items = [
  { id: 1, accountId: "A-1", status: "open" },
  { id: 2, accountId: "A-2", status: "open" },
  { id: 3, accountId: "A-1", status: "paid" },
  { id: 4, accountId: 17, status: "paid" },
  { id: 5, status: "open" },
];
const yaml = (assumptions: string) => `
assumptions: ${assumptions}
lists:
  payments-of:
    path: /v1/accounts/{accountId}/payments
    dateField: null
    items: ${JSON.stringify(items)}
    envelope: { total: total }
  shared:
    path: /v1/teams/{teamId}/payments
    dateField: null
    items: ${JSON.stringify(items)}
  made: { path: "/v1/made/{accountId}/payments", count: 3 }
  any: { path: "/v1/{kind}/{id}", count: 1, envelope: { items: any } }
  of-kind: { path: "/v1/jobs/{id}", count: 1, envelope: { items: of-kind } }
  latest: { path: "/v1/{kind}/latest", count: 1, envelope: { items: latest } }
  exact: { path: /v1/jobs/latest, count: 1, envelope: { items: exact } }
`;
const sandbox = sharedSandbox({ yaml: yaml("{}") });
const configured = sharedSandbox({
  yaml: yaml("{ list.unknown-parent: { status: 403, code: ACCOUNT_UNKNOWN, message: No such account. } }"),
});

const get = async (path: string) => sandbox().send(path, { token: await sandbox().token() });
const ids = async (path: string) => (await get(path)).json.items.map(({ id }: { id: number }) => id);

describe("items with a member of the parameter's name", () => {
  it("are shown under its value only, and counted", async () => {
    expect(await ids("/v1/accounts/A-1/payments")).toEqual([1, 3]);
    expect(await ids("/v1/accounts/A-2/payments")).toEqual([2]);
    expect(await ids("/v1/accounts/17/payments")).toEqual([4]);
    expect((await get("/v1/accounts/A-1/payments")).json.total).toBe(2);
  });

  it("are found by any encoding of the value, but not of the rest of the path", async () => {
    expect(await ids("/v1/accounts/A%2D1/payments")).toEqual([1, 3]);
    expect(await ids("/v1/accounts/%41-1/payments")).toEqual([1, 3]);
    const { json } = await get("/v1/accounts/A-1/payments?pageSize=1");
    expect(await ids(`/v1/accounts/A%2d1/payments?pageSize=1&cursor=${json.nextCursor}`)).toEqual([3]);
    for (const path of ["/v1/%61ccounts/A-1/payments", "/v1/accounts/A-1/payment%73", "/v1/accounts/a-1/payments"])
      expectError(await get(path), 404, "NOT_FOUND");
    for (const path of ["/v1/made//payments", "/v1/made/%ff/payments"]) expectError(await get(path), 404, "NOT_FOUND");
    // The value is decoded only once.
    expectError(await get("/v1/accounts/A%252D1/payments"), 404, "NOT_FOUND");
  });

  it("are never shown if an item lacks the member", async () => {
    for (const value of ["undefined", "null", "5"])
      expectError(await get(`/v1/accounts/${value}/payments`), 404, "NOT_FOUND");
  });

  it("are filtered and walked within the value", async () => {
    expect(await ids("/v1/accounts/A-1/payments?status=paid")).toEqual([3]);
    expect(await ids("/v1/accounts/A-2/payments?status=paid")).toEqual([]);
    const { json } = await get("/v1/accounts/A-1/payments?pageSize=1");
    expect(await ids(`/v1/accounts/A-1/payments?pageSize=1&cursor=${json.nextCursor}`)).toEqual([3]);
    const other = await get(`/v1/accounts/A-2/payments?pageSize=1&cursor=${json.nextCursor}`);
    expectError(other, 400, "INVALID_CURSOR");
  });

  it("a value that no item has is a 404, before other errors of the request", async () => {
    for (const query of ["", "?pageSize=0"]) {
      const answer = await get(`/v1/accounts/A-3/payments${query}`);
      expectError(answer, 404, "NOT_FOUND");
      expect(answer.headers["sandbox-assumed"]).toMatch(/^list\.unknown-parent/);
    }
    const unauthorized = await sandbox().send("/v1/accounts/A-3/payments");
    expectError(unauthorized, 401, "UNAUTHORIZED");
  });

  it("the answer to such a value can be configured", async () => {
    const answer = await configured().send("/v1/accounts/A-3/payments", { token: await configured().token() });
    expect([answer.status, answer.json]).toEqual([403, { message: "No such account.", code: "ACCOUNT_UNKNOWN" }]);
  });
});

describe("other lists", () => {
  it("items without such a member are shown under every value", async () => {
    expect(await ids("/v1/teams/any/payments")).toEqual([1, 2, 3, 4, 5]);
  });

  it("generated rows exist for every value", async () => {
    expect((await get("/v1/made/any/payments")).json.items).toHaveLength(3);
  });
});

it("a literal segment is matched before a parameter in its place, whatever the order of the lists", async () => {
  for (const [path, items] of [
    ["/v1/jobs/latest", "exact"],
    ["/v1/jobs/7", "of-kind"],
    ["/v1/runs/latest", "latest"],
    ["/v1/runs/7", "any"],
  ] as const)
    expect((await get(path)).json[items], path).toHaveLength(1);
});
