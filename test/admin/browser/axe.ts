import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe finds on a page. The page must be opened with `bypassCSP`, because a policy against markup blocks axe. */
export async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const { violations } = await axe.run({
      resultTypes: ["violations"],
      // WCAG 2.2; axe leaves it out unless it is requested.
      rules: { "target-size": { enabled: true } },
    });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical" || impact === "moderate")
      .map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
      );
  });
}
