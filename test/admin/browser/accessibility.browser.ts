import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { startShared, type TestSandbox } from "../fixture.js";
import { seriousProblems } from "./axe.js";
import { describeInBrowser, goTo, openDashboard } from "./browser.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
  const [demo, other] = await Promise.all([sandbox.standing("demo"), sandbox.standing("other")]);
  const expired = await sandbox.standing("expired");
  const token = await demo.token();
  await expired.requestToken();
  await other.ping(token);
  await demo.get("/v1/ping", token, { "Sandbox-Scenario": "maintenance" });
  await demo.get("/v1/payments", token);
  await demo.get("/v1/ping", token, { "X-Correlation-ID": "x" });
  await demo.get(`/v1/payments?cursor=${"x".repeat(200)}`, token);
  const long = await sandbox.mint({ clientId: "a-client-with-".padEnd(64, "x") });
  await long.get("/v1/pong");
  await sandbox.admin.putYaml(
    "/scenarios/mine",
    "description: Mine.\nrules: [{ name: a, then: { error: EXAMPLE_ERROR } }]",
  );
  await sandbox.admin.post("/clients/other/clock", { advance: "1h" });
  await sandbox.admin.put("/clients/demo/scenario", { name: "maintenance" });
  await sandbox.admin.put("/scenario", { name: "flaky" });
});

/** Switches off the policy against markup, because it would block axe. */
const views = [
  ["requests", "#/requests", ".row"],
  ["a refused request", "#/requests/r3", ".decisions"],
  ["what was sent", "#/requests/r3/request", ".code"],
  ["a form", "#/requests/r1/request", ".facts dt"],
  ["what was answered", "#/requests/r3/answer", ".headers"],
  ["its certificate", "#/requests/r3/certificate", ".comparison"],
  ["a comparison", "#/requests/r3/with/r5", ".differences"],
  ["a scenario that is made", "#/scenarios/from/r3", ".cm-content"],
  ["an injected fault", "#/requests/r5", ".decisions"],
  ["the report", "#/report", ".checks .fail"],
  ["clients", "#/clients", ".items"],
  ["a client", "#/clients/demo", ".main pre"],
  ["a misfit", "#/clients/misfits/expired", ".main pre"],
  ["scenarios", "#/scenarios", ".items"],
  ["a scenario", "#/scenarios/everything", ".numbered .tok-key"],
  ["the clock", "#/clock", ".cards"],
  ["no page", "#/nonsense", ".hint"],
] as const;

/**
 * What is cut off at the right edge of the screen, or has to be scrolled sideways. Rows of choices may scroll, and code
 * on a screen that is wide enough for it.
 */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const mayScroll = `nav, .groups, .segments, .heads, .list, .call, svg, .sr-only${innerWidth > 640 ? ", pre" : ""}`;
    return [document.documentElement, ...document.querySelectorAll("body *")]
      .filter((element) => {
        if (element === document.documentElement) return element.scrollWidth > innerWidth;
        if (element.closest(mayScroll) || !element.checkVisibility()) return false;
        const scrolls = getComputedStyle(element).overflowX !== "visible" && element.clientWidth > 1;
        return (
          (scrolls && element.scrollWidth > element.clientWidth + 1) ||
          element.getBoundingClientRect().right > innerWidth + 1
        );
      })
      .map(({ localName, className, id }) => `${localName}.${className}#${id}`);
  });
}

