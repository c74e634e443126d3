import { describe, expect, it } from "vitest";
import { parseMapping } from "../../../src/imitate/import/mapping.js";
import { answers, documentOf, imported, pageOf, proof } from "./importing.js";

const query = (name: string, schema: object = { type: "string" }) => ({ name, in: "query", schema });
const paged = [query("limit", { type: "integer" }), query("cursor")];
const next = { next_cursor: { type: "string" } };

/** A document with one list, at /rows. */
const listOf = (page: object, parameters: readonly object[] = paged) =>
  documentOf({ "/rows": { get: { parameters, ...answers(page) } } });

const rowsList = async (page: object, parameters?: readonly object[]) => {
  const { lists, notes } = await imported(listOf(page, parameters));
  return { list: lists["rows"] ?? expect.fail("There is no list."), notes };
};

/** The generator of the only member of rows. */
const fieldOf = async (schema: object, name = "thing") =>
  (await rowsList(pageOf({ [name]: schema }, next))).list.fields?.[name];

const isAsDescribed = async (page: object, parameters?: readonly object[]) =>
  expect(await proof(listOf(page, parameters))).toEqual([{ name: "rows", faults: [] }]);

describe("rows", () => {
  it.each([
    ["a name", "Blue Lamp GmbH", { type: "text", template: "Blue Lamp GmbH {number}" }],
    ["a text with a number", "Order 17 of May", { type: "text", template: "Order {number} of May" }],
    ["a text with braces", "{a} b", { type: "text", template: "{{a}} b {number}" }],
    ["an address of mail", "ann@bank.test", { type: "text", template: "person{number}@example.com" }],
  ])("differ: an example is one value of many (%s)", async (_what, example, field) => {
    expect(await fieldOf({ type: "string", example })).toEqual(field);
  });

  it("keep a word that programs read, and know the other values of a parameter", async () => {
    expect(await fieldOf({ type: "string", example: "paid_out" })).toEqual({ type: "choice", values: ["paid_out"] });
    const parameters = [...paged, query("kind", { type: "string", enum: ["paid_out", "open"] })];
    const { list } = await rowsList(pageOf({ kind: { type: "string", example: "open" } }, next), parameters);
    expect(list.fields?.["kind"]).toEqual({ type: "choice", values: ["paid_out", "open"] });
  });

  it("have what is required, the id, the status and the date, although a limit leaves out others", async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`m${index}`, { type: "boolean" }]));
    const deep = { type: "object", properties: { ...many, last: { type: "string" } }, required: ["last"] };
    const properties = {
      ...many,
      deep,
      id: { type: "string" },
      status: { type: "string" },
      created_at: { type: "string", format: "date-time" },
      last: { type: "string" },
    };
    const page = pageOf({}, next);
    const items = { type: "object", properties, required: ["last", "deep"] };
    const { list, notes } = await rowsList({
      ...page,
      properties: { ...page.properties, data: { type: "array", items } },
    });
    expect(Object.keys(list.fields ?? {})).toHaveLength(300 - 1);
    expect(list.fields).toMatchObject({ id: {}, status: {}, created_at: {}, last: {} });
    expect(list.fields?.["deep"]).toEqual({ type: "object", fields: { last: expect.anything() } });
    expect(list.dateField).toBe("created_at");
    expect(notes.join("\n")).toMatch(/"m\d+" and \d+ more are left out, because rows have at most 300 members here/);
  });

  it("are as all parts of allOf say together", async () => {
    const named = { type: "object", properties: { name: { type: "string", maxLength: 5 } }, required: ["name"] };
    const described = { properties: { name: { description: "Who it is.", minLength: 5 }, kind: { enum: ["a", "b"] } } };
    const narrowed = { properties: { kind: { enum: ["b", "c"] } } };
    const page = pageOf({}, next);
    const items = { allOf: [named, described, narrowed] };
    const { list } = await rowsList({ ...page, properties: { ...page.properties, data: { type: "array", items } } });
    expect(list.fields).toEqual({
      name: { type: "choice", values: ["Name1", "Name2", "Name3"] },
      kind: { type: "constant", value: "b" },
    });
  });

  it("have the alternative of oneOf that is none of the others", async () => {
    const kinds = (one: object, other: object) => ({
      oneOf: [
        { type: "object", ...one },
        { type: "object", ...other },
      ],
    });
    const [a, b] = [{ a: { type: "boolean" } }, { b: { type: "boolean" } }];
    for (const [schema, members] of [
      [kinds({ properties: a }, { properties: b }), ["a"]],
      [kinds({ properties: a, required: ["a"] }, { properties: b }), ["b"]],
      [kinds({ properties: a }, { properties: { a: { enum: ["x"] } } }), ["a"]],
      [kinds({ properties: { k: { enum: ["x"] } } }, { properties: { k: { const: "y" }, ...b } }), ["k"]],
      [kinds({ properties: { ...a, ...b } }, { properties: a, additionalProperties: false }), ["a", "b"]],
    ] as const) {
      const field = await fieldOf(schema);
      expect(field?.type === "object" && Object.keys(field.fields)).toEqual(members);
    }
    const page = pageOf({ thing: kinds({ properties: a, required: ["a"] }, { properties: b }) }, next);
    await isAsDescribed(page);
  });

  it("have members that are required and not described, but not those of requests", async () => {
    const page = pageOf({ secret: { type: "string", writeOnly: true } }, next);
    const items = { ...page.properties.data.items, required: ["id"] };
    const { list } = await rowsList({ ...page, properties: { ...page.properties, data: { type: "array", items } } });
    expect(list.fields).toEqual({ id: { type: "id" } });
  });

  it.each([
    ["a pattern and lengths", { type: "string", pattern: "^[A-Z0-9]*$", minLength: 7, maxLength: 9 }],
    ["a pattern and one character", { type: "string", pattern: "^[a-z]+$", maxLength: 1 }],
    ["a name that is known, with another pattern", { type: "string", pattern: "^[A-Z]{3}$" }],
    ["an example that does not fit", { type: "string", example: "EURO", pattern: "^[a-z]{2}$" }],
    ["a list of at least three", { type: "array", minItems: 3, items: { type: "integer" } }],
    ["a list of distinct values", { type: "array", minItems: 2, uniqueItems: true, items: { enum: ["a", "b"] } }],
    ["an empty list", { type: "array", maxItems: 0, items: { type: "string" } }],
    ["a multiple", { type: "integer", multipleOf: 25, minimum: 30, maximum: 200 }],
    ["a short text", { type: "string", maxLength: 3 }],
    ["a duration", { type: "string", format: "duration" }],
    ["a reference", { type: "string", format: "uri-reference" }],
  ])("obey %s", async (_what, schema) => {
    await isAsDescribed(pageOf({ country: schema }, next));
  });

  it("have dates where a pattern describes one, and nothing else", async () => {
    const day = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
    expect(await fieldOf({ type: "string", pattern: `^${day}$` })).toEqual({ type: "createdAt", as: "date" });
    const time = "[Tt]([0-1][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})";
    expect(await fieldOf({ type: "string", pattern: `^${day}${time}$` })).toEqual({ type: "createdAt" });
    expect(await fieldOf({ type: "string", pattern: "^[0-9-]{10}$" })).not.toMatchObject({ type: "createdAt" });
    expect(await fieldOf({ type: "string", pattern: "^[0-9A-Z-]{10}$" })).not.toMatchObject({ type: "createdAt" });
  });

  it("get the date that --map names, as the note advises", async () => {
    const document = listOf(pageOf({ moment: { type: "string" }, second: { type: "integer" } }, next), [
      ...paged,
      query("from", { type: "string", format: "date-time" }),
    ]);
    const { notes } = await imported(document);
    expect(notes.join("\n")).toMatch(/"from" is not imported: rows have no date .*--map date-field=NAME names one/);
    for (const [name, as] of [
      ["moment", {}],
      ["second", { as: "seconds" }],
    ] as const) {
      const mapping = parseMapping(`date-field=${name}`) ?? expect.fail("It is a mapping.");
      const { lists } = await imported(document, { mappings: [mapping] });
      expect(lists["rows"]).toMatchObject({
        dateField: name,
        parameters: { fromCreatedAt: "from" },
        fields: { [name]: { type: "createdAt", ...as } },
      });
    }
  });
});

