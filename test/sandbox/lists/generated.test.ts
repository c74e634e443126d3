import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contradictions } from "../../../src/sandbox/lists/contradictions.js";
import { compileList, type List } from "../../../src/sandbox/lists/list.js";
import { type Page, takePage } from "../../../src/sandbox/lists/page.js";
import {
  completeList,
  defaultLists,
  type FieldGenerator,
  type FieldSettings,
} from "../../../src/sandbox/lists/settings.js";
import { anyText } from "../../support/any-text.js";
import { ask, query, type Row, thisHour, walk } from "./walking.js";

const { fields: defaultFields } = completeList("x", {});
const rowsIn = (page: Page) => JSON.parse(`[${page.json}]`) as Row[];
const lastOf = <T>(values: readonly T[]) => values.at(-1) as T;

/** The values of one generator in 500 rows. */
function values(generator: FieldGenerator, path = "/v1/x/{p}", parameter = "one"): unknown[] {
  const list = compileList("x", { path, fields: { value: generator }, dateField: null, pageSize: { maximum: 500 } });
  const page = takePage(list, query(list, { pageSize: "500" }, { pathParameters: { p: parameter } }));
  return (JSON.parse(`[${page.json}]`) as { value: unknown }[]).map(({ value }) => value);
}

/** The values of one generator in a list of 500 rows. */
function distinctRows(value: FieldGenerator, path = "/x"): unknown[] {
  const list = compileList("x", { path, fields: { value }, dateField: null, count: 500, pageSize: { maximum: 500 } });
  const rows = walk(list, { pageSize: "500" }, { pathParameters: { x: "one" } }).flat();
  return rows.map((row) => (row as unknown as { readonly value: unknown }).value);
}

describe("the default lists", () => {
  it("payments: 10,000 rows, one every 15 minutes, newest first, up to the hour", { tags: "slow" }, () => {
    const rows = walk(compileList("payments", defaultLists.payments), { pageSize: "100" }).flat();
    expect(rows).toHaveLength(10_000);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(10_000);
    rows.forEach((row, index) => {
      expect(row).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        status: expect.stringMatching(/^(COMPLETED|PENDING|PROCESSING|FAILED|CANCELLED)$/),
        amount: {
          value: expect.stringMatching(/^[1-9]\d{0,4}\.\d\d$/),
          currency: expect.stringMatching(/^(EUR|GBP|USD)$/),
        },
        reference: `Invoice ${10_000 - index}`,
        createdAt: new Date(thisHour - index * 900_000).toISOString(),
      });
    });
  });

  it("payouts: 25 rows, one a day", () => {
    const rows = walk(compileList("payouts", defaultLists.payouts), {}).flat();
    expect(rows).toHaveLength(25);
    expect(rows[24]).toMatchObject({ reference: "Payout 1", createdAt: "2026-10-28T06:00:00.000Z" });
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["PAID", "SCHEDULED", "FAILED"]));
  });

  it("have the same rows on every machine and in every version", () => {
    const { body } = ask(compileList("payments", { anchor: "2026-01-01T00:00:00Z" }), { pageSize: "1" });
    expect(JSON.parse(body).items).toMatchInlineSnapshot(`
      [
        {
          "amount": {
            "currency": "USD",
            "value": "10776.56",
          },
          "createdAt": "2026-01-01T00:00:00.000Z",
          "id": "b5a9d783-9b00-4b68-af47-5f7a27ead10d",
          "reference": "Invoice 10000",
          "status": "COMPLETED",
        },
      ]
    `);
  });
});

