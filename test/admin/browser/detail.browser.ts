import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ApiClient, startShared, type TestSandbox } from "../fixture.js";
import { compare, describeInBrowser, goTo, openDashboard } from "./browser.js";

const folder = mkdtempSync(join(tmpdir(), "dashboard-detail-"));

let sandbox: TestSandbox;
let demo: ApiClient;
let token: string;

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
});

afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  await sandbox.admin.delete("/requests");
  token = await demo.token();
});

const operationFails =
  "description: x\nrules:\n  - name: a\n    when: { operation: list }\n    then: { error: SERVICE_UNAVAILABLE }\n";

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
const address = (page: Page) => page.evaluate(() => location.hash.split("?")[0]);

/** The newest exchange with this code. */
async function idOf(code: string): Promise<string> {
  return (await sandbox.admin.get(`/requests?code=${code}&pageSize=1`)).json.items[0].id;
}

describeInBrowser("the details of a request", () => {
  it("are in tabs, which the keys change and the address keeps", async () => {
    await demo.get("/v1/payments?pageSize=5", token);
    await demo.get("/v1/payments?pageSize=500", token);
    const { page, openRow } = await openDashboard(sandbox);
    await openRow("INVALID_PAGE_SIZE");
    await page.getByRole("tab", { name: "Why" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => focused(page)).toBe("tab-request");
    await page.keyboard.press("ArrowRight");
    await page.locator("#tab-panel[data-tab=answer]", { hasText: "must be a whole number" }).waitFor();
    expect(await address(page)).toMatch(/^#\/requests\/r\d+\/answer$/);
    // The tab is kept for another row, after a reload, and in a shared link.
    await page.locator("#list .row", { hasText: /pageSize=5(?!0)/ }).click();
    await page.locator("#tab-panel[data-tab=answer]", { hasText: "nextCursor" }).waitFor();
    await page.reload();
    await page.locator("#tab-panel[data-tab=answer]", { hasText: "nextCursor" }).waitFor();
    expect(await page.getByRole("tab", { name: "Answer" }).getAttribute("aria-selected")).toBe("true");
  });

  it("have the trace of a request that was sent with one", async () => {
    await demo.ping(token);
    const id = "4bf92f3577b34da6a3ce929d0e0e4736";
    await demo.get("/v1/ping", token, { traceparent: `00-${id}-00f067aa0ba902b7-01` });
    const { page } = await openDashboard(sandbox);
    await page.locator("#list .row").first().click();
    await page.locator("#detail dd", { hasText: id }).waitFor();
    await page.locator("#list .row").nth(1).click();
    await page.locator("#detail dt", { hasText: "Trace" }).waitFor({ state: "detached" });
  });

  it("link to everything of a connection, and of a token", async () => {
    await demo.get("/v1/payments?pageSize=500", token);
    await (await sandbox.standing("other")).ping(token);
    const { page, openRow, rows } = await openDashboard(sandbox);
    await openRow("INVALID_PAGE_SIZE");
    await page.getByRole("tab", { name: "Certificate" }).click();
    await page.getByTitle("All requests with this token").click();
    await expect.poll(async () => (await rows()).length).toBe(3);
    await page.goBack();
    await page.getByRole("tab", { name: "Certificate" }).waitFor();
    await page.getByTitle("All requests of this connection").first().click();
    await expect.poll(async () => (await rows()).length).toBe(2);
  });

  it("are compared with the last successful one, and with a row that was marked by key, or chosen with Ctrl", async () => {
    await demo.get("/v1/payments?pageSize=5", token, { "X-Same": "1" });
    await demo.get("/v1/payments?pageSize=500", token, { "X-Same": "1" });
    const { page, openRow } = await openDashboard(sandbox);
    await openRow("INVALID_PAGE_SIZE");
    await page.getByRole("link", { name: "Compare with the last good one" }).click();
    await page.locator(".differences", { hasText: "pageSize" }).first().waitFor();
    const text = await page.locator("#detail").innerText();
    expect(text).toMatch(/pageSize\s+500\s+5/);
    expect(text).not.toContain("X-Same");
    expect(await focused(page)).not.toBe("");
    await page.keyboard.press("Escape");
    await page.locator("#detail").waitFor({ state: "hidden" });
    await page.locator("#list").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator("#send-again").waitFor();
    expect(await page.getByRole("button", { name: /mark/i }).count()).toBe(0);
    await page.keyboard.press("m");
    await page.locator(".toast", { hasText: "is marked. Press m on another one" }).waitFor();
    await page.locator("#list .row.marked").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("m");
    await page.locator(".differences", { hasText: "pageSize" }).first().waitFor();
    await page.keyboard.press("Escape");
    await openRow("INVALID_PAGE_SIZE");
    await page.locator("#list .row", { hasText: "oauth-token" }).click({ modifiers: ["Control"] });
    await page.locator(".differences", { hasText: "POST" }).first().waitFor();
  });

  it("say in a comparison which parameter made the difference, and how many more there are", async () => {
    await demo.get("/v1/payments?pageSize=500&status=COMPLETED", token);
    await demo.get("/v1/payments?pageSize=5&status=FAILED", token);
    const many = Object.fromEntries(Array.from({ length: 62 }, (_, index) => [`X-Many-${index}`, "1"]));
    await demo.get("/v1/payments?status=COMPLETED", token, many);
    const { items } = (await sandbox.admin.get("/requests?operation=list&pageSize=3")).json;
    const [without, good, bad] = items.map(({ id }: { id: string }) => `r${id}`);
    const { page } = await openDashboard(sandbox);
    const compared = async (left: string, right: string) => {
      await compare(page, left, right);
      return page.locator("#detail").innerText();
    };
    const sentence = "pageSize made the difference: 500 was refused with INVALID_PAGE_SIZE, 5 was accepted.";
    expect(await compared(bad, good)).toContain(sentence);
    expect(await compared(good, bad)).toContain(sentence);
    expect(await compared(bad, without)).toContain("without it the request was accepted");
    const many2 = await compared(good, without);
    expect(many2).not.toContain("made the difference");
    expect(many2).toContain("and 2 more");
  });

  it("are sent again, and the page says what was different", async () => {
    await demo.get("/v1/payments?pageSize=500", token);
    const { page, openRow } = await openDashboard(sandbox);
    await openRow("INVALID_PAGE_SIZE");
    const before = await idOf("INVALID_PAGE_SIZE");
    await page.getByRole("button", { name: "Send again" }).click();
    await page.locator(".doing", { hasText: "A fresh token replaced the one" }).waitFor();
    await page.locator("#sent-again").click();
    const after = await idOf("INVALID_PAGE_SIZE");
    await page.locator(`#detail[data-key=r${after}]`).waitFor();
    expect(after).not.toBe(before);
  });

  it("are edited and sent, and the comparison with the original opens by itself", async () => {
    await demo.get("/v1/payments?pageSize=500", token, { "X-Shop": "7" });
    const { page, openRow } = await openDashboard(sandbox, { expected: /status of 4\d\d/ });
    await openRow("INVALID_PAGE_SIZE");
    await page.getByRole("button", { name: "Edit and send" }).click();
    await expect.poll(() => focused(page)).toBe("edit-target");
    await page.getByLabel("Path and query").fill("/v1/payments?pageSize=5");
    await page.getByLabel("Headers").fill("no header");
    await page.keyboard.press("Tab");
    await page.locator("#send-edited").click();
    await page.locator(".toast", { hasText: "such as X-Shop: 7" }).waitFor();
    await page.getByLabel("Headers").fill("Host: localhost\nX-Shop: 8");
    await page.locator("#send-edited").click();
    await page.locator(".differences", { hasText: "pageSize" }).first().waitFor();
    const text = await page.locator("#detail").innerText();
    expect(text).toContain("pageSize made the difference: 500 was refused with INVALID_PAGE_SIZE, 5 was accepted.");
    expect(text).toMatch(/X-Shop\s+7\s+8/i);
    // Only the client has this key.
    const { minted } = await sandbox.mint();
    await sandbox.admin.delete(`/clients/${minted.clientId}`);
    await sandbox.connect({ cert: minted.certificate, key: minted.key }).ping("none");
    const id = await idOf("UNAUTHORIZED");
    await goTo(page, `#/requests/r${id}`);
    await page.locator(`#detail[data-key=r${id}] #edit-request`).click();
    await page.locator("#send-edited").click();
    await page.locator("#edit-form", { hasText: "does not have the key of the certificate" }).waitFor();
  });

  it("that match can be downloaded as files for other tools", async () => {
    await demo.get("/v1/payments?pageSize=500", token);
    await demo.get("/v1/payments?pageSize=5", token);
    const { page } = await openDashboard(sandbox, { hash: "#/requests?q=code:INVALID_PAGE_SIZE" });
    await page.locator(".row", { hasText: "INVALID_PAGE_SIZE" }).waitFor();
    await page.locator(".tools summary").click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "as HAR" }).click(),
    ]);
    // The menu closes, and the focus returns to its button.
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe("summary");
    const menu = page.getByRole("button", { name: "as HAR" });
    await menu.waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await menu.waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await menu.waitFor();
    await page.getByRole("combobox").click();
    await menu.waitFor({ state: "hidden" });
    const { log } = JSON.parse(await readFile(await file.path(), "utf8"));
    expect(log.entries.map(({ response }: { response: { status: number } }) => response.status)).toEqual([400]);
    // Playwright answers a page from the file. It could not be answered from the network, because the page does not
    // trust the API's certificate.
    const replayed = await page.context().newPage();
    const path = join(folder, "journal.har");
    await file.saveAs(path);
    await replayed.routeFromHAR(path, { notFound: "abort" });
    const answer = await replayed.goto(`${sandbox.sandbox.url}/v1/payments?pageSize=500`);
    expect(answer?.status()).toBe(400);
    expect(await answer?.json()).toMatchObject({ code: "INVALID_PAGE_SIZE" });
    const other = replayed.goto(`${sandbox.sandbox.url}/v1/payments?pageSize=5`);
    await expect(other).rejects.toThrow("ERR_FAILED");
  });
});

