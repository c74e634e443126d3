import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { start, type TestSandbox } from "../fixture.js";
import { describeInBrowser, goTo, openDashboard } from "./browser.js";

const expected = /ERR_|Failed to load resource/;

/** A sandbox with two refused requests. */
async function used(): Promise<TestSandbox> {
  const sandbox = await start();
  const demo = await sandbox.standing("demo");
  await demo.get("/v1/first", "none");
  await demo.get("/v1/second", "none");
  return sandbox;
}

/** Stops it. */
async function stop({ sandbox }: TestSandbox, page: Page): Promise<number> {
  const adminPort = Number(new URL(sandbox.adminUrl).port);
  await sandbox.close(0);
  await page.locator(".connection.lost").waitFor();
  return adminPort;
}

describeInBrowser("while the sandbox cannot be reached", () => {
  it("the details that are read stay, with the time until which they are true, also after a restart", async () => {
    const sandbox = await used();
    const { page, openRow } = await openDashboard(sandbox, { expected });
    await openRow("/v1/first");
    const detail = page.locator("#detail");
    await detail.locator("#why").waitFor();
    const why = await detail.locator("#why").innerText();
    const adminPort = await stop(sandbox, page);
    await detail.locator("#as-of", { hasText: /^As of \d\d:\d\d:\d\d: the sandbox cannot be reached\.$/ }).waitFor();
    expect(await detail.locator("#why").innerText()).toBe(why);
    await page.getByRole("tab", { name: "Request" }).click();
    await detail.locator("#tab-panel", { hasText: "Authorization" }).waitFor();
    await page.getByRole("tab", { name: "Why" }).click();
    const again = await start({ adminPort });
    await (await again.standing("demo")).get("/v1/another", "none");
    await detail
      .locator("#as-of", { hasText: /an earlier run of the sandbox, which ended at \d\d:\d\d:\d\d/ })
      .waitFor();
    expect(await detail.locator("#why").innerText()).toBe(why);
    // It would be another request of the new run.
    expect(await detail.locator("#send-again").count()).toBe(0);
    await page.locator("#list .row", { hasText: "/v1/another" }).waitFor();
    expect(await page.locator("#list").innerText()).not.toContain("/v1/first");
  });

  it("the rows stay, marked, and nothing is live", async () => {
    const sandbox = await used();
    const { page } = await openDashboard(sandbox, { expected });
    await page.locator(".connection.live").waitFor();
    const adminPort = await stop(sandbox, page);
    await page.locator("#count", { hasText: /^Known until \d\d:\d\d:\d\d: \d+ requests$/ }).waitFor();
    expect(await page.locator("#list").innerText()).toContain("/v1/first");
    await page.locator("#list.old").waitFor();
    await start({ adminPort });
    await page.locator("#outage").waitFor({ state: "detached" });
    await page.locator("#count", { hasText: /^0 requests$/ }).waitFor();
    expect(await page.locator("#list.old").count()).toBe(0);
  });

  it("it is not called live, whatever cannot be reached", async () => {
    const sandbox = await used();
    const { page } = await openDashboard(sandbox, { expected });
    await page.locator(".connection.live").waitFor();
    // The stream goes on.
    await page.route(/\/(scenario|clock)$/, (route) => route.abort());
    await page.locator("#outage").waitFor();
    expect(await page.locator(".connection").innerText()).toBe("Disconnected");
  });

  it("a row shows nothing of another request, and the page says so until it is back", async () => {
    const sandbox = await used();
    const { page, openRow } = await openDashboard(sandbox, { expected });
    await openRow("/v1/first");
    const detail = page.locator("#detail");
    const adminPort = await stop(sandbox, page);
    await page.locator("#outage", { hasText: "The sandbox cannot be reached" }).waitFor();
    await page.locator("#list .row", { hasText: "/v1/second" }).click();
    await detail.locator("#why", { hasText: "The sandbox cannot be reached" }).waitFor();
    expect(await detail.innerText()).not.toContain("/v1/first");
    expect(await page.locator("#status").innerText()).not.toContain("TypeError");
    await page.locator("#nav-clients").click();
    await page.locator("#outage", { hasText: "The sandbox cannot be reached" }).waitFor();
    await page.goBack();
    await start({ adminPort });
    await page.locator("#outage").waitFor({ state: "detached" });
    await detail.locator("#why", { hasText: "an earlier run of the sandbox" }).waitFor();
  });

  it("another start does not pass for the earlier one before the list knows of it", async () => {
    const sandbox = await used();
    const { page, openRow } = await openDashboard(sandbox, { expected });
    await openRow("/v1/first");
    const adminPort = await stop(sandbox, page);
    // The list is not read again for a while.
    await page.route(/\/journal\?/, (route) => route.abort());
    const answered = page.waitForResponse(/\/requests\/\d+$/);
    const again = await start({ adminPort });
    await (await again.standing("demo")).get("/v1/another", "none");
    await answered;
    await page.unroute(/\/journal\?/);
    await page.locator("#detail #as-of", { hasText: "an earlier run of the sandbox" }).waitFor();
  });

  it("the details that were asked for come when it answers again", async () => {
    const sandbox = await used();
    const { page, openRow } = await openDashboard(sandbox, { expected });
    await openRow("/v1/first");
    await page.route(/\/requests\/\d+$/, (route) => route.abort());
    await page.locator("#list .row", { hasText: "/v1/second" }).click();
    await page.locator("#detail #why", { hasText: "The sandbox cannot be reached" }).waitFor();
    await page.unroute(/\/requests\/\d+$/);
    await page.getByRole("tab", { name: "Why" }).waitFor();
    await page.locator("#detail .line", { hasText: "/v1/second" }).waitFor();
  });

  it("nothing is said to be missing that was only not read yet", async () => {
    const sandbox = await used();
    const { page } = await openDashboard(sandbox, { expected });
    await page.route(/\/(clients|scenarios|identities|report)(\?|$)/, (route) => route.abort());
    for (const hash of ["#/clients/demo", "#/clients/misfits/expired", "#/scenarios/flaky", "#/report"]) {
      await goTo(page, hash);
      await page.locator("#page", { hasText: "The sandbox cannot be reached" }).waitFor();
      expect(await page.locator("#page").innerText(), hash).not.toMatch(/any more|No scenario matches|Clients 0/);
    }
    await page.unroute(/\/(clients|scenarios|identities|report)(\?|$)/);
    await page.locator("#nav-clients").click();
    await page.locator(".items a", { hasText: "demo" }).first().waitFor();
    await goTo(page, "#/clients/nobody");
    await page.locator(".hint", { hasText: 'There is no "nobody"' }).waitFor();
  });
});