describe("what is around the rows", () => {
  it("keeps formats, patterns and bounds of what is required", async () => {
    const around = {
      batch: { type: "string", format: "uuid" },
      code: { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" },
      version: { type: "integer", minimum: 3 },
      at: { type: "string", format: "date-time" },
      inner: {
        type: "object",
        required: ["kind"],
        properties: { kind: { enum: ["x", "y"] }, more: { type: "string" } },
      },
    };
    const page = {
      ...pageOf({ id: { type: "string" } }, { ...next, ...around }),
      required: [...Object.keys(around), "undescribed"],
    };
    const { list, notes } = await rowsList(page);
    expect(Object.keys(list.envelope?.extra ?? {}).sort()).toEqual([
      "at",
      "batch",
      "code",
      "inner.kind",
      "undescribed",
      "version",
    ]);
    expect(notes.join("\n")).toMatch(/"inner\.more" is not in the sandbox's answers: .* it is not required/);
    await isAsDescribed(page);
  });

  it("has links that are required, and the note says that they lead nowhere", async () => {
    const link = { type: "object", properties: { href: { type: "string", format: "uri" } } };
    const links = {
      type: "object",
      required: ["self", "first", "previous"],
      properties: { self: link, first: link, last: link, previous: { ...link, nullable: true }, next: link },
    };
    const page = pageOf({ id: { type: "string" } }, { _links: links });
    const { list, notes } = await rowsList(page);
    const href = { href: "https://example.com/1" };
    expect(list.envelope).toMatchObject({
      nextLink: "_links.next.href",
      extra: { "_links.self": href, "_links.first": href, "_links.previous": null },
    });
    const noted = notes.filter((note) => note.includes("_links")).join("\n");
    expect(noted).toMatch(/"_links\.self" is required: the sandbox sends the same link with every page/);
    expect(noted).toMatch(/"_links\.last" is not in the sandbox's answers/);
    expect(noted).not.toMatch(/"_links\.(self|first|previous)" is not in/);
    await isAsDescribed(page);
  });

  it("limits the size of a page, and the number of rows", async () => {
    const page = pageOf({}, { ...next, total: { type: "integer", maximum: 120 } });
    const data = { ...page.properties.data, maxItems: 64 };
    const { list } = await rowsList({ ...page, properties: { ...page.properties, data } });
    expect([list.count, list.pageSize]).toEqual([120, { default: 10, minimum: 1, maximum: 64 }]);
  });
});

describe("the pages of a list", () => {
  it("without parameters about pages have all rows, and no cursor", async () => {
    const page = { ...pageOf({ id: { type: "string" } }), additionalProperties: false };
    const { list, notes } = await rowsList(page, [query("status")]);
    expect(list).toMatchObject({ count: 50, pageSize: { default: 50, maximum: 50 }, envelope: { nextCursor: null } });
    expect(notes.join("\n")).not.toMatch(/cursor/);
    await isAsDescribed(page, []);
  });

  it("are one page if the answer has no place for a cursor", async () => {
    const page = {
      ...pageOf({ id: { type: "string" } }, { hasNext: { type: "boolean" } }),
      additionalProperties: false,
    };
    const parameters = [query("limit", { type: "integer", default: 20 }), query("offset", { type: "integer" })];
    const { list, notes } = await rowsList(page, parameters);
    expect(list).toMatchObject({ count: 20, envelope: { nextCursor: null, hasMore: "hasNext" } });
    expect(notes.join("\n")).toMatch(/may have no other: the sandbox's list has one page/);
    await isAsDescribed(page, parameters);
  });

  it.each([
    ["must be there", { type: "string" }, "empty"],
    ["may be null", { type: "string", nullable: true }, "null"],
  ])("end with a cursor if it %s", async (_what, schema, lastCursor) => {
    const page = { ...pageOf({ id: { type: "string" } }, { next_cursor: schema }), required: ["next_cursor"] };
    const { list } = await rowsList(page);
    expect(list.envelope?.lastCursor).toBe(lastCursor);
    await isAsDescribed(page);
  });

  it("have a cursor of the sandbox where the document has the identifier of a row, which is reported", async () => {
    const page = pageOf({ id: { type: "string" } }, { has_more: { type: "boolean" } });
    const { list, notes } = await rowsList(page, [query("limit", { type: "integer" }), query("starting_after")]);
    expect(list.parameters?.cursor).toBe("starting_after");
    expect(notes.join("\n")).toMatch(
      /"starting_after" is the identifier of a row\. The sandbox's cursor .*"nextCursor"/,
    );
  });
});

it.each([
  ["/api/2.0/Items", "items"],
  ["/2.0/Items", "items"],
  ["/3d/Models", "models"],
])("the name of a list is whole: %s", async (path, name) => {
  const { lists } = await imported(documentOf({ [path]: { get: answers(pageOf({})) } }));
  expect(Object.keys(lists)).toEqual([name]);
});

it("the second list of a name is whole, too", async () => {
  const get = answers(pageOf({}));
  const { lists } = await imported(documentOf({ "/Items": { get }, "/2.0/Items": { get } }));
  expect(Object.keys(lists)).toEqual(["items", "items2"]);
});

it("a list at a literal path is asked, and not one with a parameter there that comes first in the document", async () => {
  const page = (name: string) => ({
    type: "object",
    required: [name],
    properties: { [name]: pageOf({ id: { type: "string" } }).properties.data },
  });
  const document = documentOf({
    "/jobs/{job}": { get: { parameters: paged, ...answers(page("parts")) } },
    "/jobs/list": { get: { parameters: paged, ...answers(page("jobs")) } },
  });
  expect(await proof(document)).toEqual([
    { name: "jobs", faults: [] },
    { name: "jobsList", faults: [] },
  ]);
});

it("lists that are requested with POST are named", async () => {
  const body = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } } });
  const cursor = { type: "object", properties: { cursor: { type: "string" } } };
  const options = { type: "object", properties: { options: { type: "object", properties: { limit: {} } } } };
  const post = (schema: object, page: object = pageOf({})) => ({ post: { ...body(schema), ...answers(page) } });
  const { notes } = await imported(
    documentOf({
      "/orders/search": post(cursor),
      "/transactions/get": post(options),
      "/orders": post({ type: "object", properties: { amount: {} } }),
      "/tokens": post(cursor, { type: "object", properties: { id: {} } }),
    }),
  );
  expect(notes).toEqual(
    ["/orders/search", "/transactions/get"].map((path) =>
      expect.stringContaining(
        `POST ${path} is a list that is not imported: the sandbox's lists are requested with GET.`,
      ),
    ),
  );
});
