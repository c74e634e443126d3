import { describe, expect, it } from "vitest";
import { differencesOf } from "../../../src/imitate/calibrate/compare.js";
import { readEnvelope } from "../../../src/imitate/calibrate/envelope.js";
import { fieldsOf } from "../../../src/imitate/calibrate/fields.js";
import { orderedDate } from "../../../src/imitate/calibrate/order.js";
import { cursorOf, type Page, pageOf } from "../../../src/imitate/calibrate/page.js";
import { sizeLimits, type TriedSize } from "../../../src/imitate/calibrate/page-sizes.js";
import { formatOf } from "../../../src/imitate/calibrate/session.js";
import { listTargets } from "../../../src/imitate/calibrate/targets.js";
import { isPlain, placeholder } from "../../../src/imitate/shape.js";

describe("page sizes", () => {
  /** Searches like the runner. */
  function search(minimum: number, maximum: number, usual: number, named: readonly number[] = []) {
    const tried: TriedSize[] = [{ size: usual, accepted: true, named: [] }];
    for (;;) {
      const limits = sizeLimits(tried);
      if (limits.next === undefined) return { ...limits, requests: tried.length - 1 };
      if (tried.length > 40) throw new Error("It does not end.");
      const accepted = limits.next >= minimum && limits.next <= maximum;
      tried.push({ size: limits.next, accepted, named: accepted ? [] : named });
    }
  }

  it.each([
    [1, 100, 10],
    [1, 50, 10],
    [1, 250, 20],
    [5, 137, 25],
    [1, 1000, 10],
    [10, 10, 10],
    [1, 10_000, 10],
    [3, 4321, 100],
  ])("from %i to %i, by bisection", (minimum, maximum, usual) => {
    const found = search(minimum, maximum, usual);
    expect([found.minimum, found.maximum]).toEqual([minimum, maximum]);
    expect(found.requests).toBeLessThanOrEqual(30);
  });

  it("fewer requests are sent if a refusal names the limits", () => {
    expect(search(3, 4321, 100, [3, 4321]).requests).toBeLessThanOrEqual(7);
    expect(search(1, 100, 10)).toMatchObject({ minimum: 1, maximum: 100, requests: 4 });
  });
});

describe("rows", () => {
  const names = [
    "Ada Lovelace",
    "ada@example.org",
    "DE89370400440532013000",
    "+49 30 1234567",
    "4111111111111111",
    "JOHN",
  ];

  it.each(names)("%s, a personal value, is not repeated", (value) => {
    const fields = fieldsOf([{ name: value, status: value, deep: { list: [value], other: value } }]);
    if (value !== "JOHN") expect(JSON.stringify(fields)).not.toContain(value);
    expect(JSON.stringify(fieldsOf([{ name: value, deep: [{ value }] }]))).not.toContain(value);
  });

  it("words of the service are kept if the name of the field permits it", () => {
    const rows = ["OPEN", "PAID", "OPEN"].map((word) => ({ status: word, surname: word }));
    expect(fieldsOf(rows)).toEqual({
      status: { type: "choice", values: ["OPEN", "PAID"] },
      surname: { type: "text", template: "surname {number}" },
    });
  });

  it("ids that are numbers are drawn from a range large enough for rows not to share one", () => {
    const wide = { type: "integer", min: 1, max: 1_000_000_000 };
    expect(fieldsOf([{ id: 17, rowId: 4, parent_id: 3, paid: 12 }])).toEqual({
      id: wide,
      rowId: wide,
      parent_id: wide,
      paid: { type: "integer", min: 1, max: 100 },
    });
  });

  it("numbers become others with the same number of digits", () => {
    expect(fieldsOf([{ cents: 123_456, rate: 1.375, amount: "98.10" }])).toEqual({
      cents: { type: "integer", min: 1, max: 1_000_000 },
      rate: { type: "decimal", min: 1, max: 10, decimals: 3, as: "number" },
      amount: { type: "decimal", min: 1, max: 100, decimals: 2 },
    });
  });

  it("dates keep their form", () => {
    const rows = [
      { id: 1_700_000_000, paidAt: 1_700_000_300, madeAt: 1_700_000_300_000, due: "2026-10-02" },
      { id: 1_700_000_001, paidAt: 1_700_000_240, madeAt: 1_700_000_240_000, due: "2026-10-01" },
    ];
    expect(fieldsOf(rows)).toEqual({
      id: { type: "integer", min: 1, max: 10_000_000_000 },
      paidAt: { type: "createdAt", as: "seconds" },
      madeAt: { type: "createdAt", as: "milliseconds" },
      due: { type: "createdAt", as: "date" },
    });
    expect(orderedDate(rows)).toEqual({ path: "paidAt", order: "newest-first" });
    expect(orderedDate(rows.map(({ due }) => ({ due })))).toEqual({
      path: "due",
      order: "newest-first",
    });
  });

  it("the value in the path becomes a parameter", () => {
    expect(fieldsOf([{ account: "acc-1" }], { accountId: "acc-1" })).toEqual({
      account: { type: "parameter", name: "accountId" },
    });
  });

  it("the date that defines the order is found, with its order", () => {
    const days = ["2026-03-03", "2026-03-02", "2026-03-01"];
    const rows = days.map((day, index) => ({
      due: `2027-0${index ? 1 : 2}-0${index + 1}T00:00:00Z`,
      at: `${day}T08:00:00+01:00`,
    }));
    expect(orderedDate(rows)).toEqual({ path: "at", order: "newest-first" });
  });

  it("placeholders keep only the shape", () => {
    expect(placeholder({ id: "0b9f2c7e-5d3a-4f61-9b0e-2f6a1c8d7e55", n: 77, x: ["Ada", "Bob"], no: null })).toEqual({
      id: "00000000-0000-4000-8000-000000000000",
      n: 1,
      x: ["text"],
      no: null,
    });
    expect([true, null, 3, "OK", "pong", "1.2.0"].every((value) => isPlain("status", value))).toBe(true);
    expect(
      ["a@b.c", "Ada", "Ada Lovelace", "DE89370400440532013000", "4111111111111111", 41_111_111].some((value) =>
        isPlain("status", value),
      ),
    ).toBe(false);
    expect([isPlain("merchant", "acme"), isPlain("merchant", true)]).toEqual([false, true]);
  });
});

