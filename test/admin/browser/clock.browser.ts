/** @module-tag night */

import { afterEach, beforeAll, expect, it } from "vitest";
import { type ApiClient, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, dragOver, openDashboard } from "./browser.js";

let sandbox: TestSandbox;
let demo: ApiClient;
let other: ApiClient;

beforeAll(async () => {
  sandbox = await startShared();
  [demo, other] = await Promise.all([sandbox.standing("demo"), sandbox.standing("other")]);
});

afterEach(async () => {
  await sandbox.admin.post("/reset", {});
});

describeInBrowser("the page of clocks", () => {
  it("advances the clock by 5 m 1 s, and the token expires", async () => {
    const token = await demo.token();
    const { page, openRow } = await openDashboard(sandbox, { hash: "#/clock" });
    await page.getByRole("button", { name: "+5 m 1 s" }).click();
    await page.locator(".clock-state", { hasText: "+5 m 1 s from real time" }).waitFor();
    await page.locator(".chip.info", { hasText: "+5 m 1 s" }).waitFor();
    expect((await demo.ping(token)).status).toBe(401);
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    await openRow("UNAUTHORIZED");
    expect(await page.locator("#why").innerText()).toContain("expired");
    await page.getByRole("link", { name: "Clock", exact: true }).click();
    await page.getByRole("button", { name: "Reset to real time" }).click();
    await page.locator(".clock-state", { hasText: "real time" }).waitFor();
    expect((await demo.ping(token)).status).toBe(200);
  });

  it("advances it for one client only", async () => {
    const [token, others] = await Promise.all([demo.token(), other.token()]);
    const { page } = await openDashboard(sandbox, { hash: "#/clock" });
    await page.getByLabel("The clock of").selectOption("demo");
    await page.getByLabel("Advance by").fill("10m");
    await page.getByRole("button", { name: "Advance", exact: true }).click();
    await page.locator(".clock-state", { hasText: "+10 m from the sandbox's" }).waitFor();
    expect((await demo.ping(token)).status).toBe(401);
    expect((await other.ping(others)).status).toBe(200);
    await page.getByRole("button", { name: "Reset the clock of demo" }).click();
    await page.locator(".clock-state", { hasText: "as the sandbox's" }).waitFor();
    expect((await demo.ping(token)).status).toBe(200);
  });

  it("freezes it, and it does not advance", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clock" });
    const clock = page.locator("#big-clock");
    const before = await clock.innerText();
    await expect.poll(() => clock.innerText()).not.toBe(before);
    await page.getByRole("button", { name: "Freeze" }).click();
    await page.locator(".clock-state", { hasText: "frozen" }).waitFor();
    const frozen = await clock.innerText();
    expect((await sandbox.admin.get("/clock")).json).toMatchObject({ mode: "frozen" });
    await page.waitForTimeout(2200);
    expect(await clock.innerText()).toBe(frozen);
    await page.getByRole("button", { name: "Let it run" }).click();
    await expect.poll(() => clock.innerText()).not.toBe(frozen);
  });

  it("writes all times in UTC or local time, by one switch; addresses stay in UTC", async () => {
    await demo.ping();
    const { page, rows } = await openDashboard(sandbox, { timezoneId: "Asia/Tokyo", isChartOpen: true });
    const { time } = (await sandbox.admin.get("/requests?pageSize=1")).json.items[0];
    const local = new Date(Date.parse(time) + 9 * 3_600_000).toISOString();
    await expect.poll(async () => (await rows())[0]).toContain(time.slice(11, 23));
    await page.getByRole("button", { name: "Times in UTC" }).click();
    await expect.poll(async () => (await rows())[0]).toContain(local.slice(11, 23));
    await page.locator("#list .row").first().click();
    await page.locator("#detail", { hasText: `${local.slice(0, 19).replace("T", " ")} +09:00` }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Times in local time" }).waitFor();
    await expect.poll(async () => (await rows())[0]).toContain(local.slice(11, 23));
    await page.getByText("at most").waitFor();
    await dragOver(page, 0, 1);
    await expect.poll(() => page.getByRole("combobox").inputValue()).toMatch(/^from:\S+Z to:\S+Z$/);
    await page.locator("#nav-clock").click();
    await page.locator("#big-clock .zone", { hasText: "local time" }).waitFor();
  });

  it("says to which time a reset goes: real time, or the sandbox's, for a client", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clock" });
    await page.getByRole("button", { name: "Reset to real time" }).waitFor();
    await page.getByLabel("The clock of").selectOption("demo");
    await page.getByRole("button", { name: /^Reset to the sandbox's time, \d\d:\d\d:\d\d$/ }).waitFor();
  });

  it("shows certificates at its time", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clock" });
    const notYet = page.locator(".cards li", { hasText: "misfits/not-yet-valid" });
    await notYet.locator(".bad").waitFor();
    await page.getByLabel("Advance by").fill("380d");
    await page.keyboard.press("Enter");
    // It is valid for 30 days.
    await notYet.locator(".warn", { hasText: "ends in" }).waitFor();
  });
});
