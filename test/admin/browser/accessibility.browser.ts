import { beforeAll, expect, it } from "vitest";
import { startShared, type TestSandbox } from "../fixture.js";
import { seriousProblems } from "./axe.js";
import { describeInBrowser, openDashboard } from "./browser.js";

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
  await sandbox.admin.putYaml(
    "/scenarios/mine",
    "description: Mine.\nrules: [{ name: a, then: { error: EXAMPLE_ERROR } }]",
  );
  await sandbox.admin.post("/clients/other/clock/advance", { by: "1h" });
  await sandbox.admin.put("/scenario", { name: "flaky" });
});

/** Switches off the policy against markup, because it would block axe. */
const views = [
  ["requests", "#/requests", ".row"],
  ["a refused request", "#/requests/r3", ".decisions"],
  ["what was sent", "#/requests/r3/request", ".snippets, .code"],
  ["what was answered", "#/requests/r3/answer", ".headers"],
  ["its certificate", "#/requests/r3/certificate", ".comparison"],
  ["a comparison", "#/requests/r3/with/r5", ".differences"],
  ["sessions", "#/sessions", ".session"],
  ["a scenario that is made", "#/scenarios/from/r3", ".cm-content"],
  ["an injected fault", "#/requests/r5", ".decisions"],
  ["the report", "#/report", ".checks .fail"],
  ["clients", "#/clients", ".items"],
  ["a client", "#/clients/demo", ".snippets"],
  ["a misfit", "#/clients/misfits/expired", ".snippets"],
  ["scenarios", "#/scenarios", ".items"],
  ["a scenario", "#/scenarios/everything", ".yaml-line"],
  ["the clock", "#/clock", ".cards"],
  ["assumptions", "#/assumptions/bearer.invalid-token", "tr.pointed"],
] as const;

describeInBrowser("for everybody", () => {
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      it(`axe finds nothing, and nothing is cut off, at ${width} pixels, ${colorScheme}`, async () => {
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