describe("a list of 10^9 rows", () => {
  const list = compileList("payments", { count: 1e9, spacing: 1000 });
  const first = query(list, { pageSize: "100" });

  it.each([0, 1, 99_999_900, 999_999_900])("has the right rows at row %d", (position) => {
    const rows = rowsIn(takePage(list, { ...first, position }));
    expect(rows).toHaveLength(100);
    expect(rows.map(({ reference }) => reference)).toEqual(rows.map((_, row) => `Invoice ${1e9 - position - row}`));
    expect(rows.map(({ createdAt }) => createdAt)).toEqual(
      rows.map((_, row) => new Date(thisHour - (position + row) * 1000).toISOString()),
    );
  });

  it("has a last page", () => {
    const page = takePage(list, { ...first, position: 1e9 - 3 });
    expect([page.count, page.next]).toEqual([3, undefined]);
    expect(lastOf(rowsIn(page)).reference).toBe("Invoice 1");
  });

  it("can be walked in a date range deep in the list, with a filter, both bounds inclusive", () => {
    const parameters = { fromCreatedAt: "2005-05-05T00:00:00Z", toCreatedAt: "2005-05-05T01:00:00Z" };
    const hour = walk(list, { ...parameters, pageSize: "100" }).flat();
    expect(hour).toHaveLength(3601);
    expect([hour[0]?.createdAt, lastOf(hour).createdAt]).toEqual([
      "2005-05-05T01:00:00.000Z",
      "2005-05-05T00:00:00.000Z",
    ]);
    const failed = walk(list, { ...parameters, status: "FAILED", pageSize: "7" }).flat();
    expect(failed).toEqual(hour.filter(({ status }) => status === "FAILED"));
    expect(failed.length).toBeGreaterThan(100);
  });

  it("gives a filter that matches too few rows a shorter page, whose cursor goes on", () => {
    const choice = { type: "choice", values: ["A", "B"], weights: [9999, 1] } as const;
    const fields = { ...defaultFields, status: choice };
    const rare = compileList("payments", { count: 1e9, spacing: 1000, fields });
    const pages = [ask(rare, { status: "B", pageSize: "100" })];
    for (let number = 2; number <= 4; number += 1) {
      const cursor = pages.at(-1)?.cursor as string;
      pages.push(ask(rare, { status: "B", pageSize: "100", cursor }));
    }
    const invoices = pages.flatMap(({ page }) => rowsIn(page).map(({ reference }) => Number(reference.slice(8))));
    // One row in each block of 10,000, and a page looks at 1,000,000 rows at most.
    expect(invoices).toHaveLength(400);
    expect(new Set(invoices.map((number) => Math.ceil(number / 10_000))).size).toBe(400);
    expect(pages.map(({ page }) => page.next)).toEqual([1e6, 2e6, 3e6, 4e6]);
    expect(JSON.parse(ask(rare, { status: "C", pageSize: "100" }).body)).toEqual({ items: [] });
  });

  it("looks at each row of a list with a total at most once for a page", () => {
    const settings = { envelope: { total: "total" }, spacing: 1000 };
    expect(contradictions("payments", { ...settings, count: 1_000_001 })).toEqual([
      { place: ["envelope", "total"], reason: expect.stringContaining("lower the count to 1,000,000") },
    ]);
    const list = compileList("payments", { ...settings, count: 1_000_000 });
    let examined = 0;
    const counting: List = {
      ...list,
      dataset: {
        ...list.dataset,
        view(...walked) {
          const view = list.dataset.view(...walked);
          return {
            ...view,
            having(...filter) {
              const test = view.having(...filter);
              return (
                test &&
                ((ordinal) => {
                  examined += 1;
                  return test(ordinal);
                })
              );
            },
          };
        },
      },
    };
    const asked = query(list, { status: "FAILED", pageSize: "100" });
    const pages = [0, 500_000, 999_000].map((position) => takePage(counting, { ...asked, position }));
    expect(examined).toBe(3_000_000);
    expect(new Set(pages.map(({ total }) => total)).size).toBe(1);
    expect(pages.map(({ count }) => count)).toEqual([100, 100, expect.any(Number)]);
    expect(pages.at(-1)?.next).toBeUndefined();
  });

  it("can have an empty page before the next row", () => {
    const constant = { ...defaultFields, status: { type: "constant", value: "A" } } as const;
    const both = compileList("payments", {
      count: 3e6,
      spacing: 1000,
      fields: { ...constant, flag: { type: "boolean" } },
      filters: { one: "flag", other: "flag" },
    });
    expect(walk(both, { one: "true", other: "false" })).toEqual([[], [], []]);
  });
});

