import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultDates } from "../../../src/sandbox/lists/bound.js";
import { cursorKeys } from "../../../src/sandbox/lists/cursor.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { takePage } from "../../../src/sandbox/lists/page.js";
import type { ParameterValue } from "../../../src/sandbox/lists/problems.js";
import { parseListQuery } from "../../../src/sandbox/lists/query.js";
import { defaultLists } from "../../../src/sandbox/lists/settings.js";
import { anyText } from "../../support/any-text.js";
import { ask, keys, now, parse, problem, query } from "./walking.js";

const payments = compileList("payments", defaultLists.payments);
const payouts = compileList("payouts", defaultLists.payouts);
const accounts = compileList("accounts", { path: "/v1/accounts/{accountId}/payments" });
const codeOf = (parameters: Parameters<typeof problem>[1]) => {
  const { code, detail } = problem(payments, parameters);
  return [code, "reason" in detail ? detail.reason : ""];
};

describe("pageSize (§8)", () => {
  it.each([
    ["0", "out-of-range"],
    ["101", "out-of-range"],
    ["9999999999999999999999", "out-of-range"],
    ["9".repeat(5000), "out-of-range"],
    ["-1", "not-decimal"],
    ["+5", "not-decimal"],
    ["1.5", "not-decimal"],
    ["1e1", "not-decimal"],
    ["0x10", "not-decimal"],
    ["٣", "not-decimal"],
    [" 5", "not-decimal"],
    ["5\n", "not-decimal"],
    ["010", "leading-zero"],
    ["", "empty"],
    [null, "undecodable"],
    [["5", "5"], "repeated"],
    [["", null], "repeated"],
  ] as const)("refuses %j: %s", (pageSize, reason) => {
    expect(codeOf({ pageSize })).toEqual(["INVALID_PAGE_SIZE", reason]);
  });

  it("says what is allowed, and echoes only a short, harmless part", () => {
    const { message } = problem(payments, { pageSize: `<script>"\u0000\ud83d\ude00${"x".repeat(5000)}` });
    expect(message).toBe(
      `Parameter 'pageSize' must be a whole number from 1 to 100, in plain decimal digits, not "<script>\\"\\u0000\\ud83d\\ude00${"x".repeat(28)}"....`,
    );
  });
});

describe("dates", () => {
  const instant = "2026-01-01T00:00:00Z";

  it.each([
    ["", "empty"],
    [null, "undecodable"],
    [[instant, instant], "repeated"],
    ["2026-02-30T00:00:00Z", "no-such-date"],
    ["2026-01-01T00:00:00 01:00", "space-for-plus"],
  ] as const)("refuses %j: %s", (value, reason) => {
    expect(codeOf({ fromCreatedAt: value })).toEqual(["VALIDATION_ERROR", reason]);
    expect(codeOf({ toCreatedAt: value })).toEqual(["VALIDATION_ERROR", reason]);
  });

  it("says so when a '+' arrived as a space", () => {
    expect(problem(payments, { fromCreatedAt: "2026-01-01T00:00:00 01:00" }).message).toBe(
      "Parameter 'fromCreatedAt' is invalid: \"2026-01-01T00:00:00 01:00\" is not a date-time: " +
        "it has a space where the offset's '+' belongs; in a URL a '+' is written %2B.",
    );
  });

  it.each([
    ["date-time", "2026-02-30", "is not a date-time: it has no time; "],
    ["date-time", "2026-02-30T00:00:00Z", "is not a date-time: there is no such date in the calendar."],
    ["date", "2026-02-30", "is not a date: there is no such date in the calendar."],
    ["date", "2026-02-01T00:00:00Z", "is not a date: a date such as 2026-01-31 is needed."],
    ["both", "2026-02-30", "is not a date: there is no such date in the calendar."],
    ["both", "2026-02-30T00:00:00Z", "is not a date-time: there is no such date in the calendar."],
    ["both", "2026-02-01T00:00:00", "is not a date-time: it has no offset; "],
    ["both", "yesterday", "is not a date or a date-time: a date such as 2026-01-31 or "],
  ] as const)("with the format %s, the message on %s says what was probably meant", (format, text, message) => {
    const list = compileList("payments", {}, { ...defaultDates, format });
    for (const parameter of ["fromCreatedAt", "toCreatedAt"])
      expect(problem(list, { [parameter]: text }).message).toContain(`"${text}" ${message}`);
  });

  it("are refused in the wrong order (§7, VALIDATION_ERROR)", () => {
    const reversed = { fromCreatedAt: "2026-01-01T00:00:00Z", toCreatedAt: "2026-01-01T00:59:59.999+01:00" };
    expect(problem(payments, reversed)).toEqual({
      code: "VALIDATION_ERROR",
      message: `'fromCreatedAt' (${reversed.fromCreatedAt}) is later than 'toCreatedAt' (${reversed.toCreatedAt}).`,
      detail: { parameter: "fromCreatedAt", reason: "from-after-to", value: reversed.fromCreatedAt },
    });
    expect(parse(payments, { fromCreatedAt: instant, toCreatedAt: "2026-01-01T01:00:00+01:00" }).ok).toBe(true);
    const fine = { fromCreatedAt: "2026-01-01T00:00:00.0002Z", toCreatedAt: "2026-01-01T00:00:00.0005Z" };
    expect(parse(payments, fine).ok).toBe(true);
    expect(parse(payments, { fromCreatedAt: fine.toCreatedAt, toCreatedAt: fine.fromCreatedAt }).ok).toBe(false);
  });
});

