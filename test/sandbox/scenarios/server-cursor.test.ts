import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { curl, hasCurl, scenario } from "./curl-client.js";
import { openScenarioSandbox, sharedSandbox } from "./sandbox.js";

const sandbox = sharedSandbox();
const all = "/v1/payouts?pageSize=5";

/** The body of a page that curl got. */
async function page(...[client, target, ...args]: Parameters<typeof curl>) {
  const { stdout } = await curl(client, target as string, ...args);
  return JSON.parse(stdout);
}

/** The first page, and every page after it, by the cursor of the newest one. */
async function walk(client: Parameters<typeof curl>[0], ...args: readonly string[]) {
  const pages = [await page(client, all, ...args)];
  for (let next = pages[0].nextCursor; next !== undefined && pages.length < 10; next = pages.at(-1).nextCursor)
    pages.push(await page(client, `${all}&cursor=${next}`, ...args));
  return pages;
}

const ids = (pages: readonly { readonly items: readonly { readonly id: string }[] }[]) =>
  pages.flatMap(({ items }) => items.map(({ id }) => id));

describe.skipIf(!hasCurl)("cursor: advances, with curl", () => {
  it("the same cursor again gives the next page, until a page has none", async () => {
    const client = await sandbox().client();
    const rows = ids(await walk(client));
    const pages = await walk(client, ...scenario("cursor-advances"));
    expect(pages.map(({ items }) => items.length)).toEqual([5, 5, 5, 5, 5]);
    expect(ids(pages)).toEqual(rows);
    const cursors = pages.map(({ nextCursor }) => nextCursor);
    expect(new Set(cursors.slice(0, -1)).size).toBe(1);
    expect(cursors.at(-1)).toBeUndefined();
    // The journal has what curl got, and says which page that was.
    const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}&pageSize=5`)) as {
      items: readonly { readonly explanation: string }[];
    };
    const numbers = items.map(({ explanation }) => /Page (\d)/.exec(explanation)?.[1]);
    expect(numbers).toEqual(["5", "4", "3", "2", "1"]);
  });

  it("two walks do not share a position", { tags: "slow" }, async () => {
    const client = await sandbox().client();
    const rows = ids(await walk(client));
    const how = scenario("cursor-advances");
    const [one, other] = [await page(client, all, ...how), await page(client, all, ...how)];
    const next = (from: { readonly nextCursor: string }) => page(client, `${all}&cursor=${from.nextCursor}`, ...how);
    expect(ids([await next(one)])).toEqual(rows.slice(5, 10));
    expect(ids([await next(one)])).toEqual(rows.slice(10, 15));
    expect(ids([await next(other)])).toEqual(rows.slice(5, 10));
  });

  it("a replay gives the same page, and does not move the position", { tags: "slow" }, async () => {
    const client = await sandbox().client();
    const rows = ids(await walk(client));
    const how = scenario("cursor-advances");
    const { nextCursor } = await page(client, all, ...how);
    const next = (...args: readonly string[]) => page(client, `${all}&cursor=${nextCursor}`, ...args);
    await next(...how);
    const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}&pageSize=1`)) as {
      items: readonly { readonly fault: string }[];
    };
    const replay = ["-H", `Sandbox-Replay: ${items[0]?.fault}`];
    const replays = [await next(...replay), await next(...replay)];
    expect(replays.map((replayed) => [ids([replayed]), replayed.nextCursor])).toEqual(
      Array(2).fill([rows.slice(10, 15), nextCursor]),
    );
    expect(ids([await next(...how)])).toEqual(rows.slice(10, 15));
  });

  it("a request that is repeated after a broken answer misses a page", async () => {
    const client = await sandbox().client();
    const rows = ids(await walk(client));
    await sandbox().upload(
      "lost",
      "  - { when: { page: 2 }, limit: 1, then: { page: { cursor: advances }, connection: truncate } }\n" +
        "  - { then: { page: { cursor: advances } } }",
    );
    await client.activate("lost");
    const { nextCursor } = await page(client, all);
    expect((await curl(client, `${all}&cursor=${nextCursor}`)).status).not.toBe(0);
    expect(ids([await page(client, `${all}&cursor=${nextCursor}`)])).toEqual(rows.slice(10, 15));
  });
});

describe.skipIf(!hasCurl)("link: withoutFilters, with curl", () => {
  const linked = "lists: { payouts: { count: 25, envelope: { nextLink: next } } }";
  const filtered = "/v1/payouts?pageSize=2&status=PAID&fromCreatedAt=2001-01-01T00:00:00Z";

  it("the link has neither filters nor dates, and is refused as it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "linked-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const config = join(folder, "sandbox.yaml");
    writeFileSync(config, linked);
    const own = await openScenarioSandbox({ config });
    try {
      const client = await own.client();
      const usual = new URL((await page(client, filtered)).next);
      expect([...usual.searchParams.keys()]).toEqual(["pageSize", "status", "fromCreatedAt", "cursor"]);
      await client.activate("next-link-without-filters");
      const lost = new URL((await page(client, filtered)).next);
      expect([...lost.searchParams.keys()]).toEqual(["pageSize", "cursor"]);
      expect((await page(client, lost.pathname + lost.search)).code).toBe("CURSOR_FILTERS_CHANGED");
      const cursor = lost.searchParams.get("cursor");
      expect((await page(client, `${filtered}&cursor=${cursor}`)).items).toHaveLength(2);
      // The walk that begins again gets a whole link.
      expect(new URL((await page(client, filtered)).next).searchParams.get("status")).toBe("PAID");
    } finally {
      await own.close();
    }
  });

  it("a list without links, or a request without filters, has nothing to lose", async () => {
    const client = await sandbox().client();
    const how = scenario("next-link-without-filters");
    expect((await curl(client, "-D-", all, ...how)).stdout).not.toContain("Sandbox-Fault");
  });
});
