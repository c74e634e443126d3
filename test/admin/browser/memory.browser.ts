/** @module-tag night */

import type { CDPSession } from "playwright-core";
import { expect, it } from "vitest";
import { startShared } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

const exchanges = 100_000;
const rounds = 40;

/** The memory of the page after garbage collection. */
async function held(session: CDPSession) {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { megabytes: of("JSHeapUsedSize") / 1e6, nodes: of("Nodes"), listeners: of("JSEventListeners") };
}

describeInBrowser("the memory of the page", () => {
  it("is the same after 50,000 requests and after 100,000", async () => {
    const sandbox = await startShared();
    const demo = await sandbox.standing("demo");
    await demo.get("/v1/payments?pageSize=0");
    await demo.ping();
    const { requests } = sandbox.sandbox.journal;
    const items = [...requests.newestFirst()].map(({ item }) => item);
    const { page } = await openDashboard(sandbox);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const after: Awaited<ReturnType<typeof held>>[] = [];
    for (let round = 1; round <= rounds; round++) {
      const isUsed = round % 4 === 0;
      if (isUsed) {
        await page.locator("#list .row").nth(3).click();
        await page.locator("#tab-panel").waitFor();
      }
      let newest = 0;
      for (let index = 0; index < exchanges / rounds; index++)
        newest = requests.add(items[index % items.length] as never);
      if (isUsed) {
        await page.locator("#waiting", { hasText: "new" }).click();
        await page.locator(`#r${newest}`).waitFor();
        await page.getByRole("combobox").fill(`code:INVALID_PAGE_SIZE -text-${round}`);
        await page.locator("#count", { hasText: " of " }).waitFor();
        await page.getByRole("combobox").fill("");
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await page.locator("#detail").waitFor({ state: "hidden" });
        // The list does not move under the pointer.
        await page.mouse.move(5, 5);
      }
      await page.locator(`#r${newest}`).waitFor();
      if (round === rounds / 2 || round === rounds) after.push(await held(session));
    }
    const [half, whole] = after;
    if (!half || !whole) throw new Error("Nothing was measured.");
    expect(whole.megabytes).toBeLessThan(half.megabytes * 1.1 + 0.5);
    expect(whole.nodes).toBeLessThan(half.nodes * 1.1 + 500);
    expect(whole.listeners).toBeLessThanOrEqual(half.listeners + 5);
  });
});
