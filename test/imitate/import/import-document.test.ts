import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseMapping } from "../../../src/imitate/import/mapping.js";
import { answers, documentOf, imported, pageOf } from "./importing.js";

const transfers = readFileSync(new URL("documents/transfers.yaml", import.meta.url), "utf8");
const query = (name: string, schema: object = { type: "string" }, rest: object = {}) => ({
  name,
  in: "query",
  schema,
  ...rest,
});
const mapping = (text: string) => parseMapping(text) ?? expect.fail(`${text} is not a mapping`);
const fieldsOf = async (properties: object, openapi = "3.0.3") => {
  const { lists, notes } = await imported({
    ...documentOf({ "/rows": { get: answers(pageOf(properties)) } }),
    openapi,
  });
  return { fields: lists["rows"]?.fields, notes };
};

describe("a page with a cursor becomes a list", () => {
  it("with its path, parameters, envelope, filters and fields", async () => {
    const { lists, dates } = await imported(transfers);
    expect(Object.keys(lists)).toEqual(["transfers", "rates"]);
    expect(dates).toBe("date");
    expect(lists["transfers"]).toEqual({
      path: "/v2/accounts/{accountId}/transfers",
      count: 500,
      order: "oldest-first",
      dateField: "booked_at",
      parameters: { pageSize: "limit", cursor: "after", fromCreatedAt: "booked_from", toCreatedAt: "booked_to" },
      pageSize: { default: 20, minimum: 1, maximum: 50 },
      filters: { direction: "direction", "filter[creditor]": "creditor" },
      envelope: {
        items: "data",
        nextCursor: "paging.next",
        lastCursor: "null",
        hasMore: "paging.more",
        total: "paging.total",
        extra: { object: "transfer_page" },
      },
      fields: {
        id: { type: "text", template: "tr_{A-Za-z0-9:20}" },
        account_id: { type: "parameter", name: "accountId" },
        booked_at: { type: "createdAt" },
        value_date: { type: "createdAt", as: "date" },
        created: { type: "createdAt", as: "seconds" },
        direction: { type: "choice", values: ["IN", "OUT"] },
        amount: {
          type: "object",
          fields: {
            value: { type: "text", template: "{0-9:4}.{0-9:2}" },
            currency: { type: "choice", values: ["EUR", "GBP", "USD"] },
          },
        },
        fee: expect.objectContaining({ type: "object" }),
        creditor: { type: "choice", values: ["Blue Lamp GmbH 1", "Blue Lamp GmbH 2", "Blue Lamp GmbH 3"] },
        reference: { type: "text", template: "{0-9A-Z:6}" },
        batch: { type: "uuid" },
        instant: { type: "boolean" },
        rate: { type: "decimal", min: 0.5, max: 2, decimals: 2, as: "number" },
        attempts: { type: "integer", min: 1, max: 3 },
        end_to_end: { type: "text", template: "E2E-19{0-9:2}-{A-Z0-9:4}" },
        tags: { type: "constant", value: ["salary"] },
        metadata: { type: "constant", value: {} },
      },
    });
  });

  it("with notes that list what could not be imported, with its position", async () => {
    const { notes, places } = await imported(transfers);
    const get = "#/paths/~1accounts~1{account-id}~1transfers/get";
    expect(notes).toEqual([
      expect.stringContaining(`${get}/parameters/8 The header "Idempotency-Key" is required`),
      expect.stringContaining(`"reversal_of" is left out: it contains itself.`),
      expect.stringContaining(`${get}/parameters/6 The parameter "sort" is not imported: a list has one order.`),
      expect.stringContaining(`${get}/parameters/7 The parameter "expand" is not imported`),
      expect.stringMatching(/GET \/accounts\/\{account-id\} is not imported: its answer looks like one object/),
    ]);
    expect(places[0]).toMatch(/api\.yaml:22:11 #/);
  });
});

describe("the names of other services are known", () => {
  it("cursors and flags (has_more, starting_after), numeric dates, constant members", async () => {
    const created = { type: "object", properties: { gte: { type: "integer" }, lte: { type: "integer" } } };
    const page = pageOf(
      { id: { type: "string" }, created: { type: "integer" }, paid: { type: "boolean" } },
      { has_more: { type: "boolean" }, object: { type: "string", enum: ["list"] }, url: { type: "string" } },
    );
    const parameters = [
      query("limit", { type: "integer" }),
      query("starting_after"),
      query("ending_before"),
      query("created", created, { style: "deepObject" }),
      query("paid", { type: "boolean" }),
    ];
    const { lists, notes } = await imported(
      documentOf({ "/v1/charges": { get: { parameters, ...answers({ ...page, required: ["url"] }) } } }),
    );
    expect(lists["charges"]).toMatchObject({
      dateField: "created",
      parameters: { pageSize: "limit", cursor: "starting_after", fromCreatedAt: null, toCreatedAt: null },
      filters: { paid: "paid" },
      envelope: { items: "data", hasMore: "has_more", extra: { object: "list", url: "https://example.com/1" } },
    });
    expect(notes.join("\n")).toMatch(/"created\[gte\]" is not imported: it takes a number/);
    expect(notes.join("\n")).toMatch(/"ending_before" is not imported: the sandbox does not page backwards/);
    expect(notes.join("\n")).toMatch(/"starting_after" is the identifier of a row/);
  });

  it("meta.cursors, and bounds in brackets", async () => {
    const meta = {
      type: "object",
      properties: {
        cursors: {
          type: "object",
          properties: { before: { type: "string" }, after: { type: "string", nullable: true } },
        },
        limit: { type: "integer" },
      },
    };
    const page = {
      type: "object",
      properties: { payouts: { type: "array", items: { properties: { created_at: { type: "string" } } } }, meta },
    };
    const date = { type: "string", format: "date-time" };
    const parameters = [
      query("created_at[gt]", date),
      query("created_at[gte]", date),
      query("created_at[lte]", date),
      query("after"),
    ];
    const { lists } = await imported(documentOf({ "/payouts": { get: { parameters, ...answers(page) } } }));
    expect(lists["payouts"]).toMatchObject({
      dateField: "created_at",
      parameters: { cursor: "after", fromCreatedAt: "created_at[gte]", toCreatedAt: "created_at[lte]" },
      envelope: { items: "payouts", nextCursor: "meta.cursors.after", lastCursor: "null", pageSize: "meta.limit" },
    });
  });

  it("rows inside an object, and links of pages", async () => {
    const row = { AccountId: { type: "string" }, BookingDateTime: { type: "string", format: "date-time" } };
    const page = {
      type: "object",
      properties: {
        Data: { type: "object", properties: { Transaction: { type: "array", items: { properties: row } } } },
        Links: {
          type: "object",
          properties: { Next: { type: "string", format: "uri" }, Prev: { type: "string", format: "uri" } },
        },
      },
    };
    const date = { type: "string", format: "date-time" };
    const parameters = [query("fromBookingDateTime", date), query("toBookingDateTime", date)];
    const { lists, notes } = await imported(
      documentOf({ "/accounts/{AccountId}/transactions": { get: { parameters, ...answers(page) } } }),
    );
    expect(lists["transactions"]).toMatchObject({
      dateField: "BookingDateTime",
      parameters: { pageSize: null, fromCreatedAt: "fromBookingDateTime", toCreatedAt: "toBookingDateTime" },
      envelope: { items: "Data.Transaction", nextLink: "Links.Next" },
      fields: { AccountId: { type: "parameter", name: "AccountId" } },
    });
    expect(notes.join("\n")).toMatch(
      /"Links.Prev" is not in the sandbox's answers: the sandbox sends no link of a page but that of the next one/,
    );
    expect(notes.join("\n")).not.toMatch(/cursor of the next page/);
  });

  it("link objects of HAL, which are null on the last page", async () => {
    const link = { type: "object", required: ["href"], properties: { href: { type: "string", example: "https://x" } } };
    const page = {
      type: "object",
      properties: {
        count: { type: "integer" },
        _embedded: {
          type: "object",
          properties: { refunds: { type: "array", items: { properties: { id: { type: "string" } } } } },
        },
        _links: {
          type: "object",
          properties: {
            self: link,
            previous: { ...link, nullable: true },
            next: { nullable: true, allOf: [link] },
          },
        },
      },
    };
    const { lists } = await imported(documentOf({ "/refunds": { get: answers(page) } }));
    expect(lists["refunds"]?.envelope).toEqual({
      items: "_embedded.refunds",
      nextLink: "_links.next.href",
      lastCursor: "null",
      count: "count",
    });
  });

  it("page numbers are not supported", async () => {
    const parameters = [query("page", { type: "integer" }), query("per_page", { type: "integer", maximum: 5 })];
    const { lists, notes } = await imported(
      documentOf({
        "/fees": {
          get: { parameters, ...answers(pageOf({ id: { type: "string" } }, { total: { type: "integer" } })) },
        },
      }),
    );
    expect(lists["fees"]).toMatchObject({
      parameters: { pageSize: "per_page" },
      pageSize: { default: 5, minimum: 1, maximum: 5 },
      envelope: { items: "data", total: "total" },
    });
    expect(notes.join("\n")).toMatch(/"page" is not imported: the sandbox pages by cursors only/);
  });

  it("`from` is a cursor if the document says so, and otherwise a date", async () => {
    const page = answers(pageOf({ created: { type: "string", format: "date-time" } }));
    const cursor = query(
      "from",
      { type: "string" },
      { description: "Used for pagination: the last item of the page before." },
    );
    const { lists } = await imported(
      documentOf({
        "/a": { get: { parameters: [cursor], ...page } },
        "/b": { get: { parameters: [query("from"), query("to")], ...page } },
      }),
    );
    expect(lists["a"]?.parameters).toMatchObject({ cursor: "from", fromCreatedAt: null });
    expect(lists["b"]?.parameters).toMatchObject({ fromCreatedAt: "from", toCreatedAt: "to" });
  });
});

describe("--map corrects a guess", () => {
  const document = documentOf({
    "/a": {
      get: {
        parameters: [query("window", { type: "integer" }), query("limit", { type: "integer" }), query("seen")],
        ...answers({
          type: "object",
          properties: {
            data: { type: "array", items: { properties: { a: { type: "string" } } } },
            others: { type: "array", items: { properties: { b: { type: "string" } } } },
            bookmark: { type: "string" },
          },
        }),
      },
    },
  });

  it("for parameters and members, of all lists or of one", async () => {
    const mappings = ["page-size=window", "a:cursor=seen", "/a:items=others", "next-cursor=bookmark"].map(mapping);
    const { lists, unusedMappings } = await imported(document, { mappings });
    expect(unusedMappings).toEqual([]);
    expect(lists["a"]).toMatchObject({
      parameters: { pageSize: "window", cursor: "seen" },
      envelope: { items: "others", nextCursor: "bookmark" },
      fields: { b: { type: "text" } },
    });
  });

  it("an empty name means no parameter or member", async () => {
    const { lists } = await imported(document, { mappings: [mapping("page-size=")] });
    expect(lists["a"]?.parameters?.pageSize).toBeNull();
  });

  it("a name that no list has is reported", async () => {
    const { unusedMappings } = await imported(document, { mappings: [mapping("cursor=nowhere")] });
    expect(unusedMappings.map(({ text }) => text)).toEqual(["cursor=nowhere"]);
  });
});

describe("fields", () => {
  it.each([
    ["an enum", { type: "string", enum: ["a", "b", null] }, { type: "choice", values: ["a", "b"] }],
    [
      "a nullable enum with null",
      { type: "string", nullable: true, enum: ["a", null] },
      { type: "constant", value: "a" },
    ],
    ["a date", { type: "string", format: "date" }, { type: "createdAt", as: "date" }],
    [
      "milliseconds",
      { type: "integer", format: "timestamp", example: 1769850000000 },
      { type: "createdAt", as: "milliseconds" },
    ],
    ["digits", { type: "string", pattern: "^\\d{8}$" }, { type: "text", template: "{0-9:8}" }],
    ["an example with a prefix", { type: "string", example: "PAY-12" }, { type: "text", template: "PAY-{number}" }],
    ["a decimal example", { type: "string", example: "10.500" }, { type: "decimal", min: 1, max: 900, decimals: 3 }],
    ["bounds", { type: "integer", minimum: 5, maximum: 7 }, { type: "integer", min: 5, max: 7 }],
    [
      "bounds that are not in the range",
      { type: "integer", minimum: 0, maximum: 3, exclusiveMinimum: true, exclusiveMaximum: true },
      { type: "integer", min: 1, max: 2 },
    ],
    [
      "a small range",
      { type: "number", exclusiveMinimum: 0, maximum: 0.5 },
      { type: "decimal", min: 0.01, max: 0.5, decimals: 2, as: "number" },
    ],
    ["bounds too wide", { type: "integer", maximum: 2 ** 63 }, { type: "integer", min: 0, max: 1e12 }],
    ["a text of one character", { type: "string", maxLength: 1 }, { type: "choice", values: ["1", "2", "3"] }],
    ["an empty object", { type: "object" }, { type: "constant", value: {} }],
    [
      "a list of objects",
      { type: "array", items: { properties: { n: { type: "integer" } } } },
      { type: "constant", value: [{ n: 0 }] },
    ],
    ["the first alternative", { oneOf: [{ type: "boolean" }, { type: "string" }] }, { type: "boolean" }],
    ["long values of an enum", { enum: ["x".repeat(301), "a", "b"] }, { type: "choice", values: ["a", "b"] }],
    ["an enum of long values only", { enum: ["x".repeat(301)], example: "y" }, { type: "choice", values: ["y"] }],
    ["values of several types", { enum: [1, "1", true] }, { type: "choice", values: ["1", true] }],
  ])("%s", { tags: "slow" }, async (_what, schema, field) => {
    expect((await fieldsOf({ thing: schema })).fields).toEqual({ thing: field });
  });

  it.each([
    ["(?=a)b", 'has a look-ahead, "(?=a)", at character 1.'],
    ["(.)\\1", 'has a back reference, "\\\\1", at character 4.'],
    ["([a-z]+", "is not valid: Unterminated group."],
    ["(x{1000}){1000}", "describes values of more than 200 characters."],
  ])("a pattern that cannot be imitated: %s", async (pattern, reason) => {
    const { fields, notes } = await fieldsOf({ thing: { type: "string", pattern } });
    expect(fields?.["thing"]).toEqual({ type: "text", template: "Thing {number}" });
    expect(notes).toContainEqual(expect.stringContaining(`of "thing" is not used: it ${reason}`));
  });
});

it("the default lists are replaced if the document has their path", async () => {
  const get = answers(pageOf({ id: { type: "string" } }));
  const { lists } = await imported(
    documentOf({ "/v2/payments": { get }, "/v1/payments": { get }, "/v1/ping": { get } }),
  );
  expect(Object.entries(lists).map(([name, { path }]) => [name, path])).toEqual([
    ["payments", "/v1/payments"],
    ["payments2", "/v2/payments"],
  ]);
});

it("many large lists have fewer members each, so that they fit in a configuration", { tags: "slow" }, async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 350 }, (_, index) => [
      `member_number_${index}`,
      { type: "string", enum: ["COMPLETED", "PENDING"] },
    ]),
  );
  const schemas = { Page: pageOf(properties) };
  const get = answers({ $ref: "#/components/schemas/Page" });
  const paths = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`/list${index}`, { get }]));
  const counts = async (count: number) => {
    const { lists } = await imported(documentOf(paths(count), { components: { schemas } }));
    return [...new Set(Object.values(lists).map(({ fields = {} }) => Object.keys(fields).length))];
  };
  expect(await counts(1)).toEqual([300]);
  expect(await counts(120)).toEqual([100]);
});

