/** @module-tag night */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatReport } from "../../../src/exam/formats/format.js";
import { examReport, hostileReport, mixedReport } from "../../exam/formats/sample.js";
import { seriousProblems } from "./axe.js";
import { describeInBrowser, openFile } from "./browser.js";

const reports = { run: mixedReport(), exam: examReport(), hostile: hostileReport() } as const;

let folder: string;
const fileOf = (name: string) => join(folder, `${name}.html`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-report-"));
  for (const [name, report] of Object.entries(reports))
    writeFileSync(fileOf(name), formatReport(".html", report, "must"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeInBrowser("the HTML report", () => {
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      it(`has no problem for axe, and nothing is cut off, at ${width} pixels, ${colorScheme}`, async () => {
        for (const name of Object.keys(reports)) {
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
});
