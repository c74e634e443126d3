/** @module-tag night */

import { beforeAll, expect, it } from "vitest";
import { openTcp } from "../../support/raw-client.js";
import { type ApiClient, start, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

let sandbox: TestSandbox;
let wrong: ApiClient & { readonly minted: { readonly clientId: string } };

beforeAll(async () => {
  sandbox = await startShared();
  wrong = await sandbox.mint({ clientId: "wrong" });
  const token = await wrong.token();
  await wrong.get("/v1/pong", token);
  await wrong.get("/v1/ping?x=1", token);
  await (await openTcp(Number(new URL(sandbox.sandbox.url).port))).sendAndClose("GET / HTTP/1.1\r\n\r\n");
});

describeInBrowser("the page of the report", () => {
  it("shows each check by group, failures first, with verdict, reason, fix and source", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/report/wrong" });
    const failed = page.locator("#check-request\\.path");
    await failed.waitFor();
    const text = await failed.innerText();
    expect(text).toMatch(/warning\s*request\.path/);
    expect(text).toContain(
      "A request was sent to a path that is not part of the interface, by the assumption http.not-found.",
    );
    expect(text).toContain("To do: Use the interface's method and path letter by letter");
    expect(text).toContain("Source: §4");
    expect(await page.locator("#check-request\\.parameters").innerText()).toContain("warning");
    expect(await page.locator("#check-token\\.form").innerText()).toContain("passed");
    expect(await page.locator("#check-list\\.loop").innerText()).toContain("Not exercised: it takes a second page.");
    expect(await page.locator(".report-summary").innerText()).toMatch(/2 warnings\s+\d+ passed\s+\d+ not exercised/);
    expect(await page.locator(".report h2").allInnerTexts()).toEqual([
      "Requests",
      "Tokens",
      "Connections",
      "Repetitions",
      "Lists",
      "HTTP/2",
      "Certificates",
      "Answer sheet",
    ]);
  });

  it("links to the requests and handshakes that prove it, by keyboard", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/report" });
    const link = page.locator("#check-request\\.path a", { hasText: "request" }).last();
    await link.focus();
    await page.keyboard.press("Enter");
    await page.locator("#detail", { hasText: "/v1/pong" }).waitFor();
    await page.goBack();
    await page.locator("#check-tls\\.encrypted a", { hasText: "handshake" }).click();
    await page.locator("#detail", { hasText: "HTTP" }).waitFor();
  });

  it("covers one client or all, and updates itself", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/report" });
    await page.getByLabel("The report on").selectOption("other");
    await page.locator(".report-summary", { hasText: "0 failed" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/report/other");
    expect(await page.locator("#check-token\\.form").innerText()).toContain("not exercised");
    const other = await sandbox.standing("other");
    await other.get("/v1/pong", await other.token());
    await page.locator("#check-request\\.path.fail").waitFor();
    await sandbox.admin.post("/reset", { client: "other" });
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.locator("#check-request\\.path.not-exercised").waitFor();
  });

  it("says which evidence the journal no longer has", async () => {
    const small = await start({ journal: { requests: 4, bytes: 1e6, handshakes: 10 } });
    const client = await small.mint();
    const token = await client.token();
    for (let count = 0; count < 8; count++) await client.get("/v1/pong", token);
    const { page } = await openDashboard(small, { hash: "#/report" });
    const check = page.locator("#check-request\\.path");
    await check.getByText("request\u00a02 (no longer in the journal)").waitFor();
    expect(await check.locator(".gone").count()).toBeGreaterThan(0);
    expect(await check.getByRole("link", { name: "request\u00a09" }).count()).toBe(1);
  });

  it("is reached from the page of a client", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clients/wrong" });
    await page.getByRole("link", { name: "is this client right?" }).click();
    await page.locator("#check-request\\.path.fail").waitFor();
    expect(await page.getByLabel("The report on").inputValue()).toBe("wrong");
  });

  it("says that there is no such client, and that the report is off", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/report/nobody", expected: /status of 404/ });
    await page.locator(".hint", { hasText: 'There is no client "nobody" (any more).' }).waitFor();
    const unjudged = await start({ report: "off" });
    const { page: other } = await openDashboard(unjudged, { hash: "#/report" });
    await other.locator(".hint", { hasText: "report: off" }).waitFor();
    expect(await other.getByRole("button", { name: "Refresh" }).count()).toBe(0);
  });
});
