import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError, openSandbox, type RunningSandbox } from "../conformance/sandbox.js";
import { problemsOf } from "./configuration.js";

const items = [
  { id: "a", status: "open", createdAt: "2026-01-03T00:00:00Z" },
  { id: "b", status: "paid", createdAt: "2026-01-02T00:00:00Z" },
  { id: "c", status: "open", createdAt: "2026-01-01T00:00:00Z" },
];

describe("lists of the user's own", () => {
  let sandbox: RunningSandbox;
  let token: string;
  beforeAll(async () => {
    sandbox = await openSandbox({
      files: {
        "data/items.yaml": `- { id: a, status: open, createdAt: "2026-01-03T00:00:00Z" }\n- { id: b, status: paid, createdAt: "2026-01-02T00:00:00Z" }\n- { id: c, status: open, createdAt: "2026-01-01T00:00:00Z" }\n`,
        "data/items.json": JSON.stringify(items),
      },
      yaml: `
lists:
  inline: { items: ${JSON.stringify(items)} }
  fromYaml: { items: data/items.yaml }
  fromJson: { items: data/items.json }
  undated: { items: [{ n: 3 }, { n: 1 }, { n: 2 }], dateField: null }
  empty: { items: [] }
  payouts: { count: 3 }
  generated: { count: 100000000000, spacing: 100ms, fields: { n: { type: integer, min: 1, max: 9 }, createdAt: { type: createdAt } } }
  search: { path: "/v1/payments:search", count: 2 }
  batch: { path: "/v1/:batch", count: 2 }
  star: { path: "/v1/star/*", count: 2 }
  inStar: { path: "/v1/star/here", count: 2 }
  account: { path: "/v1/{account}/rows", count: 2 }
  special: { path: "/v1/special/rows", count: 1 }
`,
    });
    token = await sandbox.token();
  });
  afterAll(() => sandbox?.close());

  const get = (path: string) => sandbox.send(path, { token });

  it.each(["inline", "fromYaml", "fromJson"])("%s items, newest first, with a filter and pages", async (name) => {
    expect((await get(`/v1/${name}`)).json).toEqual({ items });
    expect((await get(`/v1/${name}?status=open`)).json.items).toEqual([items[0], items[2]]);
    const first = (await get(`/v1/${name}?pageSize=2`)).json;
    expect(first.items).toEqual(items.slice(0, 2));
    expect((await get(`/v1/${name}?pageSize=2&cursor=${first.nextCursor}`)).json).toEqual({ items: items.slice(2) });
    expect(
      (await get(`/v1/${name}?fromCreatedAt=2026-01-02T00:00:00Z&toCreatedAt=2026-01-02T12:00:00Z`)).json.items,
    ).toEqual([items[1]]);
  });

  it("items without dates keep their order, and have no date parameters", async () => {
    expect((await get("/v1/undated?fromCreatedAt=nonsense")).json).toEqual({ items: [{ n: 3 }, { n: 1 }, { n: 2 }] });
  });

  it("without items, there is an empty page", async () => {
    expect((await get("/v1/empty")).json).toEqual({ items: [] });
    expect((await get("/v1/empty?status=x")).json).toEqual({ items: [] });
  });

  it("a default list can be changed partially", async () => {
    const { items: rows } = (await get("/v1/payouts?pageSize=100")).json;
    expect(rows).toHaveLength(3);
    expect(rows[0].reference).toBe("Payout 3");
  });

  it("a list of a hundred thousand million rows is never generated as a whole", async () => {
    expect((await get("/v1/generated?pageSize=100")).json.items).toHaveLength(100);
  });

  it.each(["/v1/payments:search", "/v1/:batch", "/v1/star/*", "/v1/star/here"])(
    "the path %s, although it is a pattern for a router",
    async (path) => {
      expect((await get(path)).json.items).toHaveLength(2);
    },
  );

  it("such a path is not a pattern", async () => {
    for (const path of ["/v1/payments:other", "/v1/batch", "/v1/star/x", "/v1/star/", "/v1/star"]) {
      expectError(await get(path), 404, "NOT_FOUND");
    }
    const answer = await sandbox.send("/v1/star/here", { method: "POST" });
    expect([answer.status, answer.headers["allow"]]).toEqual([405, "GET"]);
  });

  it("a path with a parameter, next to one without", async () => {
    expect((await get("/v1/x/rows")).json.items).toHaveLength(2);
    expect((await get("/v1/special/rows")).status).toBe(200);
    for (const account of ["a%2Fb", "%C3%A9", "a+b", "~"]) expect((await get(`/v1/${account}/rows`)).status).toBe(200);
    for (const account of ["", ".", "..", "%ff", "%", "a/b"]) {
      const answer = await sandbox.get(`/v1/${account}/rows`, [`Authorization: Bearer ${token}`]);
      expect(`${account} ${answer.status}`).toBe(`${account} 404`);
    }
  });

  it("different values of a path parameter have different rows, and their cursors are not interchangeable", async () => {
    const a = (await get("/v1/a/rows?pageSize=1")).json;
    const b = (await get("/v1/b/rows?pageSize=1")).json;
    expect(a.items).not.toEqual(b.items);
    expectError(await get(`/v1/b/rows?pageSize=1&cursor=${a.nextCursor}`), 400, "INVALID_CURSOR");
  });
});