describe("pages", () => {
  const page = (body: unknown) => pageOf({ status: 200, headers: new Map(), names: [], text: JSON.stringify(body) });

  it.each([
    [{ data: [{ a: 1 }], paging: { next: "c" } }, ["data"], ["paging", "next"], "c"],
    [{ errors: [], payments: [{ a: 1 }], nextPageToken: "c" }, ["payments"], ["nextPageToken"], "c"],
    [{ items: [], links: { prev: "p", next: null } }, ["items"], ["links", "next"], undefined],
  ])("%j", (body, itemsPath, cursorPath, cursor) => {
    expect(page(body)).toMatchObject({ itemsPath, cursorPath });
    expect(page(body)?.cursor).toBe(cursor);
  });

  it.each([
    ["</things?cursor=c>; rel=next", "c"],
    [
      '<https://host/things?page=1>; rel="prev", <https://host/things?after=c&limit=2>; title="on"; REL="last next"',
      "c",
    ],
    ['<?after=c>; rel="next"', "c"],
    ['<https://host/things?cursor=c>; rel="prev"', undefined],
    ['<https://host/things?cursor=c>; rel="nextdoor"', undefined],
  ])("the header Link: %s", (link, cursor) => {
    const headers = new Map([["link", link]]);
    const found = pageOf({ status: 200, headers, names: [], text: '{"items":[{"a":1}]}' });
    expect(cursorOf(found)).toBe(cursor);
    expect(found?.cursorPath).toBeUndefined();
  });

  it("a link in the body is recognised by its query, whatever its name", () => {
    const links = { selbst: { href: "/dinge?anzahl=2" }, weiter: { href: "/dinge?anzahl=2&marke=c" } };
    expect(page({ zeilen: [{ a: 1 }], links })).toMatchObject({ cursorPath: ["links", "weiter", "href"] });
  });

  it("an array of objects alone is a page", () => {
    expect(page([])).toMatchObject({ items: [], itemsPath: [] });
    expect(page([{ id: 1 }])).toMatchObject({ items: [{ id: 1 }], cursor: undefined });
  });

  it.each([[["a"]], ["text"], [{ status: "OK" }], [null]])("%j is not a page", (body) => {
    expect(page(body)).toBeUndefined();
  });
});

