/** @module-tag night */

import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, goTo, openDashboard } from "./browser.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

/** The command and the notes of the newest request. */
async function copied(page: Page): Promise<{ code: string; notes: string }> {
  const { id } = (await sandbox.admin.get("/requests?pageSize=1")).json.items[0];
  await goTo(page, `#/requests/r${id}/request`);
  const section = page.locator(`#detail[data-key=r${id}] section`, { hasText: "Copy as curl" }).last();
  return { code: await section.locator("pre").innerText(), notes: await section.innerText() };
}

describeInBrowser("a request that is copied", () => {
  it("names the client whose certificate is its own, and that only it has the key", async () => {
    const { minted } = await sandbox.mint();
    await sandbox.admin.delete(`/clients/${minted.clientId}`);
    await sandbox.admin.post("/clients", { clientId: "theirs", certificate: minted.certificate });
    const theirs = sandbox.connect({ cert: minted.certificate, key: minted.key }, "theirs");
    await theirs.ping();
    const { page } = await openDashboard(sandbox);
    const { code, notes } = await copied(page);
    expect(code).toContain("client_id=theirs");
    expect(code).toContain("your-cert.pem");
    expect(code).not.toMatch(/demo/);
    expect(notes).toContain("Only theirs has the key of its certificate");
  });

  it("gets a token with its certificate, and sends it without one", async () => {
    const demo = await sandbox.standing("demo");
    const token = await demo.token();
    await sandbox.connect().get("/v1/ping", token, { "User-Agent": "shop/1.0" });
    const { page } = await openDashboard(sandbox);
    const { code, notes } = await copied(page);
    const [gets = "", sends = ""] = code.split("curl -i");
    expect(gets).toContain("--cert demo-cert.pem");
    expect(sends).not.toContain("--cert ");
    expect(notes).toContain("Left out: User-Agent");
  });

  it("offers the files of a client that was made at run time as downloads", async () => {
    await (await sandbox.mint({ clientId: "mine" })).ping();
    const { page } = await openDashboard(sandbox);
    const { code } = await copied(page);
    expect(code).toContain("mine-cert.pem");
    const links = page.locator("section", { hasText: "Copy as" }).locator(".downloads a");
    const [file] = await Promise.all([page.waitForEvent("download"), links.filter({ hasText: "cert.pem" }).click()]);
    expect(file.suggestedFilename()).toBe("mine-cert.pem");
  });

  it("says when it cannot reproduce the answer", async () => {
    const late = await sandbox.mint();
    const token = await late.token();
    await sandbox.admin.post(`/clients/${late.clientId}/clock`, { advance: "301s" });
    await late.ping(token);
    const { page } = await openDashboard(sandbox);
    expect((await copied(page)).notes).toContain("It cannot reproduce the answer: the token had expired");
    await (await sandbox.standing("demo")).ping("none");
    const { code, notes } = await copied(page);
    expect(code).toContain("Bearer not-a-token");
    expect(code).not.toContain("oauth-token");
    expect(notes).toContain("The sandbox did not issue the token that was sent.");
  });
});