it("rows get fewer members until the lists fit in a configuration", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`member_${index}`, { type: "boolean" }]),
  );
  const sizes: number[] = [];
  const { lists, notes } = await imported(documentOf({ "/a": { get: answers(pageOf(properties)) } }), {
    fits: async ([list]) => {
      sizes.push(Object.keys(list?.settings.fields ?? {}).length);
      return sizes.length === 4;
    },
  });
  expect(sizes).toEqual([60, 42, 29, 20]);
  expect(Object.keys(lists["a"]?.fields ?? {})).toHaveLength(20);
  expect(notes.filter((note) => note.includes("left out"))).toHaveLength(1);
  const never = await imported(documentOf({ "/a": { get: answers(pageOf(properties)) } }), { fits: async () => false });
  expect(Object.keys(never.lists["a"]?.fields ?? {})).toHaveLength(10);
  expect(never.notes.filter((note) => note.includes("left out"))).toEqual([
    expect.stringMatching(/"member_10" and 49 more are left out, because rows have at most 10 members here/),
  ]);
});

it("at most 500 lists are made at once, and the note says how to choose others", { tags: "slow" }, async () => {
  const get = answers(pageOf({ id: { type: "string" } }));
  const paths = Object.fromEntries(Array.from({ length: 502 }, (_, index) => [`/l${index}`, { get }]));
  const { lists, notes } = await imported(documentOf(paths));
  expect(Object.keys(lists)).toHaveLength(500);
  expect(notes.filter((note) => note.includes("at once"))).toEqual([
    expect.stringMatching(/GET \/l500 and all after it are skipped: at most 500 lists .*--list/),
  ]);
});