describeInBrowser("for everybody", () => {
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      // By day, the two that differ in both.
      const tags = (width === 1280) === (colorScheme === "light") ? [] : ["night"];
      it(`axe finds nothing, and nothing is cut off, at ${width} pixels, ${colorScheme}`, { tags }, async () => {
        const { page } = await openDashboard(sandbox, {
          viewport: { width, height: 800 },
          colorScheme,
          reducedMotion: "reduce",
          bypassCSP: true,
        });
        for (const [name, hash, sign] of views) {
          await page.evaluate((target) => {
            location.hash = target;
          }, hash);
          await page.locator(sign).locator("visible=true").first().waitFor();
          const found = await seriousProblems(page);
          expect(found, name).toEqual([]);
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(wider, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
        }
      });
    }
  }

  it("no page scrolls sideways at any width, with the longest names, at 200 % zoom of a laptop", async () => {
    const { page } = await openDashboard(sandbox, { viewport: { width: 850, height: 450 }, reducedMotion: "reduce" });
    for (const [name, hash, sign] of views) {
      await page.evaluate((target) => {
        location.hash = target;
      }, hash);
      await page.locator(sign).locator("visible=true").first().waitFor();
      for (const width of [850, 768, 720, 390]) {
        await page.setViewportSize({ width, height: 450 });
        expect(await tooWide(page), `${name} at ${width} pixels`).toEqual([]);
      }
    }
  });

  it("the link to the current page is visible on a small screen", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clock", viewport: { width: 390, height: 800 } });
    const right = () => page.locator("#nav-clock").evaluate((link) => link.getBoundingClientRect().right);
    await expect.poll(right).toBeLessThan(391);
    await page.locator(".brand").click();
    await expect
      .poll(() => page.locator("#nav-requests").evaluate((link) => link.getBoundingClientRect().left))
      .toBeGreaterThan(-1);
  });

  it("the details of a long request are whole on a small screen", async () => {
    const { page } = await openDashboard(sandbox, { viewport: { width: 390, height: 800 } });
    const go = (hash: string) => goTo(page, hash);
    await go("#/requests/r6");
    const badge = page.locator(".panel-head .badge", { hasText: "400" });
    await badge.waitFor();
    const { height = 0 } = (await badge.boundingBox()) ?? {};
    expect(height, "the badge has one line").toBeLessThan(30);
    await go(`#/requests/r7/with/r5`);
    await page.locator(".compared").waitFor();
    expect(await tooWide(page)).toEqual([]);
    await go("#/requests/r7/request");
    await page.locator("pre").waitFor();
    expect(await tooWide(page)).toEqual([]);
    await go("#/scenarios/from/r8");
    await page.locator(".trial").waitFor();
    expect(await tooWide(page)).toEqual([]);
    await page.goto(`${sandbox.sandbox.adminUrl}/errors/PAYLOAD_TOO_LARGE`);
    await page.locator("pre").waitFor();
    expect(await tooWide(page)).toEqual([]);
  });

  it("axe accepts the editor when its text has to be scrolled", async () => {
    const { page } = await openDashboard(sandbox, {
      viewport: { width: 390, height: 800 },
      bypassCSP: true,
      hash: "#/scenarios/everything/edit",
    });
    await page.locator("#findings", { hasText: "It can be used" }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "axe accepts what opens: chart, keys, a mistake, dialogs; %s",
    async (colorScheme) => {
      const { page } = await openDashboard(sandbox, { bypassCSP: true, isChartOpen: true, colorScheme });
      await page.locator(".group").first().waitFor();
      await page.locator("#query").click();
      await page.locator("#query-options").waitFor();
      expect(await seriousProblems(page), "keys").toEqual([]);
      await page.locator("#query").fill("op:pung");
      await page.locator("#query-problem").waitFor();
      expect(await seriousProblems(page), "a mistake").toEqual([]);
      await page.locator("#query").fill("");
      await page.locator("#reset").click();
      await page.locator("#reset-client").waitFor();
      expect(await seriousProblems(page), "reset").toEqual([]);
      await page.keyboard.press("Escape");
      await goTo(page, "#/clients/other");
      await page.locator("#rotate").click();
      await page.locator("#rotate-key").waitFor();
      expect(await seriousProblems(page), "rotate").toEqual([]);
    },
  );

  it("a button can be read under the pointer", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clock" });
    const button = page.locator("#advance-0");
    const background = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
    const usual = await background();
    await button.hover();
    expect(await background()).toBe(usual);
  });

  it("forced colours show what is selected", async () => {
    const { page } = await openDashboard(sandbox, { forcedColors: "active", hash: "#/requests/r3" });
    await page.locator(".decisions").waitFor();
    // The browser replaces every other background with that of the page.
    const backgrounds = (selector: string) =>
      page.evaluate(
        (of) => [...document.querySelectorAll(of)].map((element) => getComputedStyle(element).backgroundColor),
        selector,
      );
    const [chosen] = await backgrounds("nav [aria-current]");
    expect(await backgrounds("nav a:not([aria-current])")).not.toContain(chosen);
    for (const kind of [".row[aria-selected=", "[role=tab][aria-selected=", ".segments [aria-pressed="]) {
      expect(await backgrounds(`${kind}true]`), kind).toEqual([chosen]);
      expect(await backgrounds(`${kind}false]`), kind).not.toContain(chosen);
    }
    await page.locator("#nav-clients").click();
    await page.locator(".items a", { hasText: "demo" }).first().click();
    await page.locator(".items [aria-current]").waitFor();
    expect(await backgrounds(".items [aria-current]")).toEqual([chosen]);
  });

  it("axe finds nothing on the page that requests the token", async () => {
    const { start } = await import("../fixture.js");
    const locked = await start({ adminAuth: "token", adminToken: "x" });
    const { page } = await openDashboard(locked, { asksForToken: true, bypassCSP: true, expected: /status of 401/ });
    expect(await seriousProblems(page)).toEqual([]);
  });

  it("supports a larger text size without cutting anything off", async () => {
    const { page } = await openDashboard(sandbox, { viewport: { width: 390, height: 800 } });
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "150%"));
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider).toBeLessThanOrEqual(0);
  });
});
