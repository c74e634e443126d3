import { beforeAll, beforeEach, expect, it } from "vitest";
import { type ApiClient, startShared, type TestSandbox } from "../fixture.js";
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

/** The key of the newest exchange. */
async function newest(): Promise<string> {
  return `r${(await sandbox.admin.get("/requests?pageSize=1")).json.items[0].id}`;
}

describeInBrowser("a comparison", () => {
  it("names the cause that the failed decision names, and never another difference", async () => {
    const sent = async (path: string, how: ApiClient = demo, headers = {}) => {
      await how.get(path, token, headers);
      return newest();
    };
    const other = await sandbox.standing("other");
    const good = await sent("/v1/payments?pageSize=5");
    const noUuid = await sent("/v1/payments?pageSize=6", demo, { "X-Correlation-ID": "x" });
    const anotherCertificate = await sent("/v1/payments?pageSize=7", other);
    const byScenario = await sent("/v1/payments?pageSize=8", demo, { "Sandbox-Scenario": "maintenance" });
    const badCursor = await sent("/v1/payments?pageSize=9&cursor=x");
    const { page } = await openDashboard(sandbox);
    const why = async (left: string, right: string) => {
      await page.evaluate((hash) => location.assign(hash), `#/requests/${left}/with/${right}`);
      await page.locator(`.compared p:first-child a[href="#/requests/${left}"]`).waitFor();
      await page.locator(`.compared p:last-child a[href="#/requests/${right}"]`).waitFor();
      return page.locator("#why").innerText();
    };
    const correlation = "X-Correlation-ID made the difference: x was refused with INVALID_CORRELATION_ID";
    expect(await why(noUuid, good)).toContain(correlation);
    expect(await why(good, noUuid)).toContain(correlation);
    expect(await why(anotherCertificate, good)).toMatch(/failed at access token, which the good one passed/);
    expect(await why(badCursor, good)).toContain("cursor made the difference: x was refused with INVALID_CURSOR");
    expect(await why(byScenario, good)).toContain("maintenance");
    expect(await page.locator("#detail").innerText()).not.toContain("pageSize made the difference");
  });

  it("calls its sides failed and good, and folds bodies and ids", async () => {
    await demo.get("/v1/payments?pageSize=500", token);
    const bad = await newest();
    await demo.get("/v1/payments?pageSize=5", token);
    const good = await newest();
    await demo.get("/v1/payments?pageSize=6", token);
    const { page } = await openDashboard(sandbox, { hash: `#/requests/${bad}/with/${good}` });
    await page.locator(".differences").first().waitFor();
    const text = () => page.locator("#detail").innerText();
    expect(await text()).toMatch(/failed[\s\S]*good/i);
    expect(await text()).not.toMatch(/\b(left|right)\b/i);
    const body = page.locator(".differences", { hasText: "Body" });
    expect(await body.locator("table").isVisible()).toBe(false);
    await body.locator("summary").click();
    await body.locator("table").waitFor();
    const ids = page.locator(".differences", { hasText: "Ids" });
    expect(await ids.locator("table").isVisible()).toBe(false);
    await ids.locator("summary").click();
    await ids.getByRole("rowheader", { name: "Correlation ID" }).waitFor();
    await page.evaluate((hash) => location.assign(hash), `#/requests/${good}/with/${await newest()}`);
    await page.locator(".compared", { hasText: "pageSize=6" }).waitFor();
    expect(await text()).not.toMatch(/\b(left|right|failed)\b/i);
  });
});
