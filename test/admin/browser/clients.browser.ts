import { readFile } from "node:fs/promises";
import { beforeAll, expect, it } from "vitest";
import { startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
  await sandbox.sandbox.identities;
});

describeInBrowser("the page of clients", () => {
  it("makes a client that can make a successful call", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clients" });
    await page.getByLabel("Id of the new client").fill("mine");
    await page.getByRole("button", { name: "New client" }).click();
    await page.locator(".main > h2", { hasText: "mine" }).waitFor();
    const download = async (name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".downloads").getByRole("link", { name }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(`mine-${name}`);
      return readFile(await file.path(), "utf8");
    };
    const client = sandbox.connect({ cert: await download("cert.pem"), key: await download("key.pem") }, "mine");
    expect((await client.ping()).status).toBe(200);
    await page.getByRole("link", { name: "show only this client's" }).click();
    await page.locator(".row", { hasText: "/v1/ping" }).waitFor();
    expect(await page.getByRole("combobox").inputValue()).toBe("client:mine");
    await page.getByRole("link", { name: "Clients" }).click();
    await page.getByRole("link", { name: /mine.*2 requests, / }).waitFor();
  });

  it("says what is wrong with an id that is taken", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clients", expected: /status of 409/ });
    await page.getByLabel("Id of the new client").fill("demo");
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: 'There is a client "demo" already.' }).waitFor();
  });

  it("shows the purpose of a misfit, and serves its files", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clients" });
    // They stand folded below the clients.
    expect(await page.getByRole("link", { name: /^lookalike/ }).isVisible()).toBe(false);
    await page.getByRole("heading", { name: /^Misfits/ }).click();
    await page.getByRole("link", { name: /^lookalike/ }).click();
    await page.locator(".purpose", { hasText: "a subject proves nothing" }).waitFor();
    await page.locator(".main pre", { hasText: "--cert" }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "key.pem" }).click(),
    ]);
    expect(await readFile(await file.path(), "utf8")).toContain("BEGIN PRIVATE KEY");
  });

  it("shows thumbprint, validity, and the commands for a token and a ping", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clients/demo" });
    const { json } = await sandbox.admin.get("/clients/demo");
    await page.getByText(json.certificates[0].thumbprint).waitFor();
    await page
      .locator(".cards .good", { hasText: /^valid, \d+ d/ })
      .first()
      .waitFor();
    await page.getByLabel("a token and a ping with curl").getByText("/v1/ping").waitFor();
  });
});
