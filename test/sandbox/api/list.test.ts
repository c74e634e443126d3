import { describe, expect, it } from "vitest";
import { createHarness, start } from "./harness.js";

async function open(options: Parameters<typeof createHarness>[0] = {}) {
  const harness = await createHarness(options);
  const token = await harness.tokenFor();
  const get = (target: string) => harness.send(target, { token });
  return { ...harness, token, get };
}

it("a request that was refused before its parameters were read has no page", async () => {
  const { send, exchanges } = await createHarness();
  const answer = await send("/v1/payments?pageSize=5");
  expect([answer.status, answer.headers.get("sandbox-assumed")]).toEqual([401, "bearer.missing-token, checks.order"]);
  expect(exchanges.at(-1)?.listQuery).toBeUndefined();
});

describe("a page", () => {
  it("has ten rows, newest first, and a cursor", async () => {
    const { get } = await open();
    const { status, json, headers } = await get("/v1/payments");
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(["items", "nextCursor"]);
    expect(json.items).toHaveLength(10);
    expect(Object.keys(json.items[0])).toEqual(["id", "status", "amount", "reference", "createdAt"]);
    expect(json.items[0].createdAt).toBe("2026-06-01T10:00:00.000Z");
    expect(json.items[1].createdAt).toBe("2026-06-01T09:45:00.000Z");
    expect(headers.get("sandbox-assumed")).toBe("list.endpoints, list.envelope");
  });

  it("leads to the end, and the joined pages are the list", async () => {
    const { get } = await open();
    const all = (await get("/v1/payouts?pageSize=100")).json.items;
    const walked: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await get(`/v1/payouts?pageSize=7${cursor ? `&cursor=${cursor}` : ""}`);
      walked.push(...json.items);
      cursor = json.nextCursor;
    } while (cursor);
    expect(walked).toEqual(all);
    expect(all).toHaveLength(25);
  });

  it.each([
    "0",
    "101",
    "-1",
    "1.5",
    "1e1",
    "0x10",
    "%2B5",
    "+5",
    "%D9%A3",
    "",
    "9999999999999999999999",
    "5&pageSize=5",
    "%ff",
    "abc",
    " 5",
    "007",
  ])("pageSize=%s is INVALID_PAGE_SIZE", async (value) => {
    const { get } = await open();
    const answer = await get(`/v1/payments?pageSize=${value}`);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_PAGE_SIZE"]);
  });

  it.each([1, 100])("pageSize=%i is accepted", async (size) => {
    const { get } = await open();
    expect((await get(`/v1/payments?pageSize=${size}`)).json.items).toHaveLength(size);
  });
});

