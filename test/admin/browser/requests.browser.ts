import { request } from "node:http";
import type { Route } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { openTls } from "../../support/raw-client.js";
import { type ApiClient, eventually, start, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, goTo, openDashboard } from "./browser.js";

let sandbox: TestSandbox;
let demo: ApiClient;
let other: ApiClient;

beforeAll(async () => {
  sandbox = await startShared();
  [demo, other] = await Promise.all([sandbox.standing("demo"), sandbox.standing("other")]);
});

beforeEach(async () => {
  await sandbox.admin.delete("/requests");
});

describeInBrowser("the list of requests", () => {
  it("is there as soon as the sandbox answers; until then the page says why it is not", async () => {
    await demo.ping();
    const { page, rows } = await openDashboard(sandbox, { expected: /ERR_FAILED|status of 503/ });
    const refuse = async (how: (route: Route) => Promise<void>, said: string) => {
      await page.route("**/scenario", how);
      await page.reload();
      await page.getByText(said).waitFor();
      await page.unroute("**/scenario");
      await expect.poll(async () => (await rows())[0]).toContain("/v1/ping");
    };
    await refuse((route) => route.abort(), "The sandbox cannot be reached.");
    const json = { code: "SHARED_STATE_UNAVAILABLE", message: "The shared state is away." };
    await refuse((route) => route.fulfill({ status: 503, json }), json.message);
  });

  it("says how to start while it is empty", async () => {
    const { page } = await openDashboard(sandbox);
    await page.getByText("Nothing has arrived yet").waitFor();
    expect(await page.locator("#empty pre").innerText()).toContain(`${sandbox.sandbox.url}/oauth/v2/oauth-token`);
  });

  it("shows a refused request live, with its reason, certificates and decisions", async () => {
    const { page, openRow } = await openDashboard(sandbox);
    await other.ping(await demo.token());
    await openRow("UNAUTHORIZED");
    const why = await page.locator("#why").innerText();
    expect(await page.locator("#why b").innerText()).toMatch(/^The access token was issued to demo[^.]*\.$/);
    expect(why).toContain("clients/other");
    const decisions = await page.locator(".decisions li").allInnerTexts();
    expect(decisions[0]).toMatch(/refused:\s+access token/);
    expect(decisions[1]).toMatch(/not reached:\s+scope/);
    await page.getByRole("tab", { name: "Certificate" }).click();
    const comparison = page.locator(".comparison");
    await comparison.getByText("This certificate is not registered for demo.").waitFor();
    expect(await comparison.locator("tr.differs").count()).toBe(3);
    await page.getByRole("tab", { name: "Why" }).click();
    await page.locator(".decisions").getByRole("link", { name: "assumption bearer.invalid-token" }).click();
    await page.getByRole("heading", { name: "bearer.invalid-token" }).waitFor();
  });

  it("shows a failed handshake live, and newest first", async () => {
    const { page, rows, openRow } = await openDashboard(sandbox);
    await demo.ping();
    await new Promise<void>((resolve) => {
      request(sandbox.sandbox.url.replace("https:", "http:"), (answer) => answer.resume().on("end", resolve)).end();
    });
    await page.locator(".row", { hasText: "Plain HTTP was sent to the port" }).first().waitFor();
    const statuses = (await rows()).map((row) => /(200|400|TLS)/.exec(row)?.[0]);
    expect(statuses.slice(-2)).toEqual(["200", "200"]);
    await openRow("Plain HTTP was sent to the port");
    expect(await page.locator("#why").innerText()).toContain("https://");
  });

  it("marks a request that its client should not have sent to this server", async () => {
    const marked = await start({ defectPorts: [0, 0, 0] });
    const { page, rows, openRow } = await openDashboard(marked);
    const { minted } = await marked.mint();
    const token = await marked.connect({ cert: minted.certificate, key: minted.key }, minted.clientId).token();
    const client = await openTls({
      port: Number(new URL(marked.sandbox.defectUrls?.wrongHost ?? "").port),
      ca: marked.sandbox.caPem,
      // The host of the certificate, because verification is on.
      servername: "elsewhere.test",
      cert: minted.certificate,
      key: minted.key,
    });
    await client.sendAndClose(
      `GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    await openRow("server certificate wrong-host");
    expect((await rows())[0]).toMatch(/200[\s\S]*The client went on despite a certificate that it should have refused/);
    expect((await rows())[1]).not.toContain("despite");
    expect(await page.locator("#why.bad").innerText()).toContain("security bug of the client");
    await page.getByRole("tab", { name: "Certificate" }).click();
    expect(await page.locator("#detail").innerText()).toMatch(/Server defect\s+wrong-host\s*not refused/);
  });

  it("shows the curl that repeats a request, without its token", async () => {
    const { page, openRow } = await openDashboard(sandbox, { permissions: ["clipboard-read", "clipboard-write"] });
    const token = await demo.token();
    await demo.get("/v1/payments?pageSize=500&status=A%27B", token);
    await openRow("INVALID_PAGE_SIZE");
    await page.getByRole("tab", { name: "Request" }).click();
    const curl = page.locator(".code", { hasText: "curl -i" });
    await curl.getByRole("button", { name: "Copy" }).click();
    await curl.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`'${sandbox.sandbox.url}/v1/payments?pageSize=500&status=A%27B'`.replaceAll("'", ""));
    expect(copied).toContain('-H "Authorization: Bearer $TOKEN"');
    expect(copied).not.toContain(token);
    expect(await page.content()).not.toContain(token);
  });

  it("notices that the sandbox has stopped, and continues when it runs again", async () => {
    const first = await start();
    const { page, rows } = await openDashboard(first, { expected: /ERR_|Failed to load resource/ });
    await (await first.standing("demo")).ping();
    await eventually(async () => (await rows()).length === 2 || undefined);
    const adminPort = Number(new URL(first.sandbox.adminUrl).port);
    await first.sandbox.close(0);
    await page.locator(".connection.lost").waitFor();
    const second = await start({ adminPort });
    await page.locator(".connection.live").waitFor();
    await page.locator("#announcement", { hasText: "The sandbox was started again." }).waitFor({ state: "attached" });
    await (await second.standing("demo")).get("/v1/ping", "none");
    // The list is that of the new run.
    await expect.poll(rows).toEqual([expect.stringContaining("UNAUTHORIZED")]);
    // The first request of each start has the same number.
    await goTo(page, `#/requests/r1?run=${first.sandbox.journal.run}`);
    await page.locator("#why", { hasText: "an earlier run of the sandbox" }).waitFor();
    expect(await page.locator("#list [aria-selected=true]").count()).toBe(0);
    await page.reload();
    await page.locator("#why", { hasText: "an earlier run of the sandbox" }).waitFor();
  });

  it("does not change while it is paused, and then catches up", async () => {
    const { page, rows } = await openDashboard(sandbox);
    await demo.ping();
    await eventually(async () => (await rows()).length === 2 || undefined);
    await page.getByRole("button", { name: "Pause" }).click();
    await demo.ping();
    await page.getByRole("button", { name: "2 new" }).waitFor();
    expect((await rows()).length).toBe(2);
    await page.getByRole("button", { name: "Resume" }).click();
    await eventually(async () => (await rows()).length === 4 || undefined);
  });

  it("can be used with the keyboard only", async () => {
    const { page } = await openDashboard(sandbox);
    await demo.ping();
    await demo.get("/v1/nothing", "none");
    await page.locator(".row").nth(2).waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("query");
    // The keys of a query are offered; without them, an arrow leads to the list.
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("list");
    await page.keyboard.press("ArrowDown");
    await page.locator(".panel", { hasText: "NOT_FOUND" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.locator(".panel", { hasText: "Ping was answered for demo." }).waitFor();
    const active = await page.locator("#list").getAttribute("aria-activedescendant");
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("End");
    await page.locator(".panel", { hasText: "A token was issued to demo" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("detail");
    await page.keyboard.press("Escape");
    await page.locator("#detail").waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("list");
  });

  it("renders only a few rows of many, and all of them on scrolling", async () => {
    const { page, rows } = await openDashboard(sandbox);
    const token = await demo.token();
    const count = 1000;
    for (let sent = 0; sent < count; sent += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => demo.get(`/v1/ping?n=${sent + index}`, token)));
    await page.locator(".row", { hasText: "n=99" }).first().waitFor();
    await page.getByRole("button", { name: "All 1,001" }).waitFor();
    await page.locator("#list").focus();
    await page.keyboard.press("End");
    await page.locator(".panel", { hasText: "A token was issued to demo" }).waitFor();
    await expect.poll(async () => (await rows()).at(-1)).toContain("oauth-token");
    expect((await rows()).length).toBeLessThan(100);
    await page.keyboard.press("Home");
    await page.locator(".panel", { hasText: `n=${count - 1}` }).waitFor();
  });
});
