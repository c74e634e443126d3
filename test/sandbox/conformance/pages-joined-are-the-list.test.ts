import { beforeAll, describe, expect, it } from "vitest";
import { sharedSandbox } from "./sandbox.js";

// §7 and §8: a page size, a cursor, and creation-date filters. The form of a page is an assumption.
const sandbox = sharedSandbox();
let token: string;
beforeAll(async () => {
  token = await sandbox().token();
});

interface Row {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string;
}

async function walk(path: string, query = "", sizes: readonly number[] = [100]): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
    const size = sizes[page % sizes.length];
    const next = cursor === undefined ? "" : `&cursor=${cursor}`;
    // Of hundreds of pages, it is enough that some are compared with the OpenAPI document.
    const { status, json } = await sandbox().unchecked(`${path}?pageSize=${size}${query}${next}`, { token });
    expect(status).toBe(200);
    if (json.nextCursor !== undefined) expect(json.items).toHaveLength(size ?? 0);
    rows.push(...json.items);
    cursor = json.nextCursor;
  }
  return rows;
}

it("payments has 10,000 rows, payouts 25, each once, newest first", async () => {
  for (const [path, count] of [
    ["/v1/payments", 10_000],
    ["/v1/payouts", 25],
  ] as const) {
    const rows = await walk(path);
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
    const instants = rows.map(({ createdAt }) => createdAt);
    expect(instants).toEqual([...instants].sort().reverse());
  }
});

it("the items have the documented shape", async () => {
  for (const path of ["/v1/payments", "/v1/payouts"]) {
    const { json, headers } = await sandbox().send(path, { token });
    expect(headers["sandbox-assumed"]).toBe("list.endpoints, list.envelope");
    expect(Object.keys(json)).toEqual(["items", "nextCursor"]);
    for (const item of json.items) {
      expect(item).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: expect.stringMatching(/^[A-Z]+$/),
        amount: { value: expect.stringMatching(/^\d+\.\d\d$/), currency: expect.stringMatching(/^[A-Z]{3}$/) },
        reference: expect.stringMatching(/^\w+ \d+$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    }
  }
});

describe("at page sizes that change", () => {
  it("the joined pages are the list", async () => {
    const whole = await walk("/v1/payouts");
    expect(await walk("/v1/payouts", "", [1, 7, 2, 100])).toEqual(whole);
  });

  it("with a filter they are its part of the list, in the same order", async () => {
    const whole = await walk("/v1/payouts");
    for (const status of ["PAID", "SCHEDULED", "FAILED"]) {
      const part = whole.filter((row) => row.status === status);
      expect(part.length).toBeGreaterThan(0);
      expect(await walk("/v1/payouts", `&status=${status}`, [2, 5])).toEqual(part);
    }
  });

  it("with dates they are its part of the list, bounds included", async () => {
    const whole = await walk("/v1/payouts");
    const [from, to] = [whole[20]?.createdAt ?? "", whole[3]?.createdAt ?? ""];
    expect(await walk("/v1/payouts", `&fromCreatedAt=${from}&toCreatedAt=${to}`, [4])).toEqual(whole.slice(3, 21));
  });
});

it("the last page has no cursor, even when it is full", async () => {
  const { json } = await sandbox().send("/v1/payouts?pageSize=25", { token });
  expect(Object.keys(json)).toEqual(["items"]);
});

it("two clients see the same rows", async () => {
  const other = await sandbox().token("other");
  const [mine, theirs] = await Promise.all([
    sandbox().send("/v1/payouts?pageSize=25", { token }),
    sandbox().send("/v1/payouts?pageSize=25", { token: other, as: "other" }),
  ]);
  expect(theirs.json.items).toEqual(mine.json.items);
});