it("only the requested lists are imported", async () => {
  const get = answers(pageOf({ id: { type: "string" } }));
  const single = answers({
    type: "object",
    properties: { id: {}, parts: { type: "array", items: { properties: { n: {} } } } },
  });
  const document = documentOf({ "/a": { get }, "/b/{id}": { get: single } });
  const { lists, unknownPaths } = await imported(document, { only: ["/b/{id}", "/c"] });
  expect(Object.keys(lists)).toEqual(["b"]);
  expect(unknownPaths).toEqual(["/c"]);
  // With a `*`, answers that look like one object are not imported.
  const some = await imported(document, { only: ["/*", "/c*", "/*/a"] });
  expect(Object.keys(some.lists)).toEqual(["a"]);
  expect(some.unknownPaths).toEqual(["/c*", "/*/a"]);
});

describe("one object that contains a list of objects", () => {
  const account = {
    type: "object",
    properties: {
      id: { type: "string" },
      external_accounts: {
        ...pageOf({ id: { type: "string" } }, { has_more: { type: "boolean" }, url: { type: "string" } }),
      },
    },
  };

  it.each([
    ["with a page inside it", "/account", account, "external_accounts.data"],
    ["after a parameter", "/accounts/{account}", account, "external_accounts.data"],
    [
      "with items",
      "/orders",
      { properties: { id: { type: "string" }, items: { type: "array", items: { properties: { sku: {} } } } } },
      "items",
    ],
    ["inside another", "/objects/{id}", { properties: { object: account } }, "object.external_accounts.data"],
  ])("%s is not a list", async (_what, path, schema, rows) => {
    const { lists, notes } = await imported(documentOf({ [path]: { get: answers(schema) } }));
    expect(lists).toEqual({});
    expect(notes.join("\n")).toContain(`its answer looks like one object, of which ${JSON.stringify(rows)} is a part`);
  });

  it("with links, as in every answer of some services, is not a list", async () => {
    const links = { type: "object", properties: { Next: { type: "string", format: "uri" } } };
    const parts = { type: "array", items: { properties: { Street: {} } } };
    const page = { properties: { Data: { properties: { Party: { properties: { Parts: parts } } } }, Links: links } };
    const { lists } = await imported(documentOf({ "/accounts/{id}": { get: answers(page) } }));
    expect(lists).toEqual({});
  });

  it("is a list if the request has a page size", async () => {
    const get = { parameters: [query("limit", { type: "integer" })], ...answers(account) };
    const { lists } = await imported(documentOf({ "/account": { get } }));
    expect(Object.keys(lists)).toEqual(["account"]);
  });
});

it("basePath is not repeated", async () => {
  const document = documentOf(
    { "/a": { get: answers(pageOf({})) } },
    { servers: [{ url: "https://x.example/business/api/v3/" }] },
  );
  const { lists } = await imported(document, { basePath: "/business/api" });
  expect(lists["a"]?.path).toBe("/v3/a");
});

it.each([-1, 1.5])("a length of %d, which is none, is ignored", async (length) => {
  const bounded = { type: "string", minLength: length, maxLength: length };
  const { lists } = await imported(documentOf({ "/a": { get: answers(pageOf({ own: bounded })) } }));
  expect(lists["a"]?.fields).toHaveProperty("own");
});
