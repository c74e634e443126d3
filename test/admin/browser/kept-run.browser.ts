import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { newFolder, open } from "../../kept/files.js";
import { start } from "../fixture.js";
import { seriousProblems } from "./axe.js";
import { compare, describeInBrowser, goTo, openDashboard } from "./browser.js";

/** Two kept runs: the older one with a request to `/v1/older`. */
async function keptRuns(): Promise<string> {
  const keep = await newFolder();
  for (const path of ["/v1/older", "/v1/newer"]) {
    const sandbox = await start({ keep });
    const demo = await sandbox.standing("demo");
    await demo.ping();
    await demo.get(path);
    const suite = await sandbox.mint({ clientId: "suite-1" });
    await suite.ping();
    await sandbox.admin.post("/clients/suite-1/clock", { advance: "301s" });
    await sandbox.admin.put("/scenario", { name: "maintenance" });
    await suite.get("/v1/payments", "none");
    await sandbox.close();
  }
  return (await open(keep)).url;
}

const openRuns = async (url: string, options: Parameters<typeof openDashboard>[1] = {}) =>
  openDashboard({ sandbox: { adminUrl: url } }, { isKept: true, ...options });

/** The pages of a kept run, and what shows that each is there. */
const views = [
  ["#/requests", ".row"],
  ["#/requests/r2", ".decisions"],
  ["#/requests/r2/certificate", ".comparison"],
  ["#/clients/suite-1", ".main .cards"],
  ["#/clients/misfits/expired", ".main .facts"],
  ["#/scenarios/maintenance", ".numbered .tok-key"],
  ["#/clock", ".cards"],
  ["#/report", ".checks"],
] as const;

/** Forms and buttons by which something would be changed. */
function writing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const known =
      /^(Copy|Close|Skip|All|Success|Refused|Injected|Handshake|Time|Method|Path|Status|Client|HTTP|Size|Took|UTC|local time|Requests|▸|▾|Refresh|What matches|Why|Request|Answer|Certificate|\d)/;
    return [...document.querySelectorAll("button, form:not(#filter)")]
      .filter((element) => element.checkVisibility())
      .map((element) => element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "")
      .filter((name) => name !== "" && !known.test(name));
  });
}

describeInBrowser("a kept run", () => {
  it("is shown for reading only, on every page, at every width, without serious problems", async () => {
    const url = await keptRuns();
    for (const width of [390, 1280]) {
      const { page } = await openRuns(url, { bypassCSP: true, viewport: { width, height: 800 } });
      await page.locator("#kept", { hasText: "A kept run, for reading only." }).waitFor();
      expect(await page.locator(".connection").count()).toBe(0);
      for (const [hash, sign] of views) {
        await goTo(page, hash);
        await page.locator(sign).first().waitFor();
        expect(await writing(page), hash).toEqual([]);
        expect(await seriousProblems(page), `${hash} at ${width}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), hash).toBe(true);
      }
    }
  });

  it("can be searched and compared, and explains its refusals", async () => {
    const { page, openRow, rows } = await openRuns(await keptRuns());
    await openRow("/v1/newer");
    await page.locator("#why", { hasText: "Nothing answers at this path" }).waitFor();
    await compare(page, "r2", "r5");
    await page.locator(".differences").first().waitFor();
    await goTo(page, "#/requests?q=code:NOT_FOUND");
    await expect.poll(rows).toEqual([expect.stringContaining("/v1/newer")]);
  });

  it("leads to the runs beside it, each with addresses of its own", async () => {
    const url = await keptRuns();
    const { page, rows } = await openRuns(url);
    const options = page.locator("#run option");
    expect(await options.count()).toBe(2);
    await page.locator("#run").selectOption({ index: 1 });
    await page.waitForURL(/\/runs\/[^/]+\//);
    await page.locator("#list .row", { hasText: "/v1/older" }).waitFor();
    expect((await rows()).join()).not.toContain("/v1/newer");
    const address = `${new URL(page.url()).pathname}#/requests/r4`;
    await page.goto("about:blank");
    await page.goto(url + address);
    await page.locator("#detail .line", { hasText: "/v1/older" }).waitFor();
  });
});