describe("a cursor in a request", () => {
  const cursor = ask(payments, { status: "PENDING", fromCreatedAt: "2026-08-01T00:00:00Z" }).cursor as string;
  const same = { status: "PENDING", fromCreatedAt: "2026-08-01T00:00:00Z", cursor };
  const day = 86_400_000;

  it.each([
    ["changed", { status: "FAILED" }, [{ filter: "status", before: "PENDING", after: "FAILED" }]],
    [
      "added",
      { toCreatedAt: "2026-10-01T00:00:00Z" },
      [{ filter: "toCreatedAt", before: undefined, after: "2026-10-01T00:00:00Z" }],
    ],
    [
      "changed only in its text",
      { fromCreatedAt: "2026-08-01T00:00:00.0Z" },
      [{ filter: "fromCreatedAt", before: "2026-08-01T00:00:00Z", after: "2026-08-01T00:00:00.0Z" }],
    ],
  ])("requires the same filters: %s (§7, rule 1)", (_, change, changes) => {
    const found = problem(payments, { ...same, ...change });
    expect(found).toMatchObject({ code: "CURSOR_FILTERS_CHANGED", detail: { changes, page: 2 } });
    expect(found.message).toContain(`'${changes[0]?.filter}'`);
  });

  it.each([
    ["empty", ""],
    ["repeated", [cursor, cursor]],
    ["undecodable", null],
    ["not-canonical", "not a cursor"],
    ["altered", `${cursor}AAAA`],
  ] as const)("is refused when it is %s", (reason, value) => {
    expect(problem(payments, { ...same, cursor: value })).toMatchObject({ code: "INVALID_CURSOR", detail: { reason } });
  });

  it("is refused for another client, list, path or folder of keys", () => {
    expect(problem(payments, same, { clientId: "other" })).toMatchObject({
      code: "INVALID_CURSOR",
      detail: { reason: "other-client", found: "demo", expected: "other" },
    });
    expect(problem(payouts, same)).toMatchObject({ code: "INVALID_CURSOR", detail: { reason: "other-list" } });
    expect(problem(payments, same, { keys: cursorKeys(new Uint8Array(32)) })).toMatchObject({
      code: "INVALID_CURSOR",
      detail: { reason: "wrong-key" },
    });
    const own = ask(accounts, {}, { pathParameters: { accountId: "a" } }).cursor as string;
    expect(parse(accounts, { cursor: own }, { pathParameters: { accountId: "a" } }).ok).toBe(true);
    expect(problem(accounts, { cursor: own }, { pathParameters: { accountId: "b" } })).toMatchObject({
      code: "INVALID_CURSOR",
      detail: { reason: "other-path", found: "a", expected: "b" },
    });
  });

  it("is valid for its lifetime, from one page to the next", () => {
    expect(parse(payments, same, { now: now + day - 1 }).ok).toBe(true);
    expect(problem(payments, same, { now: now + day })).toMatchObject({
      code: "INVALID_CURSOR",
      detail: { reason: "expired", issuedAt: now, now: now + day, lifetime: day },
    });
    const next = ask(payments, same, { now: now + day - 1 }).cursor as string;
    expect(query(payments, { ...same, cursor: next }, { now: now + 2 * day - 2 }).page).toBe(3);
  });

  it("stays valid if the clock is turned back by at most its lifetime", () => {
    expect(parse(payments, same, { now: now - day }).ok).toBe(true);
    expect(problem(payments, same, { now: now - day - 1 })).toMatchObject({
      code: "INVALID_CURSOR",
      detail: { reason: "from-the-future" },
    });
  });

  it("leads to an empty last page when the list has shrunk since", () => {
    const shrunk = compileList("payments", { count: 5 });
    const answer = ask(shrunk, same);
    expect([answer.body, answer.cursor]).toEqual(['{"items":[]}', undefined]);
  });
});

describe("a path parameter", () => {
  it("has a limited length", () => {
    expect(problem(accounts, {}, { pathParameters: { accountId: "x".repeat(257) } })).toMatchObject({
      code: "VALIDATION_ERROR",
      detail: { parameter: "accountId", reason: "too-long" },
    });
  });
});

describe("parseListQuery", () => {
  it("returns a query or a problem for any parameters", () => {
    const genuine = ask(payments, {}).cursor as string;
    const name = fc.oneof(
      fc.constantFrom("pageSize", "cursor", "fromCreatedAt", "toCreatedAt", "status", "__proto__", ""),
      anyText(),
    );
    const value: fc.Arbitrary<ParameterValue> = fc.oneof(
      fc.constantFrom(null, "", "10", "PENDING", "2026-01-01T00:00:00Z", genuine, `${genuine}A`),
      anyText(),
      fc.base64String(),
    );
    const parameters = fc.array(fc.tuple(name, fc.array(value, { maxLength: 3 })), { maxLength: 6 });
    fc.assert(
      fc.property(parameters, fc.string(), fc.maxSafeInteger(), (entries, clientId, instant) => {
        const parsed = parseListQuery(payments, {
          parameters: new Map(entries),
          clientId,
          pathParameters: {},
          now: instant,
          cursorKeys: keys,
        });
        if (parsed.ok) {
          expect(takePage(payments, parsed.query).count).toBeLessThanOrEqual(parsed.query.pageSize);
          return;
        }
        expect(["INVALID_PAGE_SIZE", "VALIDATION_ERROR", "INVALID_CURSOR"]).toContain(parsed.problem.code);
        expect(parsed.problem.message).toMatch(/^[ -~]{1,400}$/);
      }),
      { numRuns: 500 },
    );
  });
});