describe("date bounds", () => {
  const list = compileList("payments", { count: 50, spacing: 1, anchor: "2026-01-01T00:00:00.049Z" });
  const between = (from: string, to: string) =>
    walk(list, { fromCreatedAt: `2026-01-01T00:00:00${from}Z`, toCreatedAt: `2026-01-01T00:00:00${to}Z` })
      .flat()
      .map(({ createdAt }) => Number(createdAt.slice(20, 23)));

  it("are inclusive to the millisecond, and exact below it", () => {
    expect(between(".010", ".012")).toEqual([12, 11, 10]);
    expect(between(".010", ".010")).toEqual([10]);
    expect(between(".0101", ".0129")).toEqual([12, 11]);
    expect(between(".0101", ".0109")).toEqual([]);
    expect(between("", ".001")).toEqual([1, 0]);
    expect(between(".048", ".999999999")).toEqual([49, 48]);
  });

  it("are instants, whatever their offset", () => {
    const rows = walk(list, { fromCreatedAt: "2026-01-01T05:30:00.048+05:30" }).flat();
    expect(rows).toHaveLength(2);
  });
});

describe("the anchor", () => {
  it("is the hour of the walk's first request, and is constant for the walk", () => {
    const list = compileList("payments", {});
    const first = ask(list, {});
    const later = { now: thisHour + 3 * 3_600_000 };
    const second = ask(list, { cursor: first.cursor as string }, later);
    expect(rowsIn(second.page)[0]?.createdAt).toBe(new Date(thisHour - 10 * 900_000).toISOString());
    expect(rowsIn(ask(list, {}, later).page)[0]?.createdAt).toBe(new Date(later.now).toISOString());
  });

  it("can be pinned", () => {
    const list = compileList("payments", { anchor: "2020-02-29T12:34:56.789+01:00" });
    expect(rowsIn(ask(list, {}).page)[0]?.createdAt).toBe("2020-02-29T11:34:56.789Z");
  });

  it("is limited so that every row has a date, whatever the clock says", { tags: "slow" }, () => {
    const list = compileList("payments", {});
    for (const now of [-1e15, -8.64e15, 1e15, 8.64e15]) {
      const rows = walk(list, { pageSize: "100" }, { now }).flat();
      expect(
        rows.every(({ createdAt }) => /^\d{4}-/.test(createdAt) && Date.parse(createdAt) > -62_135_596_800_001),
      ).toBe(true);
    }
  });
});

describe("path parameters", () => {
  const fields: FieldSettings = { ...defaultFields, account: { type: "parameter", name: "accountId" } };
  const list = compileList("accounts", { path: "/v1/accounts/{accountId}/payments", fields, count: 300 });
  const of = (accountId: string) => walk(list, { pageSize: "100" }, { pathParameters: { accountId } }).flat();

  it("give each path its own rows, always the same", () => {
    expect(of("a")).toEqual(of("a"));
    const ids = new Set([...of("a"), ...of("b")].map(({ id }) => id));
    expect(ids.size).toBe(600);
    expect(of("a").map(({ status }) => status)).not.toEqual(of("b").map(({ status }) => status));
  });

  it("are available to fields, whatever they contain", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 128 }), (accountId) => {
        const [row] = of(accountId);
        expect(row).toMatchObject({ account: accountId });
      }),
      { numRuns: 20 },
    );
    for (const worst of ["\u0001", "\ud800", "€", '"']) {
      expect(of(worst.repeat(256))[0]).toMatchObject({ account: worst.repeat(256) });
    }
  });

  it("do not change the filters", () => {
    const circumstances = { pathParameters: { accountId: "a" } };
    const pending = walk(list, { status: "PENDING" }, circumstances).flat();
    expect(pending).toEqual(of("a").filter(({ status }) => status === "PENDING"));
    expect(pending).toHaveLength(24);
  });
});