it.each([
  ["list.rows.first", ["Link", "walk"]],
  ["list.rows.dates-bounds", []],
])("whether the page of %s is followed by another is compared only where no range of dates decides it", (id, whats) => {
  const outcome = (link?: string) => {
    const headers = new Map(link === undefined ? [] : [["link", link]]);
    return { answer: { status: 200, headers, names: [], text: '{"items":[{"a":1}]}' } };
  };
  const request = { method: "GET", path: "/rows", headers: {}, identity: "client" } as const;
  const observation = { step: { id, says: "" }, request, outcome: outcome('</rows?cursor=c>; rel="next"') };
  const context = { rows: [], correlationHeader: undefined, first: undefined };
  expect(differencesOf(observation, outcome(), context).map(({ what }) => what)).toEqual(whats);
});

it("a link object that only one of two pages of a range has is left out as a whole", () => {
  const outcome = (links: object) => ({
    answer: {
      status: 200,
      headers: new Map<string, string>(),
      names: [],
      text: JSON.stringify({ items: [{ a: 1 }], _links: links }),
    },
  });
  const request = { method: "GET", path: "/rows", headers: {}, identity: "client" } as const;
  const step = { id: "list.rows.dates-bounds", says: "" };
  const [goesOn, ends] = [outcome({ next: { href: "/rows?cursor=c" } }), outcome({})];
  const context = { rows: [], correlationHeader: undefined, first: undefined };
  expect(differencesOf({ step, request, outcome: goesOn }, ends, context)).toEqual([]);
  expect(differencesOf({ step, request, outcome: ends }, goesOn, context)).toEqual([]);
});

describe("the last page", () => {
  it.each([
    ['{"rows":[],"links":{"next":null}}', "null"],
    ['{"rows":[],"links":{}}', "omit"],
    ['{"rows":[],"links":{"next":{"href":null}}}', "null"],
  ])("%s", (text, lastCursor) => {
    const seen = (id: string, body: string) => {
      const answer = { status: 200, headers: new Map(), names: [], text: body };
      const request = { method: "GET", path: "/rows", headers: {}, identity: "client" } as const;
      return { observation: { step: { id, says: "" }, request, outcome: { answer } }, page: pageOf(answer) as Page };
    };
    const first = seen("list.rows.first", '{"rows":[{"a":1}],"links":{"next":{"href":"/rows?cursor=c"}}}');
    const pages = [first, seen("list.rows.cursor.0", text)];
    const filters = { filters: {}, evidence: [], remarks: [] };
    const known = {
      items: [],
      cursorName: "cursor",
      isRowCursor: false,
      numberName: undefined,
      isFollowed: false,
      sizeName: undefined,
      count: undefined,
    };
    const rest = { filters, dates: undefined, sizes: sizeLimits([]), documentedEnvelope: {} };
    const reading = readEnvelope({ ...known, ...rest, pages, first: first.page });
    expect(reading?.settings).toMatchObject({ nextLink: "links.next.href", linkForm: "path", lastCursor });
  });
});

describe("paths of lists", () => {
  it("identifiers in them become parameters, and are never written", () => {
    const [one, two, three, four] = listTargets([
      "/v1/payments",
      "/accounts/{id=42}/payments",
      "/users/DE8937040044/payments",
      "/people/ada@example.com/payments",
    ]);
    expect(one).toMatchObject({ name: "payments", path: "/v1/payments", strangers: {} });
    expect(two).toMatchObject({
      name: "payments-2",
      path: "/accounts/{id}/payments",
      target: "/accounts/42/payments",
      strangers: { id: "/accounts/00/payments" },
    });
    expect(three).toMatchObject({ name: "payments-3", path: "/users/{userId}/payments" });
    expect(four).toMatchObject({ path: "/people/{peopleId}/payments", values: { peopleId: "ada@example.com" } });
  });

  it.each(["payments", "/a//b", "/a?b=1", "/a/{id}/b", "https://host/a", "/v1/płatności", "/v1/a%FF", "/a/../b"])(
    "%s is not the path of a list",
    (path) => {
      expect(() => listTargets([path])).toThrow(/is not a path|parameter|ASCII|dot segment/);
    },
  );
});

it.each([
  [{ uuid: true, hex: false }, "uuid"],
  [{ uuid: true, hex: true }, "[\\w.-]{1,64}"],
  [{ uuid: false, hex: true }, "[0-9A-Fa-f]{32}"],
  [{ uuid: false, hex: false }, undefined],
])("correlation IDs: %j", (accepted, format) => {
  expect(formatOf(accepted)).toBe(format);
});