describeInBrowser("while an answer is awaited", () => {
  it("a row shows nothing of another request", async () => {
    const sandbox = await used();
    const { page, openRow } = await openDashboard(sandbox);
    await openRow("/v1/first");
    const held: Route[] = [];
    await page.route(/\/requests\/\d+$/, (route) => void held.push(route));
    await page.locator("#list .row", { hasText: "/v1/second" }).click();
    await expect.poll(() => held.length).toBe(1);
    await expect.poll(() => page.locator("#detail").innerText()).not.toContain("/v1/first");
    await held[0]?.continue();
    await page.locator("#detail .line", { hasText: "/v1/second" }).waitFor();
    await page.getByRole("tab", { name: "Why" }).waitFor();
  });
});

describeInBrowser("the editor of scenarios", () => {
  it("checks the text again after an outage, and says why it cannot until then", async () => {
    const sandbox = await used();
    const { page } = await openDashboard(sandbox, { expected, hash: "#/scenarios/flaky/edit" });
    const findings = page.locator("#findings");
    await findings.filter({ hasText: "It can be used." }).waitFor();
    await page.route(/\/scenario\/check$/, (route) => route.abort());
    await page.keyboard.type("# mine\n");
    await findings.filter({ hasText: "The sandbox cannot be reached" }).waitFor();
    expect(await page.locator("#save-scenario").isDisabled()).toBe(true);
    await page.unroute(/\/scenario\/check$/);
    await findings.filter({ hasText: "It can be used." }).waitFor();
    expect(await page.locator("#save-scenario").isDisabled()).toBe(false);
    expect(await page.locator("#try-scenario").isDisabled()).toBe(false);
  });

  it("opens when it can be loaded, and says why it cannot until then", async () => {
    const sandbox = await used();
    const { page } = await openDashboard(sandbox, { expected });
    await page.route(/\/assets\/(editor\.js|scenario\.schema\.json)$/, (route) => route.abort());
    await goTo(page, "#/scenarios/flaky/edit");
    await page.locator("#page", { hasText: "The sandbox cannot be reached" }).waitFor();
    await page.unroute(/\/assets\/(editor\.js|scenario\.schema\.json)$/);
    await page.locator(".cm-content").waitFor();
  });
});
