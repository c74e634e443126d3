import { expect, it } from "vitest";
import { expectError, sharedSandbox } from "./sandbox.js";

// As every REST service of Django has them.
const sandbox = sharedSandbox({
  yaml: `
lists:
  slashed: { path: "/api/payments/", count: 45, envelope: { nextLink: next } }
  nested: { path: "/api/accounts/{accountId}/payments/" }
  plain: { path: "/api/transfers" }
  both: { path: "/api/transfers/" }
`,
});

it("is compared literally: with the slash, and not without it or with two", async () => {
  const token = await sandbox().token();
  const statuses = async (...targets: readonly string[]) =>
    Promise.all(targets.map(async (target) => (await sandbox().send(target, { token })).status));
  expect(await statuses("/api/payments/", "/api/payments/?pageSize=1", "/api/accounts/a%2Fb/payments/")).toEqual([
    200, 200, 200,
  ]);
  expect(
    await statuses(
      "/api/payments",
      "/api/payments//",
      "/api//payments/",
      "/api/accounts//payments/",
      "/api/accounts/a/payments",
    ),
  ).toEqual([404, 404, 404, 404, 404]);
  expect(await statuses("/api/transfers", "/api/transfers/")).toEqual([200, 200]);
  expectError(await sandbox().send("/api/payments", { token }), 404, "NOT_FOUND");
});

it("is walked by its links, which keep the slash", async () => {
  const token = await sandbox().token();
  const seen: string[] = [];
  for (let target: string | null = "/api/payments/"; target !== null; ) {
    const { json } = await sandbox().send(target, { token });
    seen.push(target.replace(/=.*/, ""));
    const next: string | null | undefined = json.next;
    target = next ? new URL(next, sandbox().url).pathname + new URL(next, sandbox().url).search : null;
    if (seen.length > 9) break;
  }
  expect(new Set(seen)).toEqual(new Set(["/api/payments/", "/api/payments/?cursor"]));
});
