/** @module-tag night */

import type { Page, Route } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { type ApiClient, eventually, start, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, dragOver, openDashboard } from "./browser.js";

let sandbox: TestSandbox;
let demo: ApiClient;
let token: string;

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
});

beforeEach(async () => {
  token = await demo.token();
  await sandbox.admin.delete("/requests");
});

const refuse = () => demo.get("/v1/payments?pageSize=0", token);

describeInBrowser("the query", () => {
  it("is completed, sent to the journal, and kept in the address with the selection", async () => {
    const { page, rows } = await openDashboard(sandbox);
    const mine = await sandbox.mint();
    await mine.ping();
    await refuse();
    const shown = (count: number) => eventually(async () => (await rows()).length === count || undefined);
    await shown(3);
    const field = page.getByRole("combobox");
    await field.pressSequentially("cl");
    await page.getByRole("option", { name: "client:" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator("#query-options").getByRole("option", { name: mine.clientId }).click();
    await shown(2);
    expect(await field.inputValue()).toBe(`client:${mine.clientId} `);
    await page.locator("#count", { hasText: "2 of 3 requests" }).waitFor();
    await field.pressSequentially("op:pung");
    await page.locator("#query-problem", { hasText: "op: give one of token, ping, list" }).waitFor();
    expect(await page.locator("#query-problem mark").innerText()).toBe("op:pung");
    await field.fill(`client:${mine.clientId} op:ping`);
    await shown(1);
    await page.locator("#list .row").click();
    await page.locator("#why").waitFor();
    const address = page.url();
    expect(decodeURIComponent(new URL(address).hash)).toContain(`q=client:${mine.clientId} op:ping`);
    // A link that was shared.
    const other = await openDashboard(sandbox, { hash: new URL(address).hash });
    await other.page.locator("#why", { hasText: "Ping was answered" }).waitFor();
    expect(await other.rows()).toHaveLength(1);
    await page.reload();
    await page.locator("#why", { hasText: "Ping was answered" }).waitFor();
    await shown(1);
    await page.getByRole("button", { name: /^Refused/ }).click();
    await page.getByText("No request matches").waitFor();
    expect(await page.locator(".segments .success .count").innerText()).toBe("1");
    await page.getByRole("button", { name: "Show all" }).click();
    await shown(3);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("query");
    await page.goBack();
    await page.getByText("No request matches").waitFor();
    await page.goBack();
    await shown(1);
    await page.goForward();
    await page.getByText("No request matches").waitFor();
  });

  it("is kept when a link leads through signing in", async () => {
    const locked = await start({ adminAuth: "token", adminToken: "open sesame" });
    await (await locked.standing("demo")).get("/v1/ping", "none");
    const { page, rows } = await openDashboard(locked, {
      hash: "#/requests/r1?q=status:401",
      asksForToken: true,
      expected: /status of 401/,
    });
    await page.getByLabel("Admin token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("This is not the token.").waitFor();
    await page.getByLabel("Admin token").fill("open sesame");
    await page.keyboard.press("Enter");
    await page.locator("#why").waitFor();
    expect(await page.getByRole("combobox").inputValue()).toBe("status:401");
    expect(await rows()).toHaveLength(1);
  });

  it("follows the chart and the groups", async () => {
    for (let count = 0; count < 3; count++) await refuse();
    await demo.ping(token);
    const { page, rows } = await openDashboard(sandbox, { isChartOpen: true });
    await page.getByRole("link", { name: /INVALID_PAGE_SIZE · GET \/v1\/payments · 3 × · / }).click();
    await eventually(async () => (await rows()).length === 3 || undefined);
    await page.goBack();
    await eventually(async () => (await rows()).length === 4 || undefined);
    await page.getByRole("img", { name: "Requests and failures over time: 4 requests, 3 failures" }).waitFor();
    await dragOver(page, 0, 1);
    await expect.poll(() => page.getByRole("combobox").inputValue()).toMatch(/^from:\S+ to:\S+$/);
    expect(await rows()).toHaveLength(4);
    await page.getByRole("button", { name: "All times" }).click();
    await expect.poll(() => page.getByRole("combobox").inputValue()).toBe("");
    // From right to left.
    await dragOver(page, 0.05, 0);
    await page.getByText("No request matches").waitFor();
  });

  it("has two rows of groups, and the others on demand", async () => {
    const paths = [
      "payments?pageSize=0",
      "payments?cursor=x",
      "payments?fromCreatedAt=x",
      "x",
      "ping?produceError=true",
    ];
    for (const path of paths) await demo.get(`/v1/${path}`, token);
    await demo.get("/v1/ping", "none");
    const { page } = await openDashboard(sandbox, { viewport: { width: 1100, height: 800 }, isChartOpen: true });
    const more = page.getByRole("button", { name: /^\+\d+$/ });
    await more.waitFor();
    const shown = () =>
      page.evaluate(() => {
        const bottom = document.querySelector(".groups")?.getBoundingClientRect().bottom ?? 0;
        return [...document.querySelectorAll(".group")].filter((one) => one.getBoundingClientRect().bottom <= bottom)
          .length;
      });
    expect((await shown()) + Number((await more.innerText()).slice(1))).toBe(6);
    const row = page.locator(".row").first();
    const before = await row.boundingBox();
    await more.click();
    await page.getByRole("button", { name: "Two rows" }).waitFor();
    await page.getByRole("link", { name: /UNAUTHORIZED/ }).click();
    await expect.poll(() => page.getByRole("combobox").inputValue()).toContain("code:UNAUTHORIZED");
    expect((await row.boundingBox())?.y).toBe(before?.y);
  });
});

describeInBrowser("the order of the list", () => {
  it("is part of the query, and stays when requests arrive", async () => {
    await refuse();
    await demo.get("/v1/payments?pageSize=50", token);
    await demo.ping(token);
    const { page, rows } = await openDashboard(sandbox);
    const sort = (column: string) => page.locator("#heads").getByRole("button", { name: column }).click();
    await sort("Size");
    await expect.poll(() => page.getByRole("combobox").inputValue()).toBe("sort:size");
    await expect.poll(async () => (await rows())[0]).toContain("pageSize=50");
    await demo.ping(token);
    await page.getByRole("button", { name: "1 new" }).click();
    await expect.poll(async () => (await rows()).length).toBe(4);
    expect((await rows())[0]).toContain("pageSize=50");
    // A second click turns it round.
    await sort("Size");
    await expect.poll(() => page.getByRole("combobox").inputValue()).toBe("-sort:size");
    await expect.poll(async () => (await rows()).at(-1)).toContain("pageSize=50");
    await page
      .locator("#heads")
      .getByRole("button", { name: /^Size.*smallest first/, pressed: true })
      .waitFor();
    await sort("Path");
    await expect.poll(async () => (await rows())[0]).toContain("/v1/payments");
    await sort("Time");
    await expect.poll(() => page.getByRole("combobox").inputValue()).toBe("");
    await expect.poll(async () => (await rows())[0]).toContain("/v1/ping");
  });
});

describeInBrowser("the chart", () => {
  it("covers what the list shows", async () => {
    let now = Date.now();
    const today = new Date(now).toISOString().slice(0, 10);
    const own = await start({}, { machineClock: { now: () => now } });
    const client = await own.mint();
    await client.ping();
    now += 26 * 3_600_000;
    await client.ping();
    now += 3_600_000;
    const { page, rows } = await openDashboard(own, { isChartOpen: true });
    await page.locator(".chart-axis", { hasText: today }).waitFor();
    await expect
      .poll(() => page.locator("#chart").getAttribute("aria-label"))
      .toContain(`${(await rows()).length} requests`);
  });
});

describeInBrowser("the list", () => {
  it("does not move while the pointer is on a row, and says what waits", async () => {
    const { page, rows, openRow } = await openDashboard(sandbox);
    await refuse();
    await page.locator(".row", { hasText: "INVALID_PAGE_SIZE" }).hover();
    await demo.ping(token);
    await page.getByRole("button", { name: "1 new", exact: true }).waitFor();
    await openRow("INVALID_PAGE_SIZE");
    await page.getByRole("combobox").hover();
    await refuse();
    const pill = page.getByRole("button", { name: "2 new, 1 refused" });
    await pill.waitFor();
    expect(await rows()).toHaveLength(1);
    await pill.click();
    await eventually(async () => (await rows()).length === 3 || undefined);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("list");
    expect(await page.locator("#list [aria-selected=true]").innerText()).toContain("INVALID_PAGE_SIZE");
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").hover();
    await demo.ping(token);
    await eventually(async () => (await rows()).length === 4 || undefined);
  });

  it.each([1280, 390])(
    "does not move when something above it appears or grows, at %i pixels",
    { tags: "night" },
    async (width) => {
      await demo.ping(token);
      const viewport = { width, height: 800 };
      const { page } = await openDashboard(sandbox, { viewport, isChartOpen: true });
      const row = page.locator(".row", { hasText: "/v1/ping" });
      const held: Route[] = [];
      let isHeld = true;
      await page.route(/\/journal\/overview/, (route) => (isHeld ? void held.push(route) : route.continue()));
      await page.reload();
      await row.hover();
      expect(await page.getByText("at most").count()).toBe(0);
      const first = await row.boundingBox();
      isHeld = false;
      // Those of the page before it was reloaded have ended.
      await Promise.allSettled(held.map((route) => route.continue()));
      await page.getByText("at most").waitFor();
      expect((await row.boundingBox())?.y).toBe(first?.y);
      for (const path of [
        "payments?pageSize=0",
        "payments?cursor=x",
        "payments?fromCreatedAt=x",
        "x",
        "PING",
        "payments",
      ])
        await demo.get(`/v1/${path}`, token);
      await demo.get("/v1/ping", "none");
      for (let count = 0; count < 100; count++) await demo.ping(token);
      await page.locator(".group").nth(4).waitFor({ state: "attached" });
      await page.getByRole("button", { name: "107 new, 6 refused" }).waitFor();
      expect((await row.boundingBox())?.y).toBe(first?.y);
    },
  );

  it("is shown again with its query when the details are closed on a small screen", async () => {
    await refuse();
    await demo.ping(token);
    const viewport = { width: 390, height: 800 };
    const { page, rows } = await openDashboard(sandbox, { viewport, hash: "#/requests?q=code:INVALID_PAGE_SIZE" });
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.locator("#list").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator("#why").waitFor();
    expect(await focused()).toBe("detail");
    await page.keyboard.press("Escape");
    await page.locator(".row").click();
    await page.locator("#why").waitFor();
    await page.locator(".back").click();
    await page.locator("#list").waitFor();
    expect(await page.getByRole("combobox").inputValue()).toBe("code:INVALID_PAGE_SIZE");
    expect(await rows()).toHaveLength(1);
    await expect.poll(focused).toBe("list");
  });

  it("has a stream in each tab that is visible: six hidden ones leave the connections to others", async () => {
    const { page } = await openDashboard(sandbox);
    const open = async (hash: string): Promise<Page> => {
      const tab = await page.context().newPage();
      await tab.goto(`${sandbox.sandbox.adminUrl}/${hash}`);
      await tab.locator(".connection.live").waitFor();
      return tab;
    };
    const turn = (tab: Page, isHidden: boolean) =>
      tab.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await turn(page, true);
    for (let count = 0; count < 5; count++) await turn(await open("#/requests"), true);
    const [first, second] = [await open("#/requests"), await open("#/requests")];
    const narrowed = await open("#/requests?q=outcome:refused");
    await demo.ping(token);
    await refuse();
    for (const tab of [first, second]) await tab.locator(".row").nth(1).waitFor();
    await narrowed.locator(".row", { hasText: "INVALID_PAGE_SIZE" }).waitFor();
    expect(await narrowed.locator(".row").count()).toBe(1);
    // A tab catches up when it is visible again.
    expect(await page.locator(".row").count()).toBe(0);
    await turn(page, false);
    await page.locator(".row").nth(1).waitFor();

    // Clearing hides entries in this browser, and they can be shown again.
    await first.getByRole("button", { name: "Clear" }).click();
    await first.getByText("Nothing has arrived since you cleared the list").waitFor();
    await second.getByText("Nothing has arrived since you cleared the list").waitFor();
    expect((await sandbox.admin.get("/requests/count")).json.count).toBe(2);
    await first.getByRole("button", { name: "Show again" }).click();
    await first.locator(".row").nth(1).waitFor();

    // Emptying the journal asks for confirmation, and the other tabs are notified.
    await first.getByRole("button", { name: "Clear" }).click();
    await first.getByRole("button", { name: "Empty for everybody" }).click();
    await first.getByRole("button", { name: "Keep it" }).click();
    expect((await sandbox.admin.get("/requests/count")).json.count).toBe(2);
    await first.getByRole("button", { name: "Empty for everybody" }).click();
    await first.getByRole("button", { name: "Empty the journal" }).click();
    await second.locator(".toast", { hasText: "The journal was emptied." }).waitFor();
    expect((await sandbox.admin.get("/requests/count")).json.count).toBe(0);
    expect(await first.evaluate(() => document.activeElement?.localName)).not.toBe("body");
  });
});