describe("a cursor", () => {
  it("with any changed byte, shortened or extended, is INVALID_CURSOR", async () => {
    const { get } = await open();
    const cursor: string = (await get("/v1/payments")).json.nextCursor;
    const code = async (text: string) => (await get(`/v1/payments?cursor=${text}`)).json.code;
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === "x" ? "y" : "x";
      expect(await code(cursor.slice(0, at) + other + cursor.slice(at + 1)), `byte ${at}`).toBe("INVALID_CURSOR");
    }
    for (const text of [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}=`,
      "",
      "x",
      `${cursor}&cursor=${cursor}`,
    ]) {
      expect(await code(text)).toBe("INVALID_CURSOR");
    }
    expect(await code(cursor)).toBeUndefined();
  });

  it("belongs to one list, one client and one sandbox", async () => {
    const { get, send, tokenFor, peers } = await open();
    const cursor = (await get("/v1/payments")).json.nextCursor;
    expect((await get(`/v1/payouts?cursor=${cursor}`)).json.code).toBe("INVALID_CURSOR");
    const other = await send(`/v1/payments?cursor=${cursor}`, { token: await tokenFor("other"), peer: peers.other });
    expect(other.json.code).toBe("INVALID_CURSOR");
    expect((await (await open()).get(`/v1/payments?cursor=${cursor}`)).json.code).toBe("INVALID_CURSOR");
  });

  it("expires after a day", async () => {
    const harness = await open();
    const cursor = (await harness.get("/v1/payments")).json.nextCursor;
    harness.clock.time = start + 86_400_000;
    const answer = await harness.send(`/v1/payments?cursor=${cursor}`, { token: await harness.tokenFor() });
    expect(answer.json.code).toBe("INVALID_CURSOR");
  });

  it.each([
    ["changed", "status=FAILED"],
    ["dropped", ""],
    ["added", "status=COMPLETED&fromCreatedAt=2020-01-01T00:00:00Z"],
    ["the same instant written differently", "status=COMPLETED&toCreatedAt=2026-06-01T11:00:00%2B01:00"],
  ])("with filters %s is CURSOR_FILTERS_CHANGED", async (name, filters) => {
    const { get } = await open();
    const before =
      name === "the same instant written differently"
        ? "status=COMPLETED&toCreatedAt=2026-06-01T10:00:00Z"
        : "status=COMPLETED";
    const cursor = (await get(`/v1/payments?${before}`)).json.nextCursor;
    expect((await get(`/v1/payments?${before}&cursor=${cursor}&pageSize=50`)).status).toBe(200);
    const answer = await get(`/v1/payments?cursor=${cursor}&${filters}`);
    expect([answer.status, answer.json.code]).toEqual([400, "CURSOR_FILTERS_CHANGED"]);
    expect((await get(`/v1/payments?${filters}`)).status).toBe(200);
  });
});

describe("dates", () => {
  it("limit the result, both ends included", async () => {
    const { get } = await open();
    const { json } = await get("/v1/payments?fromCreatedAt=2026-06-01T09:00:00Z&toCreatedAt=2026-06-01T09:30:00Z");
    expect(json.items.map((item: { createdAt: string }) => item.createdAt.slice(11, 16))).toEqual([
      "09:30",
      "09:15",
      "09:00",
    ]);
    expect(json.nextCursor).toBeUndefined();
  });

  it.each([
    "fromCreatedAt=2026-06-02T00:00:00Z&toCreatedAt=2026-06-01T00:00:00Z",
    "fromCreatedAt=2026-06-01",
    "fromCreatedAt=2026-06-01T00:00:00",
    "toCreatedAt=yesterday",
    "toCreatedAt=2026-02-30T00:00:00Z",
    "fromCreatedAt=",
    "fromCreatedAt=2026-06-01T00:00:00Z&fromCreatedAt=2026-06-01T00:00:00Z",
    "fromCreatedAt=2026-06-01T00:00:00+01:00",
    "toCreatedAt=%ff",
    "%ff=1",
  ])("%s is a VALIDATION_ERROR", async (query) => {
    const { get } = await open();
    const answer = await get(`/v1/payments?${query}`);
    expect([answer.status, answer.json.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("a list of another shape, by configuration only", () => {
  it("has its own path, parameters, envelope, filters and order", async () => {
    const { get } = await open({
      lists: {
        invoices: {
          path: "/v2/accounts/{accountId}/invoices",
          count: 9,
          spacing: 3_600_000,
          fields: {
            account: { type: "parameter", name: "accountId" },
            number: { type: "text", template: "INV-{number}" },
            state: { type: "choice", values: ["open", "paid"] },
            issued: { type: "createdAt" },
          },
          dateField: "issued",
          order: "oldest-first",
          filters: { state: "state" },
          parameters: { pageSize: "limit", cursor: "after", fromCreatedAt: "since", toCreatedAt: "until" },
          pageSize: { default: 4, maximum: 5 },
          envelope: { items: "data", nextCursor: "paging.next", hasMore: "paging.more", lastCursor: "null" },
        },
      },
    });
    const first = await get("/v2/accounts/a%20b/invoices");
    expect(first.json.data.map((row: { number: string }) => row.number)).toEqual(["INV-1", "INV-2", "INV-3", "INV-4"]);
    expect(first.json.data[0].account).toBe("a b");
    expect(first.json.paging.more).toBe(true);
    const cursor = first.json.paging.next;
    const last = await get(`/v2/accounts/a%20b/invoices?limit=5&after=${cursor}`);
    expect([last.json.data.length, last.json.paging]).toEqual([5, { next: null, more: false }]);
    expect((await get(`/v2/accounts/c/invoices?after=${cursor}`)).json.code).toBe("INVALID_CURSOR");
    expect((await get("/v2/accounts/c/invoices?limit=6")).json.code).toBe("INVALID_PAGE_SIZE");
    expect((await get("/v2/accounts/c/invoices/")).status).toBe(404);
    expect((await get("/v2/accounts//invoices")).status).toBe(404);
    expect((await get("/v2/accounts/%ff/invoices")).status).toBe(404);
    expect((await get("/v1/payments")).status).toBe(404);
  });
});

describe("order of checks", () => {
  it("a peer without a token learns nothing about parameters", async () => {
    const { send, peers } = await open();
    for (const query of ["pageSize=0", "cursor=x", "fromCreatedAt=x"]) {
      expect((await send(`/v1/payments?${query}`, { peer: peers.none })).status).toBe(401);
    }
  });

  it("page size, then dates and filters, then cursor", async () => {
    const { get } = await open();
    expect((await get("/v1/payments?cursor=x&fromCreatedAt=x&pageSize=0")).json.code).toBe("INVALID_PAGE_SIZE");
    expect((await get("/v1/payments?cursor=x&fromCreatedAt=x")).json.code).toBe("VALIDATION_ERROR");
    expect((await get("/v1/payments?cursor=x")).json.code).toBe("INVALID_CURSOR");
  });
});
