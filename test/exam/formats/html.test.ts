import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatReport } from "../../../src/exam/formats/format.js";
import type { Report } from "../../../src/exam/report.js";
import { root } from "../../documentation/markdown.js";
import { checksOf, drillOf, examReport, hostileReport, mixedReport, reportOn } from "./sample.js";

const html = (report: Report) => formatReport(".html", report, "must");

/** The text of a page, without its style and its tags. */
const textOf = (page: string) =>
  page
    .replace(/<style>.*<\/style>/s, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

describe("the report as HTML", () => {
  it("says what failed, why, what to do, and where", () => {
    const text = textOf(html(mixedReport()));
    expect(text).toContain(
      "Failed token.refused must; RFC 6750 §3.1 A token was sent again after it was refused with invalid_token. Discard a token that is refused with invalid_token, and request a new one. requests 3, 5",
    );
    expect(text).toContain("The client failed. Failed checks 2");
    expect(text).toContain("Warnings tls.reuse should; RFC 9112 §9.3");
    expect(text).toContain("not exercised list.loop should Not exercised: it takes a second page.");
  });

  it("has a folded section for each drill of an exam, and its expectations besides the checks", () => {
    const page = html(examReport());
    expect(page.match(/<details>/g)).toHaveLength(5);
    expect(textOf(page)).toContain("failed outage exit status 3 failed outcome The command ended with exit status 3.");
    expect(textOf(page)).toContain("Known failures requests 9 requests of token arrived. Known: PAY-18");
    expect(html(mixedReport())).toContain("<details open>");
    expect(textOf(page)).toContain("Expected errors INVALID_PAGE_SIZE, 2 times in outage (requests 3, 5)");
    expect(textOf(page)).toContain("Failed drills 2 Failed checks 2 Warnings 1");
    expect(textOf(page)).toContain("not exercised elsewhere exit status 0. The fault never reached token.refused: ");
  });

  it("says that nothing was exercised, or that nothing failed", () => {
    const idle = checksOf().map((check) => ({ ...check, verdict: "not-exercised" as const }));
    expect(html(reportOn(drillOf("run", idle, { verdict: "not-exercised" })))).toContain(
      "<h1>No check was exercised.</h1>",
    );
    expect(html(reportOn(drillOf("run", checksOf())))).toContain("<h1>The client passed what was exercised.</h1>");
  });

  it("allows only its own style: no script, no address, no frame", () => {
    const page = html(hostileReport());
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    );
    expect(page).not.toMatch(/<script|<link|<img|<iframe|<a |\s(?:src|href|style|on\w+)=|url\(|@import/i);
  });

  it("has only its own tags, whatever the report contains", () => {
    const tags = (page: string) => [...new Set([...page.matchAll(/<\/?([a-z]\w*)/gi)].map(([, name]) => name))].sort();
    expect(tags(html(hostileReport()))).toEqual(tags(html(examReport())));
    expect(html(hostileReport()).replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it("has the colours and fonts of the dashboard, in light and dark", () => {
    const theirs = tokens(readFileSync(join(root, "src/admin/dashboard/style/base.css"), "utf8"));
    const ours = tokens(html(mixedReport()));
    expect(ours.length).toBeGreaterThan(25);
    expect(ours.filter((token) => !theirs.includes(token))).toEqual([]);
  });
});

/** Custom properties with their values, first of the light and then of the dark theme. */
function tokens(style: string): readonly string[] {
  const [light = "", dark = ""] = style.split("prefers-color-scheme: dark");
  const within = (text: string, theme: string) =>
    [...text.matchAll(/(--[a-z-]+): ([^;]+);/g)]
      .filter(([, name]) => !["--tone", "--soft"].includes(name ?? ""))
      .map(([, name, value]) => `${theme} ${name}: ${value}`);
  return [...within(light, "light"), ...within(dark.split("\n}")[0] ?? "", "dark")];
}
