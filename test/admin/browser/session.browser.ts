import { expect, it } from "vitest";
import { start } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

const refused = /status of 401/;

describeInBrowser("if the admin API requires a token", () => {
  it("asks for it once; then everything works, including downloads and the stream", async () => {
    const sandbox = await start({ adminAuth: "token", adminToken: "open sesame" });
    const { page, openRow } = await openDashboard(sandbox, { asksForToken: true, expected: refused });
    await page.getByLabel("Admin token").fill("open barley");
    await page.keyboard.press("Enter");
    await page.getByText("This is not the token.").waitFor();
    await page.getByLabel("Admin token").fill("open sesame");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".connection.live").waitFor();
    await (await sandbox.standing("demo")).get("/v1/ping", "none");
    await openRow("UNAUTHORIZED");
    await page.reload();
    await page.locator(".connection.live").waitFor();
    await page.getByRole("link", { name: "Clients" }).click();
    // Until the other view is shown, the open request also has links to its client.
    await page.locator(".items").getByRole("link", { name: /^demo/ }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "cert.pem" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("demo-cert.pem");
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
    expect(cookie?.value).not.toContain("sesame");
    expect(await page.evaluate(() => document.cookie)).toBe("");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Admin token").waitFor();
  });

  it("asks again when the session has ended, whatever the page was doing", async () => {
    const sandbox = await start({ adminAuth: "token", adminToken: "open sesame" });
    const { page } = await openDashboard(sandbox, { asksForToken: true, expected: refused });
    await page.getByLabel("Admin token").fill("open sesame");
    await page.keyboard.press("Enter");
    await page.locator(".connection.live").waitFor();
    await page.context().clearCookies();
    await page.getByLabel("Admin token").waitFor();
  });
});
