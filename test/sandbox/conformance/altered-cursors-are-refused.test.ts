import { beforeAll, describe, expect, it } from "vitest";
import { expectError, sharedSandbox } from "./sandbox.js";

// §7 INVALID_CURSOR
const clock = { offset: 0, now: () => Date.now() + clock.offset };
const sandbox = sharedSandbox({ clock });
let token: string;
let cursor: string;

beforeAll(async () => {
  token = await sandbox().token();
  // A cursor with another encoding in standard base64.
  do cursor = (await sandbox().send("/v1/payments?status=FAILED", { token })).json.nextCursor;
  while (!/[-_]/.test(cursor));
});

const follow = (text: string, list = "payments") =>
  sandbox().send(`/v1/${list}?status=FAILED&cursor=${encodeURIComponent(text)}`, { token });

it("is valid unchanged, more than once", async () => {
  const [first, again] = await Promise.all([follow(cursor), follow(cursor)]);
  expect(first.status).toBe(200);
  expect(again.text.replace(/"nextCursor".*/, "")).toBe(first.text.replace(/"nextCursor".*/, ""));
});

it("is opaque: base64url, and its content cannot be read", () => {
  expect(cursor).toMatch(/^[\w-]+$/);
  const bytes = Buffer.from(cursor, "base64url").toString("latin1");
  for (const word of ["payments", "demo", "status", "FAILED"]) expect(bytes).not.toContain(word);
});

describe("altered", () => {
  it.each<[string, (text: string) => string]>([
    ["in one character", (text) => text.slice(0, -8) + (text.at(-8) === "A" ? "B" : "A") + text.slice(-7)],
    ["truncated", (text) => text.slice(0, -3)],
    ["without its beginning", (text) => text.slice(1)],
    ["longer by a character", (text) => `${text}A`],
    ["with a space", (text) => `${text} `],
    ["with a line break", (text) => `${text}\n`],
    ["in standard base64", (text) => Buffer.from(text, "base64url").toString("base64")],
    ["nothing of ours", () => "next"],
    ["JSON", () => Buffer.from('{"page":2}').toString("base64url")],
    ["a zero byte", () => "\0"],
    ["very long", () => "A".repeat(9000)],
  ])("%s", async (_name, change) => {
    expectError(await follow(change(cursor)), 400, "INVALID_CURSOR");
  });
});

it.each(["cursor=", "cursor", "cursor=%", "cursor=%ff"])(
  "%s is refused, and does not count as a missing cursor",
  async (query) => {
    expectError(await sandbox().send(`/v1/payments?status=FAILED&${query}`, { token }), 400, "INVALID_CURSOR");
  },
);

it("repeated, even as the same text, is refused", async () => {
  expectError(
    await sandbox().send(`/v1/payments?status=FAILED&cursor=${cursor}&cursor=${cursor}`, { token }),
    400,
    "INVALID_CURSOR",
  );
});

it("of another list is refused", async () => {
  expectError(await follow(cursor, "payouts"), 400, "INVALID_CURSOR");
});

it("of another client is refused", async () => {
  const other = await sandbox().token("other");
  const theirs = (await sandbox().send("/v1/payments?status=FAILED", { token: other, as: "other" })).json.nextCursor;
  expectError(await follow(theirs), 400, "INVALID_CURSOR");
  expectError(
    await sandbox().send(`/v1/payments?status=FAILED&cursor=${cursor}`, { token: other, as: "other" }),
    400,
    "INVALID_CURSOR",
  );
});

it("has one message for every defect inside a cursor", async () => {
  const altered = cursor.slice(0, -8) + (cursor.at(-8) === "A" ? "B" : "A") + cursor.slice(-7);
  const texts = [(await follow(altered)).text, (await follow(cursor, "payouts")).text, (await follow("AAAA")).text];
  expect(new Set(texts).size).toBe(1);
});

it("a day after it was issued is refused", async () => {
  try {
    clock.offset = 24 * 3_600_000 + 60_000;
    token = await sandbox().token();
    expectError(await follow(cursor), 400, "INVALID_CURSOR");
  } finally {
    clock.offset = 0;
    token = await sandbox().token();
  }
  expect((await follow(cursor)).status).toBe(200);
});

it("a later token of the same client continues the walk", async () => {
  expect(
    (await sandbox().send(`/v1/payments?status=FAILED&cursor=${cursor}`, { token: await sandbox().token() })).status,
  ).toBe(200);
});