describe("a list API of another shape, imitated by configuration only", () => {
  // The style of a real service: snake case, an account in the path, `limit` and `starting_after`, oldest first, a
  // nested envelope with a total, amounts in minor units.
  let sandbox: RunningSandbox;
  let token: string;
  beforeAll(async () => {
    sandbox = await openSandbox({
      yaml: `
lists:
  transactions:
    path: /2024-10/accounts/{account_id}/transactions
    count: 45
    spacing: 6h
    anchor: "2026-03-01T12:00:00Z"
    seed: imitation
    order: oldest-first
    dateField: booked_at
    fields:
      transaction_id: { type: id, prefix: txn_, length: 24 }
      account: { type: parameter, name: account_id }
      state: { type: choice, values: [booked, pending], weights: [2, 1] }
      amount: { type: object, fields: { minor_units: { type: integer, min: -50000, max: 50000 }, currency: { type: constant, value: SEK } } }
      reversed: { type: boolean, weights: [1, 8] }
      text: { type: text, template: "Transaction {number} of {account_id}" }
      booked_at: { type: createdAt }
      tags: { type: constant, value: [] }
    filters: { state: state, currency: amount.currency }
    parameters: { pageSize: limit, cursor: starting_after, fromCreatedAt: booked_from, toCreatedAt: booked_to }
    pageSize: { default: 20, minimum: 1, maximum: 50 }
    envelope:
      items: data.transactions
      nextCursor: paging.next
      lastCursor: "null"
      hasMore: paging.has_more
      pageSize: paging.limit
      count: paging.count
      total: paging.total
      extra: { object: list, "paging.version": 2 }
    cursorLifetime: 15m
`,
    });
    token = await sandbox.token();
  });
  afterAll(() => sandbox?.close());

  const get = (query: string, account = "SE-1") =>
    sandbox.send(`/2024-10/accounts/${account}/transactions${query}`, { token });

  it("a page has its shape, member by member", async () => {
    const { status, json } = await get("?limit=2");
    expect(status).toBe(200);
    expect(json).toEqual({
      data: {
        transactions: [1, 2].map((number) => ({
          transaction_id: expect.stringMatching(/^txn_[0-9a-zA-Z]{24}$/),
          account: "SE-1",
          state: expect.stringMatching(/^(booked|pending)$/),
          amount: { minor_units: expect.any(Number), currency: "SEK" },
          reversed: expect.any(Boolean),
          text: `Transaction ${number} of SE-1`,
          booked_at: expect.stringMatching(/^2026-02-1\dT\d\d:00:00\.000Z$/),
          tags: [],
        })),
      },
      paging: { next: expect.any(String), has_more: true, limit: 2, count: 2, total: 45, version: 2 },
      object: "list",
    });
    expect(Object.keys(json.data.transactions[0])).toEqual([
      "transaction_id",
      "account",
      "state",
      "amount",
      "reversed",
      "text",
      "booked_at",
      "tags",
    ]);
  });

  it("is walked by its own names to a last page that is marked as such", async () => {
    const rows: { text: string; booked_at: string }[] = [];
    let page = (await get("")).json;
    for (;;) {
      rows.push(...page.data.transactions);
      if (!page.paging.has_more) break;
      page = (await get(`?starting_after=${page.paging.next}`)).json;
    }
    expect(page.paging).toEqual({ next: null, has_more: false, limit: 20, count: 5, total: 45, version: 2 });
    expect(rows.map(({ text }) => text)).toEqual(
      Array.from({ length: 45 }, (_, at) => `Transaction ${at + 1} of SE-1`),
    );
    const instants = rows.map(({ booked_at }) => booked_at);
    expect(instants).toEqual([...instants].sort());
    expect(instants.at(-1)).toBe("2026-03-01T12:00:00.000Z");
  });

  it("filters and dates have its names, and total counts the rows that match", async () => {
    const { json } = await get("?state=pending&limit=50");
    expect(json.paging.total).toBe(json.data.transactions.length);
    expect(new Set(json.data.transactions.map(({ state }: { state: string }) => state))).toEqual(new Set(["pending"]));
    const day = await get("?booked_from=2026-02-28T12:00:00Z&booked_to=2026-03-01T12:00:00Z&limit=50");
    expect(day.json.data.transactions).toHaveLength(5);
    expect((await get("?currency=EUR")).json.data.transactions).toEqual([]);
  });

  it("refuses according to its own limits and names, with the codes of §7", async () => {
    expectError(await get("?limit=51"), 400, "INVALID_PAGE_SIZE");
    expectError(await get("?limit=0"), 400, "INVALID_PAGE_SIZE");
    expectError(await get("?booked_from=2026-03-02T00:00:00Z&booked_to=2026-03-01T00:00:00Z"), 400, "VALIDATION_ERROR");
    expectError(await get("?starting_after=x"), 400, "INVALID_CURSOR");
    const { next } = (await get("?state=booked&limit=1")).json.paging;
    expectError(await get(`?starting_after=${next}`), 400, "CURSOR_FILTERS_CHANGED");
    expectError(await get(`?state=booked&starting_after=${next}`, "SE-2"), 400, "INVALID_CURSOR");
    expect((await get(`?state=booked&starting_after=${next}`)).status).toBe(200);
  });

  it("does not know the names of the defaults", async () => {
    expect((await get("?pageSize=0&cursor=x&fromCreatedAt=x&toCreatedAt=x&status=x")).status).toBe(200);
  });

  it("names the limit in its message", async () => {
    expect((await get("?limit=51")).json.message).toMatch(/'limit'.*1 to 50/);
  });
});

