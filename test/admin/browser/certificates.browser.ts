import { beforeAll, expect, it } from "vitest";
import { startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
  await sandbox.sandbox.identities;
});

describeInBrowser("the life of certificates", () => {
  it("is told in the list of clients: good, about to end, and ended, by the clock of each client", async () => {
    await sandbox.mint({ clientId: "fresh", validFor: "90d" });
    await sandbox.mint({ clientId: "late", validFor: "20d" });
    await sandbox.mint({ clientId: "over", validFor: "20d" });
    await sandbox.admin.post("/clients/late/clock", { advance: "17d" });
    await sandbox.admin.post("/clients/over/clock", { advance: "21d" });
    const { page } = await openDashboard(sandbox, { hash: "#/clients" });
    const item = (id: string, tone: string) => page.locator(".items li", { hasText: id }).locator(`.badge.${tone}`);
    await item("fresh", "good").filter({ hasText: "valid" }).waitFor();
    await item("late", "warn").filter({ hasText: "ends in 2 d" }).waitFor();
    await item("over", "bad").filter({ hasText: "expired" }).waitFor();
    await page.getByRole("link", { name: /^late/ }).click();
    await page.locator(".cards .warn", { hasText: "ends in 2 d" }).waitFor();
    // The 30 last days of a year.
    await sandbox.mint({ clientId: "year" });
    await sandbox.admin.post("/clients/year/clock", { advance: "370d" });
    await item("year", "warn").waitFor();
  });

  it("of clients that were made at run time is on the page of clocks", async () => {
    await sandbox.mint({ clientId: "made-later", validFor: "90d" });
    const { page } = await openDashboard(sandbox, { hash: "#/clock" });
    const card = page.locator(".cards li", { hasText: "made-later" });
    await card.locator(".good").waitFor();
    await sandbox.admin.post("/clients/made-later/clock", { advance: "61d" });
    await card.locator(".warn").first().waitFor();
  });

  it("is rehearsed by a dialog, and is a line of time that can be read", async () => {
    await sandbox.mint({ clientId: "turning" });
    const { page } = await openDashboard(sandbox, { hash: "#/clients/turning" });
    await page.getByRole("button", { name: "Rotate …" }).click();
    const dialog = page.getByRole("dialog", { name: "Rotate: a new certificate for turning" });
    await dialog.getByLabel("It is valid for", { exact: true }).fill("20");
    await dialog.getByLabel("The present one may still be used for (overlap)", { exact: true }).fill("3");
    await dialog.getByLabel("Unit: The present one").selectOption("minutes");
    await dialog.getByLabel("Key").selectOption("the same key");
    await dialog.getByLabel("Issuer").selectOption("an intermediate CA");
    await dialog.getByRole("button", { name: "Rotate" }).click();
    await dialog.waitFor({ state: "hidden" });
    const line = page.locator(".line-of-time");
    await line.getByText("Certificate 1 was replaced by certificate 2; both are valid for 3 m").waitFor();
    const order = (await line.locator("li").allInnerTexts()).map(
      (text) => /is valid from here on|was made|was replaced|Now|overlap ends|ends by its dates/.exec(text)?.[0],
    );
    expect(order).toEqual([
      "is valid from here on",
      "is valid from here on",
      "was replaced",
      "Now",
      "overlap ends",
      "ends by its dates",
    ]);
    await page.locator(".cards .warn", { hasText: "renewed" }).waitFor();
    const { certificates } = (await sandbox.admin.get("/clients/turning")).json;
    const days = (Date.parse(certificates[1].notAfter) - Date.parse(certificates[0].endSetAt)) / 86_400_000;
    expect(Math.round(days)).toBe(20);
    await sandbox.admin.post("/clients/turning/clock", { advance: "4m" });
    await page.locator(".cards .bad", { hasText: "renewed, ended" }).waitFor();
  });
});
