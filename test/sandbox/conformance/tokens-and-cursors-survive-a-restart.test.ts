import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError, openSandbox, type RunningSandbox } from "./sandbox.js";

// Tokens and cursors depend on the certificates folder. Of three sandboxes, two share a folder, and the third has its
// own.
const folder = mkdtempSync(join(tmpdir(), "conformance-"));
const certs = join(folder, "certs");
let token: string;
let cursor: string;
let secondPage: string;
let again: RunningSandbox;
let elsewhere: RunningSandbox;

beforeAll(async () => {
  const before = await openSandbox({ certs });
  token = await before.token();
  const first = await before.send("/v1/payments?status=FAILED", { token });
  cursor = first.json.nextCursor;
  secondPage = (await before.send(`/v1/payments?status=FAILED&cursor=${cursor}`, { token })).json.items;
  await before.close();
  [again, elsewhere] = await Promise.all([openSandbox({ certs }), openSandbox()]);
});

afterAll(async () => {
  await Promise.all([again.close(), elsewhere.close()]);
  rmSync(folder, { recursive: true, force: true });
});

describe("after a restart on the same folder", () => {
  it("a token is still valid, for its certificate only", async () => {
    expect((await again.send("/v1/ping", { token })).status).toBe(200);
    expectError(await again.send("/v1/ping", { token, as: "other" }), 401, "UNAUTHORIZED");
  });

  it("a walk continues", async () => {
    const answer = await again.send(`/v1/payments?status=FAILED&cursor=${cursor}`, { token });
    expect(answer.json.items).toEqual(secondPage);
  });

  it("a cursor still contains its filters", async () => {
    expectError(await again.send(`/v1/payments?cursor=${cursor}`, { token }), 400, "CURSOR_FILTERS_CHANGED");
  });

  it("a copy of the folder works as well, so that several sandboxes can be behind one load balancer", async () => {
    const copy = join(folder, "copy");
    cpSync(certs, copy, { recursive: true });
    const other = await openSandbox({ certs: copy });
    expect((await other.send("/v1/ping", { token })).status).toBe(200);
    await other.close();
  });
});

describe("at a sandbox with another folder", () => {
  it("neither the token nor the cursor is valid", async () => {
    expectError(await elsewhere.send("/v1/ping", { token }), 401, "UNAUTHORIZED");
    const own = await elsewhere.token();
    expectError(
      await elsewhere.send(`/v1/payments?status=FAILED&cursor=${cursor}`, { token: own }),
      400,
      "INVALID_CURSOR",
    );
  });
});
