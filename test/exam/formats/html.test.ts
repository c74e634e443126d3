import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkIds } from "../../../src/exam/checks.js";
import type { Report } from "../../../src/exam/report.js";
import { root } from "../../documentation/markdown.js";
import { checksOf, drillOf, examReport, formatExam, hostileReport, mixedReport, reportOn } from "./sample.js";

const html = (report: Report) => formatExam(".html", report, "must");

/** The text of a page, without its style and its tags. */
const textOf = (page: string) =>
  page
    .replace(/<style>.*<\/style>/s, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

describe("the report as HTML", () => {
  it("says in one sentence how it went, each count once, what failed, why, what to do, and what shows it", () => {
    const text = textOf(html(mixedReport()));
    const judged = checkIds.length - 1;
    expect(text).toContain(
      `The client failed 2 of the ${judged} checks that were exercised: token.refused, tls.encrypted. Checks: failed 2 Checks: warning 1 Checks: passed ${judged - 3} Checks: not exercised 1 Failed failed token.refused must; RFC 6750 §3.1 A token was sent again after it was refused with invalid_token. Discard a token that is refused with invalid_token, and request a new one. Requests 0.41 s GET /v1/payouts?pageSize=7&amp;cursor=abc: 401 UNAUTHORIZED (the fault) 0.42 s`,
    );
    expect(text).toContain("Warnings warning tls.reuse should; RFC 9112 §9.3");
    expect(text).toContain("not exercised list.loop Not exercised: it takes a second page.");
  });

  it("has for each drill what it does, what a correct client does and what this one did; failed ones first and open", () => {
    const page = html(examReport());
    const drills = [...page.matchAll(/<details( open)?><summary><span class="badge \w+">([\w ]+)<\/span> ([\w-]+)/g)];
    expect(drills.map(([, open = "", verdict, name]) => `${name} ${verdict}${open}`)).toEqual([
      "plain failed open",
      "outage failed open",
      "asleep not exercised",
      "elsewhere not exercised",
      "flaky passed",
    ]);
    const text = textOf(page);
    expect(text).toContain(
      "The drill: Answers everything with 503 for two seconds. A correct client tries again after a 503. The command ended with exit status 3; that of a correct client succeeds. The command printed first Error: 503 failed outcome The command ended with exit status 3;",
    );
    expect(text).toContain("Known failures known requests 9 requests of token arrived. Known: PAY-18");
    expect(html(mixedReport())).toContain("<details open>");
    expect(text).toContain("Expected error: INVALID_PAGE_SIZE, 2 times in outage");
    expect(text).toContain(
      "Drills: failed 2 Drills: passed 1 Drills: not exercised 2 Checks: failed 2 Checks: warning 1",
    );
    expect(text).toContain("The fault never reached token.refused: ");
  });

  it("says that nothing was exercised, or that nothing failed", () => {
    const idle = checksOf().map((check) => ({ ...check, verdict: "not-exercised" as const }));
    expect(html(reportOn(drillOf("run", idle, { verdict: "not-exercised" })))).toContain(
      "<h1>No check was exercised.</h1>",
    );
    expect(html(reportOn(drillOf("run", checksOf())))).toContain(
      `<h1>The client passed all ${checkIds.length} checks that were exercised.</h1>`,
    );
  });

  it("allows only its own style: no script, no frame, and no address but those of its parts", () => {
    const page = html(hostileReport());
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    );
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\s(?:src|style|on\w+)=|url\(|@import/i);
    expect([...page.matchAll(/href="([^"]*)"/g)].filter(([, to = ""]) => !/^#[\w-]+$/.test(to))).toEqual([]);
  });

  it("has only its own tags, whatever the report contains", () => {
    const tags = (page: string) => [...new Set([...page.matchAll(/<\/?([a-z]\w*)/gi)].map(([, name]) => name))].sort();
    expect(tags(html(hostileReport()))).toEqual(tags(html(examReport())));
    expect(html(hostileReport()).replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it("has the colours and fonts of the dashboard, in light and dark", () => {
    const theirs = tokens(readFileSync(join(root, "src/admin/dashboard/style/tokens.css"), "utf8"));
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