describeInBrowser("a scenario that is made from a request", () => {
  it("is prefilled, completed, checked by line, tried on one client and saved, with the keyboard only", async () => {
    await demo.get("/v1/payments?pageSize=5", token);
    const { page, openRow } = await openDashboard(sandbox);
    await openRow("pageSize=5");
    await page.locator("#make-scenario").focus();
    await page.keyboard.press("Enter");
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    await expect.poll(() => focused(page)).toBe("editor");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("exp");
    await page.locator(".cm-tooltip-autocomplete", { hasText: "expect" }).waitFor();
    // The list accepts keys only a moment after it has opened, so that nobody chooses an entry before they have seen
    // it.
    await page.waitForTimeout(200);
    await page.keyboard.press("Enter");
    await page.locator(".cm-line", { hasText: "expect: " }).waitFor();
    await page.locator("#findings", { hasText: "problem" }).waitFor();
    await page.locator("#finding-0").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("editor");
    await page.keyboard.type("{ outcome: any }");
    await page.keyboard.press("Control+a");
    // In one piece and without keys, like input from dictation or a character picker.
    await page.keyboard.insertText(operationFails);
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    await page.locator("#try-scenario").focus();
    await page.keyboard.press("Enter");
    await page.locator("#trial", { hasText: "Only demo meets this scenario" }).waitFor();
    expect((await demo.get("/v1/payments", token)).status).toBe(503);
    expect((await (await sandbox.standing("other")).get("/v1/payments")).status).toBe(200);
    await page.locator("#try-request").focus();
    await page.keyboard.press("Enter");
    await page.locator("#trial", { hasText: "trial-demo/a#2" }).waitFor();
    await page.locator("#scenario-name").fill("mine");
    await page.keyboard.press("Enter");
    await page.locator(".title-row", { hasText: "mine" }).waitFor();
    expect((await sandbox.admin.get("/scenarios/mine")).text).toContain("SERVICE_UNAVAILABLE");
    // The trial is over, and nothing is left of it.
    expect((await sandbox.admin.get("/scenarios/trial-demo")).status).toBe(404);
    expect((await sandbox.admin.get("/clients/demo/scenario")).json).toMatchObject({ name: null, source: "none" });
  });

  it.each([
    ["another page of the dashboard", (page: Page) => page.getByRole("link", { name: "Clock", exact: true }).click()],
    ["another site", (page: Page) => page.goto("about:blank")],
  ])("ends its trial when the user goes to %s, and the client has its previous scenario again", async (_, leave) => {
    await sandbox.admin.put("/clients/demo/scenario", { name: "slow" });
    await demo.get("/v1/payments?pageSize=500", token);
    const { page } = await openDashboard(sandbox, { hash: `#/scenarios/from/r${await idOf("INVALID_PAGE_SIZE")}` });
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    await page.locator("#try-scenario").click();
    await page.locator("#trial", { hasText: "Only demo meets this scenario" }).waitFor();
    await leave(page);
    await expect
      .poll(async () => (await sandbox.admin.get("/clients/demo/scenario")).json)
      .toMatchObject({ name: "slow", source: "client" });
    await expect.poll(async () => (await sandbox.admin.get("/scenarios/trial-demo")).status).toBe(404);
    await sandbox.admin.delete("/clients/demo/scenario");
  });
});
