import type { Page, Route } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { type ApiClient, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

let sandbox: TestSandbox;
let demo: ApiClient;
let token: string;

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
  token = await demo.token();
  for (let count = 0; count < 12; count++) await demo.ping(token);
  await demo.get("/v1/payments?pageSize=500", token, { "X-Shop": "blue-whale" });
  await demo.get("/v1/payments?pageSize=5", token);
});

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).locator("visible=true").first().boundingBox();
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
};

describeInBrowser("the room of the list", () => {
  it("begins near the top at 1440 pixels, with one line for search, outcomes and tools", async () => {
    const { page } = await openDashboard(sandbox, { viewport: { width: 1440, height: 900 } });
    await page.locator("#list .row").nth(5).waitFor();
    expect((await box(page, "#list .row")).y).toBeLessThan(160);
    expect((await box(page, "#query")).y).toBeCloseTo((await box(page, ".segments")).y, -1);
    expect((await box(page, "#query")).y).toBeCloseTo((await box(page, "#pause")).y, -1);
    const heights = await page
      .locator("#list .row")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
    expect(heights[0]).toBeLessThan(32);
    const path = await box(page, "#list .row .path");
    expect((await box(page, "#list .row .who")).x - path.x).toBeLessThan(1000);
    const row = page.locator("#list .row", { hasText: "pageSize=500" });
    await expect
      .poll(() => row.innerText())
      .toMatch(/GET[\s\S]*400[\s\S]*INVALID_PAGE_SIZE[\s\S]*demo[\s\S]*1\.1[\s\S]*B[\s\S]*ms/);
  });

  it("uses the width at 1920 pixels", async () => {
    const { page } = await openDashboard(sandbox, { viewport: { width: 1920, height: 1000 } });
    const took = await box(page, "#list .row .took");
    expect(took.x + took.width).toBeGreaterThan(1860);
  });

  it.each([1024, 390])("cuts nothing without a hint at %i pixels", async (width) => {
    const { page } = await openDashboard(sandbox, { viewport: { width, height: 800 } });
    await page.locator("#list .row").nth(3).waitFor();
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll("body *")]
        .filter((element) => {
          if (!element.checkVisibility() || element.closest(".sr-only, svg, #list > li:not(.row)")) return false;
          const style = getComputedStyle(element);
          const isCut = element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
          const hasHint =
            style.textOverflow === "ellipsis" || style.maskImage !== "none" || element.localName === "input";
          return isCut && style.overflowX !== "visible" && !hasHint;
        })
        .map(({ localName, className, id }) => `${localName}.${className}#${id}`),
    );
    expect(cut).toEqual([]);
  });

  it.each([1440, 1280, 1024])("has time and client beside the details at %i pixels", async (width) => {
    const { page, openRow } = await openDashboard(sandbox, { viewport: { width, height: 800 } });
    await openRow("pageSize=500");
    const row = page.locator("#list .row[aria-selected=true]");
    for (const cell of [".time", ".who"]) {
      expect(await row.locator(cell).isVisible()).toBe(true);
      expect(await row.locator(cell).evaluate((one) => one.scrollWidth <= one.clientWidth + 1)).toBe(true);
    }
  });

  it("has more than three rows at 200 % of a laptop", async () => {
    const { page } = await openDashboard(sandbox, { viewport: { width: 720, height: 450 } });
    await page.locator("#list .row").nth(5).waitFor();
    const whole = await page
      .locator("#list .row")
      .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
    expect(whole).toBeGreaterThan(3);
  });

  it("grows when the chart is folded, which the browser remembers", async () => {
    const { page } = await openDashboard(sandbox);
    await page.locator("#list .row").nth(3).waitFor();
    expect(await page.locator("#overview").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Chart and refusals" }).click();
    await page.locator("#chart").waitFor();
    await page.reload();
    await page.locator("#chart").waitFor();
    await page.getByRole("button", { name: "Chart and refusals" }).click();
    await page.locator("#chart").waitFor({ state: "detached" });
    await page.reload();
    await page.locator("#list .row").nth(3).waitFor();
    expect(await page.locator("#overview").isVisible()).toBe(false);
  });
});

