import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ExploreReport } from "../../../src/explore/report.js";
import { cellOf, formatExplore, hostileReport, reportOf, sampleReport } from "../sample.js";

const html = (report: ExploreReport) => formatExplore(".html", report, "must");

/** The text of a piece of a page, without its tags. */
const textOf = (page: string) =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The story of a cell: the folded line that its sign leads to. */
function storyOf(page: string, id: string): string {
  return (
    new RegExp(`<li class="story"><details><summary>(?:(?!</summary>).)*</summary><div id="${id}">.*?</li>`, "s").exec(
      page,
    )?.[0] ?? ""
  );
}

describe("explore's report as HTML", () => {
  it("has a row for each point, a column for each fault, and a sign with a text for each cell", () => {
    const report = sampleReport();
    const page = html(report);
    const heads = [...page.matchAll(/<th scope="col"><span>(.*?)<\/span>/g)].map(([, name]) => name);
    expect(heads).toEqual([...new Set(report.cells.map(({ fault }) => fault))]);
    const rows = [...page.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)];
    expect(rows.map(([, name = ""]) => textOf(name).replaceAll(" ", ""))).toEqual(report.points.map(({ id }) => id));
    for (const [, , cells = ""] of rows) expect(cells.match(/<td>/g)).toHaveLength(heads.length);
    expect(page).toContain('<span aria-hidden="true">W</span><span class="hidden">wrong</span>');
    expect(page).toMatch(
      /title="list.payouts.only\/forbidden-always: not run"><span aria-hidden="true">.<\/span><span class="hidden">not run<\/span><\/a>/,
    );
  });

  it("opens the story of each cell by its sign, without a script", () => {
    const report = sampleReport();
    const page = html(report);
    const links = [...page.matchAll(/<td><a class="\w+" href="#([\w-]+)" title="([^":]*): /g)];
    const places = report.cells.length + report.notRun.length;
    expect(links).toHaveLength(places);
    expect(new Set(links.map(([, id]) => id)).size).toBe(places);
    for (const [, id = "", name = ""] of links.filter(([, , title = ""]) => !report.notRun.includes(title)))
      expect(textOf(storyOf(page, id))).toContain(name.slice(name.lastIndexOf("/") + 1));
  });

  it("tells in a story what the client did, what to change, how to repeat it, the requests, the output and the scenario", () => {
    const report = sampleReport();
    const page = html(report);
    const [, id = ""] = /href="#([\w-]+)" title="list.payments.middle\/truncate: /.exec(page) ?? [];
    expect(textOf(storyOf(page, id))).toBe(
      [
        "wrong truncate GET /v1/payments, page 2 of 3, was cut off after 812 of 1,630 bytes; it was not sent again, and the command ended with 0: 7 of 21 rows were never delivered.",
        "GET /v1/payments, page 2 of 3, was cut off after 812 of 1,630 bytes; it was not sent again, and the command ended with 0: 7 of 21 rows were never delivered.",
        "Treat an answer that ends before its Content-Length as failed, and send the request again or report it.",
        "Requests 0.31 s GET /v1/payments?pageSize=7: 200 0.33 s GET /v1/payments?pageSize=7&amp;cursor=abcdef: 200, not delivered whole (the fault)",
        "Tests that failed lists &gt; counts all payments: expected 14 to be 21 Of 2 tests nothing is known.",
        "The command printed ok 3 - lists all payments # pass 12 # fail 0",
        "Repeat it payments-sandbox explore --only &#39;list.payments.middle/truncate&#39; -- npm test",
        "The command ended with exit status 0 after 1.2 s.",
        "The scenario that reproduces it description: truncate at list.payments.middle rules: - when: { operation: ping } then: { close: true }",
      ].join(" "),
    );
  });

  it("lists the findings by test, with links to their stories", () => {
    const page = html(sampleReport());
    const [, test = ""] = /<ul class="tests">(.*?)<\/ul>/s.exec(page) ?? [];
    expect(textOf(test).replaceAll(" ,", ",")).toBe(
      "lists &gt; counts all payments fails at list.payments.middle/close, list.payments.middle/truncate, list.payments.last/truncate",
    );
    for (const [, id = ""] of test.matchAll(/href="#([\w-]+)"/g)) expect(storyOf(page, id)).not.toBe("");
    expect(html(reportOf(cellOf("ping", "reset")))).not.toContain("By test");
  });

  it("says what is not known, and does not colour it as good", () => {
    const page = html(sampleReport());
    const text = textOf(page);
    expect(text).toContain("Not reached: 1 cell token.renewal/early-expiry. The fault never acted");
    expect(text).toContain("Not run: 2 cells list.payouts.only/forbidden-always");
    expect(text).toContain("Unstable: 1 point list.payouts.first.");
    for (const name of ["not reached", "not judged", "unstable", "known"])
      expect(page, name).not.toMatch(new RegExp(`<a class="good"[^>]*: ${name}"`));
    expect(page).toMatch(/<a class="none"[^>]*: not judged"/);
  });

  it("is a page also without a cell", () => {
    expect(textOf(html(reportOf()))).toContain("No cell was run, so nothing is known about this client.");
    expect(html(reportOf())).not.toContain("<table");
  });

  it("allows only its own style: no script, and no address but those of its stories", () => {
    const page = html(hostileReport());
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}'; `);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\s(?:src|style|on\w+)=|url\(|@import/i);
    expect([...page.matchAll(/href="([^"]*)"/g)].filter(([, to = ""]) => !/^#[\w-]+$/.test(to))).toEqual([]);
  });

  it("has only its own tags, whatever the report contains", () => {
    const tags = (page: string) => [...new Set([...page.matchAll(/<\/?([a-z]\w*)/gi)].map(([, name]) => name))].sort();
    expect(tags(html(hostileReport()))).toEqual(tags(html(sampleReport())));
    expect(html(hostileReport()).replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it("counts cells in the tiles", () => {
    const text = textOf(html(reportOf(cellOf("ping", "close"), cellOf("ping", "hang", { verdict: "hung" }))));
    expect(text).toContain("Cells: failed 1 Cells: good 1");
  });
});