describe("invalid lists end the start", () => {
  it.each([
    [
      "two lists on one path",
      "{ a: { path: /v1/x }, b: { path: /v1/x } }",
      /lists\.b\.path: .*\/v1\/x is taken by the list "a"/,
    ],
    [
      "paths that differ in a parameter's name only",
      "{ a: { path: '/v1/{x}' }, b: { path: '/v1/{y}' } }",
      /is taken by the list "a"/,
    ],
    ["the path of ping", "{ a: { path: /v1/ping } }", /lists\.a\.path: \/v1\/ping is taken by ping/],
    ["the default's path", "{ a: { path: /v1/payments } }", /is taken by the list "payments"/],
    ["a path without a slash", "{ a: { path: v1/x } }", /lists\.a\.path: must begin with/],
    ["a path with two slashes at its end", "{ a: { path: /v1/x// } }", /lists\.a\.path/],
    ["a path with a query", "{ a: { path: '/v1/x?y' } }", /lists\.a\.path/],
    ["a path with an encoded letter", "{ a: { path: '/v1/%70' } }", /lists\.a\.path/],
    ["a path with half a parameter", "{ a: { path: '/v1/x{y}' } }", /lists\.a\.path/],
    ["a page size beyond its limits", "{ a: { pageSize: { default: 200 } } }", /lists\.a\.pageSize\.default: 200/],
    ["a filter on no field", "{ a: { filters: { colour: colour } } }", /lists\.a\.filters\.colour/],
    ["one name for two parameters", "{ a: { parameters: { cursor: pageSize } } }", /used twice/],
    ["a member beside an array", "{ a: { envelope: { items: null, hasMore: more } } }", /hasMore: has no place/],
    ["a cursor beside an array", "{ a: { envelope: { items: null, nextCursor: next } } }", /nextCursor: has no place/],
    ["a header that is none", "{ a: { envelope: { cursorHeader: X A } } }", /give the name of a header/],
    ["a header in use", "{ a: { envelope: { cursorHeader: Content-Length } } }", /has another meaning/],
    ["no header at all", "{ a: { envelope: { cursorHeader: __proto__ } } }", /has another meaning/],
    ["the header of the correlation ID", "{ a: { envelope: { cursorHeader: x-correlation-id } } }", /correlation ID/],
    ["two members in one place", "{ a: { envelope: { items: x, nextCursor: x } } }", /used twice/],
    ["no field for the dates", "{ a: { fields: { id: { type: uuid } } } }", /lists\.a\.dateField/],
    ["items together with generated rows", "{ a: { items: [], count: 5 } }", /has no meaning together with items/],
    ["an item without a date", "{ a: { items: [{ id: 1 }] } }", /lists\.a\.items\[0\].*createdAt/],
    ["an item that is not an object", "{ a: { items: [1] } }", /lists\.a\.items\[0\]: must be an object/],
    ["an anchor that is not a date", "{ a: { anchor: now } }", /lists\.a\.anchor/],
    ["more time than there is", "{ a: { count: 1000000000, spacing: 365d } }", /lists\.a\.spacing/],
    [
      "an unknown parameter in a text",
      "{ a: { fields: { createdAt: { type: createdAt }, t: { type: text, template: '{x}' } } } }",
      /\{x\}/,
    ],
  ])("%s", async (_name, lists, message) => {
    await expect(openSandbox({ yaml: `lists: ${lists}` })).rejects.toThrow(message);
  });

  it.each([
    ["no file", {}, /There is no file .*rows\.yaml/],
    ["no list", { "rows.yaml": "a: 1" }, /rows\.yaml does not hold a list/],
    ["an empty file", { "rows.yaml": "" }, /rows\.yaml does not hold a list/],
  ])("items from %s: an error at the position that names it", async (_name, files, message) => {
    const problems = await problemsOf("lists:\n  a:\n    items: rows.yaml\n", files);
    expect(problems).toEqual([expect.stringMatching(/^sandbox\.yaml:3:12: /)]);
    expect(problems[0]).toMatch(message);
  });

  it("items from broken YAML or JSON: the position in the file itself, or the problem", async () => {
    expect(await problemsOf("lists: { a: { items: rows.yaml } }", { "rows.yaml": "- a: 1\n- a: [\n" })).toEqual([
      expect.stringMatching(/^rows\.yaml:\d+:\d+: /),
    ]);
    expect(await problemsOf("lists: { a: { items: rows.json } }", { "rows.json": "[{]" })).toEqual([
      expect.stringMatching(/^sandbox\.yaml:1:22: rows\.json is not JSON: /),
    ]);
  });
});
