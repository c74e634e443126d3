import { expect, it } from "vitest";
import { maximumCursorLength } from "../../../src/sandbox/lists/cursor.js";
import { expectError, sharedSandbox } from "./sandbox.js";

// The OpenAPI document describes the form of a cursor: every issued cursor matches it, and an impossible cursor does
// not.
const sandbox = sharedSandbox();

async function schema() {
  const document = (await (await fetch(`${sandbox().adminUrl}/openapi.json`)).json()) as {
    paths: Record<
      string,
      { get: { parameters: { name?: string; schema: { pattern: string; minLength: number; maxLength: number } }[] } }
    >;
  };
  const found = document.paths["/v1/payments"]?.get.parameters.find(({ name }) => name === "cursor")?.schema;
  if (!found) throw new Error("The document has no cursor.");
  return (text: string) =>
    new RegExp(found.pattern, "u").test(text) && text.length >= found.minLength && text.length <= found.maxLength;
}

it("issued cursors match, and are accepted", async () => {
  const fits = await schema();
  const token = await sandbox().token();
  const { json } = await sandbox().send(`/v1/payments?status=${"x".repeat(200)}&pageSize=1`, { token });
  expect(json.nextCursor).toBeUndefined();
  for (const query of ["pageSize=1", "pageSize=1&status=COMPLETED&fromCreatedAt=2020-01-01T00:00:00Z"]) {
    const page = (await sandbox().send(`/v1/payments?${query}`, { token })).json;
    expect(fits(page.nextCursor)).toBe(true);
    expect((await sandbox().send(`/v1/payments?${query}&cursor=${page.nextCursor}`, { token })).status).toBe(200);
  }
});

it.each(["", "x", "AfQi.aGIH", "AfQi+aGI/", "=", "ü", "A".repeat(maximumCursorLength + 1)])(
  "texts that cannot be a cursor do not match",
  async (text) => {
    expect((await schema())(text)).toBe(false);
    const answer = await sandbox().send(`/v1/payments?cursor=${encodeURIComponent(text)}`, {
      token: await sandbox().token(),
    });
    expectError(answer, 400, "INVALID_CURSOR");
  },
);

it("the longest that matches reaches the list", async () => {
  const text = "A".repeat(maximumCursorLength);
  expect((await schema())(text)).toBe(true);
  expectError(
    await sandbox().send(`/v1/payments?cursor=${text}`, { token: await sandbox().token() }),
    400,
    "INVALID_CURSOR",
  );
});
