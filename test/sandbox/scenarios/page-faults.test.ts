import { describe, expect, it } from "vitest";
import { reservedPrefix } from "../../../src/sandbox/lists/cursor.js";
import { defaultLists } from "../../../src/sandbox/lists/settings.js";
import { choose, createScenarioHarness, faultOf } from "./through-the-api.js";

describe("page", () => {
  interface Walk {
    readonly pages: readonly (readonly string[])[];
    readonly faults: readonly (string | null)[];
  }

  /** Walks a list to its end: the IDs of each page. */
  async function walk(rules: string, list = "/v1/payouts?pageSize=5", maximum = 12): Promise<Walk> {
    const harness = await createScenarioHarness({ it: rules });
    const pages: string[][] = [];
    const faults: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const target = cursor === undefined ? list : `${list}&cursor=${cursor}`;
      const answer = await harness.get(target, { headers: choose("it") });
      expect(answer.status).toBe(200);
      pages.push(answer.json.items.map(({ id }: { id: string }) => id));
      faults.push(faultOf(answer));
      cursor = answer.json.nextCursor;
    } while (cursor !== undefined && pages.length < maximum);
    return { pages, faults };
  }

  const never = "  - { when: { page: 99 }, then: { page: { empty: true } } }";

  it("without a fault, 25 rows on 5 pages", async () => {
    const { pages, faults } = await walk(never);
    expect(pages.map((page) => page.length)).toEqual([5, 5, 5, 5, 5]);
    expect(new Set(pages.flat()).size).toBe(25);
    expect(faults).toEqual([null, null, null, null, null]);
  });

  it("insert: the last rows of the previous page are repeated", async () => {
    const rows = (await walk(never)).pages.flat();
    const { pages, faults } = await walk("  - { name: in, when: { page: 2 }, then: { page: { insert: 2 } } }");
    expect(pages.flat()).toEqual([...rows.slice(0, 5), ...rows.slice(3)]);
    expect(pages.map((page) => page.length)).toEqual([5, 5, 5, 5, 5, 2]);
    expect(faults.map((fault) => fault?.split(";")[0])).toEqual([
      undefined,
      "it/in#1",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("remove: rows between two pages are missed", async () => {
    const rows = (await walk(never)).pages.flat();
    const { pages } = await walk("  - { when: { page: 3 }, then: { page: { remove: 3 } } }");
    expect(pages.flat()).toEqual([...rows.slice(0, 10), ...rows.slice(13)]);
  });

  it("duplicate: the first rows appear twice, and none is lost", async () => {
    const rows = (await walk(never)).pages.flat();
    const { pages } = await walk("  - { when: { page: 2 }, then: { page: { duplicate: 2 } } }");
    const [a, b, c] = rows.slice(5);
    expect(pages[1]).toEqual([a, a, b, b, c]);
    expect(pages.flat().filter((id, at, all) => all.indexOf(id) === at)).toEqual(rows);
  });

  it("duplicate: has no effect on pages of one row, and says so", async () => {
    const { pages, faults } = await walk("  - then: { page: { duplicate: 1 } }", "/v1/payouts?pageSize=1", 3);
    expect(new Set(pages.flat()).size).toBe(3);
    expect(faults).toEqual([null, null, null]);
  });

  it("empty: no rows and a cursor; the rows are on the next page", async () => {
    const rows = (await walk(never)).pages.flat();
    const { pages } = await walk("  - { when: { page: 2 }, then: { page: { empty: true } } }");
    expect(pages.map((page) => page.length)).toEqual([5, 0, 5, 5, 5, 5]);
    expect(pages.flat()).toEqual(rows);
  });

  it("deadEnd: the last page has a cursor to an empty page, where the walk ends", async () => {
    const rows = (await walk(never)).pages.flat();
    const { pages, faults } = await walk("  - { name: end, then: { page: { deadEnd: true } } }");
    expect(pages.map((page) => page.length)).toEqual([5, 5, 5, 5, 5, 0]);
    expect(pages.flat()).toEqual(rows);
    expect(faults.map((fault) => fault !== null)).toEqual([false, false, false, false, true, false]);
  });

  it("deadEnd: does not count for pages before the last one", async () => {
    const { pages } = await walk("  - { limit: 1, then: { page: { deadEnd: true } } }");
    expect(pages.map((page) => page.length)).toEqual([5, 5, 5, 5, 5, 0]);
  });

  it.each(["insert: 1000", "remove: 1000"])("%s stays within the list", async (change) => {
    const { pages } = await walk(`  - { when: { page: 2 }, then: { page: { ${change} } } }`);
    expect(pages.length).toBeLessThan(10);
  });

  it("does not act on a refused request", async () => {
    const harness = await createScenarioHarness({ it: "  - { limit: 1, then: { page: { empty: true } } }" });
    const refused = await harness.get("/v1/payouts?pageSize=0", { headers: choose("it") });
    expect([refused.status, refused.json.code, faultOf(refused)]).toEqual([400, "INVALID_PAGE_SIZE", null]);
    expect((await harness.get("/v1/payouts", { headers: choose("it") })).json.items).toEqual([]);
  });

  describe("on pages that are an array alone", () => {
    const payouts = { ...defaultLists.payouts, path: "/v1/payouts" };
    const lists = {
      payouts: { ...payouts, envelope: { items: null, cursorHeader: "X-After-Cursor" } },
      linked: { ...payouts, path: "/v1/linked", envelope: { items: null, linkHeader: true } },
    };

    /** The number of rows of each page, and the cursors that led to the pages after the first. */
    async function walkArrays(fault: string, list = "payouts", maximum = 9) {
      const harness = await createScenarioHarness({ it: `  - { when: { page: 2 }, then: { ${fault} } }` }, { lists });
      const sizes: number[] = [];
      const cursors: string[] = [];
      for (let target: string | undefined = `/v1/${list}?pageSize=5`; target && sizes.length < maximum; ) {
        const { json, headers } = await harness.get(target, { headers: choose("it") });
        sizes.push(json.length);
        const link = /^<https:\/\/localhost([^>]+)>; rel="next"$/.exec(headers.get("Link") ?? "")?.[1];
        const cursor =
          link === undefined
            ? headers.get("X-After-Cursor")
            : new URL(link, "https://localhost").searchParams.get("cursor");
        if (cursor !== null) cursors.push(cursor);
        target = link ?? (cursor === null ? undefined : `/v1/${list}?pageSize=5&cursor=${encodeURIComponent(cursor)}`);
      }
      return { sizes, cursors };
    }

    it.each([
      ["page: { empty: true }", [5, 0, 5, 5, 5, 5]],
      ["page: { rows: 1 }", [5, 1, 5, 5, 5, 4]],
      ["page: { duplicate: 1 }", [5, 5, 5, 5, 5, 1]],
      ["page: { insert: 2 }", [5, 5, 5, 5, 5, 2]],
      ["alter: { rows: { new: 1 } }", [5, 5, 5, 5, 5]],
      ["alter: { body: { new: 1 } }", [5, 5, 5, 5, 5]],
      ["alter: { headers: { Link: null, X-After-Cursor: null } }", [5, 5]],
    ])("%s", async (fault, sizes) => {
      for (const list of ["payouts", "linked"]) expect((await walkArrays(fault, list)).sizes).toEqual(sizes);
    });

    it.each(["payouts", "linked"])(
      "cursors of %s lead back, on from the server, or have reserved characters",
      async (list) => {
        const circle = await walkArrays("page: { cursor: same }", list);
        expect([circle.sizes.length, new Set(circle.cursors).size]).toEqual([9, 1]);
        const reserved = await walkArrays("page: { cursor: reserved }", list);
        expect(reserved.sizes).toEqual([5, 5, 5, 5, 5]);
        expect(reserved.cursors[1]).toContain(reservedPrefix);
      },
    );

    it("alter reaches each row, and no patch of members takes the place of the page", async () => {
      const rule =
        "  - then: { alter: { body: { apiRevision: x }, rows: { category: new, amount: { currency: null } }, setNull: [reference] } }";
      const harness = await createScenarioHarness({ it: rule }, { lists });
      const { json } = await harness.get("/v1/payouts?pageSize=3", { headers: choose("it") });
      expect(json).toHaveLength(3);
      for (const row of json) {
        expect(row).toMatchObject({ category: "new", reference: null });
        expect(Object.keys(row.amount)).toEqual(["value"]);
      }
    });
  });

  it("finds its page only by a cursor of the sandbox", async () => {
    const harness = await createScenarioHarness({ it: "  - { when: { page: 2 }, then: { error: NOT_FOUND } }" });
    const headers = choose("it");
    const { nextCursor } = (await harness.get("/v1/payouts", { headers })).json;
    expect((await harness.get(`/v1/payouts?cursor=${nextCursor}`, { headers })).status).toBe(404);
    expect((await harness.get("/v1/payouts?cursor=AAAA", { headers })).json.code).toBe("INVALID_CURSOR");
  });
});