describeInBrowser("the search", () => {
  it("offers its keys, with an example each, when the empty field has the focus", async () => {
    const { page } = await openDashboard(sandbox);
    for (const way of [() => page.keyboard.press("/"), () => page.locator("#query").click()]) {
      await way();
      const options = page.locator("#query-options");
      await options.getByRole("option", { name: /^status:.*status:4xx/ }).waitFor();
      await options.getByRole("option", { name: /^header:.*header:x-correlation-id=7f3a\*/ }).waitFor();
      await page.keyboard.press("Escape");
      await options.waitFor({ state: "hidden" });
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    }
  });

  it.each(["blue-whale", "must be a whole number", "/v1/payments"])("finds the plain words %s", async (words) => {
    const { page, rows } = await openDashboard(sandbox);
    await page.locator("#query").fill(words);
    await expect.poll(async () => (await rows()).every((row) => row.includes("/v1/payments"))).toBe(true);
    expect((await rows()).length).toBeLessThan(3);
  });

  it("judges a term when typing pauses; then the rows are those of before, and do not move", async () => {
    const { page } = await openDashboard(sandbox);
    const row = page.locator("#list .row").first();
    await row.waitFor();
    const before = await row.boundingBox();
    await page.locator("#query").pressSequentially("op:p");
    // A completion is offered: it can still become a good term.
    await page.waitForTimeout(1300);
    expect(await page.locator("#query").getAttribute("aria-invalid")).toBe("false");
    await page.locator("#query").pressSequentially("ung");
    expect(await page.locator("#query").getAttribute("aria-invalid")).toBe("false");
    await page.locator("#query-problem", { hasText: "give one of token, ping, list" }).waitFor();
    await page.locator("#count", { hasText: "The query has a mistake. Still shown: all requests" }).waitFor();
    await page.locator("#list.old").waitFor();
    expect(await row.boundingBox()).toEqual(before);
    await page.locator("#query").fill("op:ping");
    await page.locator("#count", { hasText: "12 of 15 requests" }).waitFor();
    expect(await page.locator("#list.old").count()).toBe(0);
  });

  it("shows the rows of the query before as such until the answer comes", async () => {
    const { page } = await openDashboard(sandbox);
    await page.locator("#list .row").first().waitFor();
    const held: Route[] = [];
    await page.route(/\/journal\?q=/, (route) => void held.push(route));
    await page.locator("#query").fill("op:list");
    await page.locator("#list.old").waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    for (const route of held) await route.continue();
    await page.unroute(/\/journal\?q=/);
    await page.locator("#count", { hasText: "2 of 15 requests" }).waitFor();
    await page.locator("#list.old").waitFor({ state: "detached" });
  });
});

describeInBrowser("a reset", () => {
  it("is in the heading for all, and on the page of a client for this one", async () => {
    const shop = await sandbox.mint({ clientId: "reset-me" });
    await shop.ping();
    await sandbox.admin.post("/clients/reset-me/clock", { advance: "1h" });
    const { page } = await openDashboard(sandbox, { hash: "#/clients/reset-me" });
    await page.getByRole("button", { name: "Reset this client" }).click();
    const dialog = page.getByRole("dialog", { name: "Reset" });
    await expect.poll(() => dialog.getByLabel("What is reset").inputValue()).toBe("reset-me");
    await dialog.getByRole("button", { name: "Reset", exact: true }).click();
    await page.locator(".toast", { hasText: "reset-me was reset." }).waitFor();
    expect((await sandbox.admin.get("/clients/reset-me/clock")).json.mode).toBe("real");
    expect((await sandbox.admin.get("/requests/count?client=reset-me")).json.count).toBe(0);
    expect((await sandbox.admin.get("/requests/count")).json.count).toBe(15);
    await page.locator("#nav-requests").click();
    await page.getByRole("button", { name: "Reset …" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect((await sandbox.admin.get("/requests/count")).json.count).toBe(15);
    await page.getByRole("button", { name: "Reset …" }).click();
    await dialog.getByRole("button", { name: "Reset", exact: true }).click();
    await page.getByText("Nothing has arrived yet").waitFor();
  });
});
