/** @module-tag night */

import type { Page, Route } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { type ApiClient, start, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

let sandbox: TestSandbox;
let demo: ApiClient;
let token: string;

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
});

beforeEach(async () => {
  await sandbox.admin.delete("/requests");
  token = await demo.token();
});

const unreachable = /ERR_|Failed to load resource/;
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.localName);

/** Stops a sandbox, and starts another one at the same address: its requests have the same numbers. */
async function restart(before: TestSandbox, page: Page): Promise<TestSandbox> {
  const adminPort = Number(new URL(before.sandbox.adminUrl).port);
  await before.sandbox.close(0);
  await page.locator(".connection.lost").waitFor();
  const after = await start({ adminPort });
  await page.locator(".connection.live").waitFor();
  return after;
}

describeInBrowser("after a restart of the sandbox", () => {
  it("the details of a request with the same number begin anew", async () => {
    const first = await start();
    await (await first.standing("demo")).get("/v1/ping", "none");
    const { page, openRow } = await openDashboard(first, { expected: unreachable });
    await openRow("UNAUTHORIZED");
    await page.getByRole("button", { name: "Edit and send" }).click();
    await page.getByLabel("Path and query").fill("/v1/old");
    const second = await restart(first, page);
    await (await second.standing("other")).get("/v1/nothing", "none");
    await openRow("NOT_FOUND");
    await page.locator("#detail .line", { hasText: "/v1/nothing" }).waitFor();
    expect(await page.locator("#edit-form").count()).toBe(0);
  });

  it("a draft of a request that had the same number is not restored", async () => {
    const first = await start();
    await (await first.standing("demo")).get("/v1/ping", "none");
    const { page } = await openDashboard(first, {
      hash: "#/scenarios/from/r1",
      answers: [true],
      expected: unreachable,
    });
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    await page.keyboard.type("# mine\n");
    await page.locator(".cm-line", { hasText: "# mine" }).waitFor();
    await page.locator("#nav-requests").click();
    const second = await restart(first, page);
    await (await second.standing("demo")).get("/v1/nothing", "none");
    await page.locator(".row", { hasText: "NOT_FOUND" }).first().click();
    await page.locator("#make-scenario").click();
    await page.locator(".editor-page h2", { hasText: "/v1/nothing" }).waitFor();
    await page.locator(".cm-line").first().waitFor();
    expect(await page.locator("#restored").count()).toBe(0);
  });
});

describeInBrowser("the focus", () => {
  it("goes to the content when a link in the details leads to another page", async () => {
    await demo.get("/v1/payments?pageSize=500", token);
    const { page, openRow } = await openDashboard(sandbox);
    await openRow("INVALID_PAGE_SIZE");
    await page.locator("#detail").getByRole("link", { name: "demo" }).first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".page.clients .main h2").first().waitFor();
    await expect.poll(() => focused(page)).toBe("main");
  });

  it("stays in the trial of a scenario when its buttons change", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios/flaky/edit" });
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    await page.locator("#try-scenario").focus();
    await page.keyboard.press("Enter");
    await page.locator("#trial", { hasText: "Only demo meets this scenario" }).waitFor();
    await expect.poll(() => focused(page)).toBe("end-trial");
    await page.keyboard.press("Enter");
    await page.locator("#end-trial").waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("trial-client");
  });
});

describeInBrowser("what the user has chosen or typed", () => {
  it.each([
    ["scenarios", "scenario-search", "flaky"],
    ["clients", "client-search", "dem"],
  ])("as a filter of the %s is there again after another page", async (name, field, text) => {
    if (name === "clients") for (let count = 0; count < 13; count++) await sandbox.mint();
    const { page } = await openDashboard(sandbox, { hash: `#/${name}` });
    await page.locator(`#${field}`).fill(text);
    await page.locator("#nav-clock").click();
    await page.locator("#big-clock").waitFor();
    await page.locator(`#nav-${name}`).click();
    await page.locator(`#${field}`).waitFor();
    expect(await page.locator(`#${field}`).inputValue()).toBe(text);
  });

  it("in an edited request is there again after another tab", async () => {
    await demo.get("/v1/payments?pageSize=500", token);
    const { page, openRow } = await openDashboard(sandbox);
    await openRow("INVALID_PAGE_SIZE");
    await page.getByRole("button", { name: "Edit and send" }).click();
    await page.getByLabel("Path and query").fill("/v1/mine");
    await page.getByLabel("Token").selectOption("none");
    await page.getByRole("tab", { name: "Answer" }).click();
    await page.locator("#tab-panel[data-tab=answer]", { hasText: "must be a whole number" }).waitFor();
    await page.locator("#edit-form").waitFor({ state: "hidden" });
    await page.getByRole("tab", { name: "Why" }).click();
    expect(await page.getByLabel("Path and query").inputValue()).toBe("/v1/mine");
    expect(await page.getByLabel("Token").inputValue()).toBe("none");
  });
});

describeInBrowser("an answer that is late or missing", () => {
  it("to an edited request does not leave the page to which the user has gone", async () => {
    await demo.get("/v1/payments?pageSize=500", token);
    const { page, openRow } = await openDashboard(sandbox);
    await openRow("INVALID_PAGE_SIZE");
    await page.getByRole("button", { name: "Edit and send" }).click();
    await page.getByLabel("Path and query").fill("/v1/payments?pageSize=5");
    const held: Route[] = [];
    await page.route(/\/repeat$/, (route) => void held.push(route));
    await page.locator("#send-edited").click();
    await expect.poll(() => held.length).toBe(1);
    await page.locator("#nav-clock").click();
    await page.locator("#big-clock").waitFor();
    await held[0]?.continue();
    // The form has the answer.
    await page.locator("#edit-form #sent-again").waitFor({ state: "attached" });
    expect(new URL(page.url()).hash).toBe("#/clock");
  });

  it("to a check of a scenario is not taken for that of the present text", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios/flaky/edit" });
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    const held: Route[] = [];
    let isHeld = true;
    await page.route(/\/scenario\/check$/, (route) => (isHeld ? void held.push(route) : route.continue()));
    await page.keyboard.type("# mine\n");
    await page.locator(".cm-line", { hasText: "# mine" }).waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    expect(await page.locator("#findings").innerText()).toBe("Checking …");
    expect(await page.locator("#save-scenario").isDisabled()).toBe(true);
    isHeld = false;
    for (const route of held) await route.continue();
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    expect(await page.locator("#save-scenario").isDisabled()).toBe(false);
  });
});