describe("field generators", () => {
  it("the instant of a row is a date-time, a date or a number", () => {
    const of = (as?: "date-time" | "date" | "seconds" | "milliseconds") => ({ type: "createdAt", as }) as const;
    const fields = {
      text: of(),
      full: of("date-time"),
      day: of("date"),
      seconds: of("seconds"),
      ms: of("milliseconds"),
    };
    const anchor = "2026-03-01T00:00:00.999Z";
    const list = compileList("x", { fields, anchor, count: 1, dateField: "seconds" });
    expect(walk(list, { fromCreatedAt: anchor, toCreatedAt: anchor }).flat()).toEqual([
      { text: anchor, full: anchor, day: "2026-03-01", seconds: 1772323200, ms: 1772323200999 },
    ]);
  });

  it("and another text, of its parts in UTC", () => {
    const template = '{day}.{month}."{year}" {{{hour}:{minute}:{second}.{millisecond}}}';
    const list = compileList("x", {
      fields: { at: { type: "createdAt", template } },
      anchor: "2026-03-01T01:02:03.004+01:00",
      count: 1,
      dateField: "at",
    });
    expect(walk(list, {}).flat()).toEqual([{ at: '01.03."2026" {00:02:03.004}' }]);
  });

  it("id: prefix and base32, without repetition", () => {
    for (const length of [8, 16, 64]) {
      const ids = values({ type: "id", prefix: 'p"_', length }) as string[];
      expect(new Set(ids).size).toBe(500);
      expect(ids.every((id) => new RegExp(`^p"_[0-9A-HJKMNP-TV-Z]{${length}}$`).test(id))).toBe(true);
    }
  });

  it("id and uuid: no repetition in a long list", () => {
    const list = compileList("x", {
      fields: { id: { type: "id", length: 8 } },
      dateField: null,
      count: 1e9,
      spacing: 1,
    });
    const ids = new Set<string>();
    const asked = query(list, { pageSize: "100" });
    for (let page = 0; page < 1000; page += 1) {
      for (const { id } of rowsIn(takePage(list, { ...asked, position: page * 1_000_000 }))) ids.add(id);
    }
    expect(ids.size).toBe(100_000);
  });

  it.each([
    [0, 0],
    [-3, 3],
    [1, 1_000_000_000_000],
    [Number.MIN_SAFE_INTEGER, -1],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])("integer from %d to %d", (min, max) => {
    const found = values({ type: "integer", min, max }) as number[];
    expect(found.every((value) => Number.isSafeInteger(value) && value >= min && value <= max)).toBe(true);
    expect(new Set(found).size).toBeGreaterThanOrEqual(Math.min(500, max - min + 1) * 0.9);
  });

  it.each([
    [0, 1, 2],
    [-0.05, 0.05, 2],
    [-1000, -999.5, 3],
    [5, 5, 9],
    [0, 3, 0],
    [0.1, 99_999_999_999, 4],
  ])("decimal from %d to %d with %d decimals", (min, max, decimals) => {
    const found = values({ type: "decimal", min, max, decimals }) as string[];
    const shape = decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?(0|[1-9]\\d*)\\.\\d{${decimals}}$`);
    expect(found.filter((value) => !shape.test(value) || Number(value) < min || Number(value) > max)).toEqual([]);
    const numbers = values({ type: "decimal", min, max, decimals, as: "number" });
    expect(numbers).toEqual(found.map(Number));
  });

  it.each([
    [0, 499],
    [-3, 496],
    [1, 600],
    [1, 2 ** 40],
    [0, Number.MAX_SAFE_INTEGER - 1],
  ])("distinct integers from %d to %d differ", (min, max) => {
    const found = distinctRows({ type: "integer", min, max, distinct: true }) as number[];
    expect(found.every((value) => Number.isSafeInteger(value) && value >= min && value <= max)).toBe(true);
    expect(new Set(found).size).toBe(500);
    // The newest row has the highest number, as in a database.
    expect(found).toEqual(found.toSorted((a, b) => b - a));
  });

  it.each([
    [{ type: "integer", min: 1, max: 7, distinct: true }, 7],
    [{ type: "text", template: "x{ab:3}" }, 8],
  ] as const)("with too few values, all of them occur: %j", (generator, count) => {
    expect(new Set(distinctRows(generator)).size).toBe(count);
  });

  it.each([
    ["CA{0-9a-f:32}", /^CA[0-9a-f]{32}$/],
    ["{A-Z:2}-{0-9:3}/{x}", /^[A-Z]{2}-\d{3}\/one$/],
    ["{{{0-9-:6}}}", /^\{[\d-]{6}\}$/],
    ['{"\\é😀:9}', /^["\\é😀]{9}$/u],
    ["{ab:9}{number}", /^[ab]{9}\d+$/],
  ])("text with characters: %s", (template, form) => {
    const found = distinctRows({ type: "text", template }, "/{x}") as string[];
    expect(found.filter((value) => !form.test(value))).toEqual([]);
    expect(new Set(found).size).toBe(500);
    expect(distinctRows({ type: "text", template }, "/{x}")).toEqual(found);
  });

  it("choice and boolean: scalars of any kind, by weight", () => {
    const kinds = values({ type: "choice", values: ["a", 1, true, null], weights: [2, 1, 1, 1] });
    expect(kinds.filter((value) => value === "a")).toHaveLength(200);
    expect(new Set(kinds)).toEqual(new Set(["a", 1, true, null]));
    expect(values({ type: "boolean" }).filter(Boolean)).toHaveLength(250);
  });

  it("constant: any JSON", () => {
    expect(values({ type: "constant", value: { a: ["ü", null] } })[0]).toEqual({ a: ["ü", null] });
  });

  it("text: numbers, parameters and braces", () => {
    const found = values({ type: "text", template: '{p} "№{number}" {{{number}}}\n' }, "/{p}", "ä\\");
    expect(found[0]).toBe('ä\\ "№10000" {10000}\n');
  });

  it("nullable: null on about a quarter of the rows, and otherwise as without it", () => {
    const of: FieldGenerator = { type: "object", fields: { a: { type: "integer", min: 1, max: 9 } } };
    const [made, plain] = [values({ type: "nullable", of }), values(of)];
    const nulls = made.filter((value) => value === null).length;
    expect(nulls).toBeGreaterThan(85);
    expect(nulls).toBeLessThan(165);
    expect(made.filter((value) => value !== null)).toEqual(plain.filter((_, index) => made[index] !== null));
  });

  it("object: nested, empty, and with names of any kind", () => {
    const fields: FieldSettings = { 'a"b': { type: "object", fields: {} }, __proto__x: { type: "createdAt" } };
    expect(values({ type: "object", fields })[0]).toEqual({ 'a"b': {}, __proto__x: "2026-11-21T06:00:00.000Z" });
  });

  it("depend on the seed and on the field's name", () => {
    const ids = (seed: string, name: string) => {
      const list = compileList("x", { seed, fields: { [name]: { type: "uuid" } }, dateField: null });
      return JSON.stringify(Object.values(rowsIn(takePage(list, query(list, {})))[0] ?? {}));
    };
    expect(new Set([ids("1", "a"), ids("2", "a"), ids("1", "b")]).size).toBe(3);
    expect(ids("1", "a")).toBe(ids("1", "a"));
  });
});
