/** @module-tag night */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { examReport, formatExam, hostileReport, mixedReport } from "../../exam/formats/sample.js";
import { formatExplore, hostileReport as hostileMatrix, sampleReport } from "../../explore/sample.js";
import { seriousProblems } from "./axe.js";
import { describeInBrowser, openFile } from "./browser.js";

const ofExam = { run: mixedReport(), exam: examReport(), hostile: hostileReport() } as const;
const ofExplore = { explore: sampleReport(), "explore-hostile": hostileMatrix() } as const;
const names = [...Object.keys(ofExam), ...Object.keys(ofExplore)];

let folder: string;
const fileOf = (name: string) => join(folder, `${name}.html`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-report-"));
  for (const [name, report] of Object.entries(ofExam)) writeFileSync(fileOf(name), formatExam(".html", report, "must"));
  for (const [name, report] of Object.entries(ofExplore))
    writeFileSync(fileOf(name), formatExplore(".html", report, "must"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeInBrowser("the HTML report", () => {
  for (const width of [1280, 360]) {
    for (const colorScheme of ["light", "dark"] as const) {
      it(`has no problem for axe, and nothing is cut off, at ${width} pixels, ${colorScheme}`, async () => {
        for (const name of names) {
          const page = await openFile(fileOf(name), { viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
          await page.evaluate(() => {
            for (const element of document.querySelectorAll("details")) element.open = true;
          });
          expect(await seriousProblems(page), name).toEqual([]);
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(wider, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
        }
      });
    }
  }

  it("has its style under its own policy, and requests nothing", async () => {
    const page = await openFile(fileOf("hostile"), { colorScheme: "dark" });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(14, 16, 20)");
    expect(await page.locator("script").count()).toBe(0);
  });

  it("opens the story of a cell, in its folded lines, by its sign", async () => {
    const page = await openFile(fileOf("explore"), { viewport: { width: 1280, height: 800 } });
    const story = page.locator("div:target");
    expect(await page.locator(".story details[open]").count()).toBe(0);
    await page.getByTitle("list.payments.middle/truncate: wrong").click();
    await story.waitFor();
    expect(await story.innerText()).toContain("7 of 21 rows were never delivered");
    expect(await page.locator("details[open] details[open]").count()).toBe(1);
  });

  it("leads from a finding to the drill, and folds what passed", async () => {
    const page = await openFile(fileOf("exam"), { viewport: { width: 1280, height: 800 } });
    expect(await page.getByText("Exercised by a token request").first().isVisible()).toBe(false);
    await page.getByRole("link", { name: "plain" }).first().click();
    expect(await page.locator(":target").isVisible()).toBe(true);
  });

  it.each([1280, 360])("a story has no problem for axe at %d pixels", async (width) => {
    for (const name of Object.keys(ofExplore)) {
      const page = await openFile(fileOf(name), { viewport: { width, height: 800 }, bypassCSP: true });
      await page.locator("td a").first().click();
      expect(await seriousProblems(page), name).toEqual([]);
    }
  });
});
