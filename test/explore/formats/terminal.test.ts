import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { ExploreReport } from "../../../src/explore/report.js";
import { stateWords } from "../../../src/explore/words.js";
import { cellOf, exploreTerminal, hostileReport, reportOf, sampleReport } from "../sample.js";

const plain = { level: "must", coloured: false, columns: 80 } as const;

/** Only a command line that is to be copied may be wider than the terminal. */
const tooWide = (text: string, columns: number) =>
  text.split("\n").filter((line) => line.length > columns && !line.startsWith("  Repeat: "));

/** A text without the breaks of its lines. */
const unwrapped = (text: string) => text.replaceAll(/\n {0,2}(?=\S)/g, " ");

/** The rows of the matrix: label and signs. */
const rowsOf = (text: string, label: string) =>
  text.split("\n").flatMap((line) => (line.startsWith(`${label} `) ? [line.slice(label.length).trim()] : []));

describe("explore's report at the terminal", () => {
  it.each([80, 44])("reads as in the file, %d columns wide", async (columns) => {
    const text = exploreTerminal(sampleReport(), { ...plain, columns });
    await expect(text).toMatchFileSnapshot(`./snapshots/terminal-${columns}.txt`);
  });

  it.each([132, 80, 60, 40, 30])("fits into %d columns, with every cell", (columns) => {
    const report = sampleReport();
    const text = exploreTerminal(report, { ...plain, columns });
    expect(tooWide(text, columns)).toEqual([]);
    const legend = [...text.matchAll(/^ {2}(\S) +(\d+) {2}\S/gm)];
    const counts: Record<string, number> = Object.fromEntries(
      legend.map(([, sign, count]) => [sign, Number(count)] as const),
    );
    expect(counts).toMatchObject({ W: 3, g: 3, k: 1, ".": 2, "?": 1, "%": 1, "-": 1 });
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(report.cells.length + report.notRun.length);
    const signs = rowsOf(text, "ping").join(" ").split(/ +/);
    expect(signs).toHaveLength(report.cells.filter(({ point }) => point === "ping").length);
  });

  it("has room for twenty faults and a long name, whose role stays", () => {
    const point = `list.${"transfers".repeat(5)}.middle`;
    const cells = Array.from({ length: 20 }, (_, index) => cellOf(point, `my-fault-${index}`));
    const text = exploreTerminal(reportOf(...cells), plain);
    expect(tooWide(text, 80)).toEqual([]);
    expect(text).toMatch(/^list\.\S+….middle( ✓){20}$/m);
  });

  it("has a sign of its own for each state", () => {
    const signs = Object.values(stateWords).map(({ sign }) => sign);
    expect(new Set(signs).size).toBe(signs.length);
  });

  it("tells findings of the same weakness once, at all of their points, and others apart", () => {
    const lost = { verdict: "wrong", fix: "Report it." } as const;
    const faults = ["close", "reset", "hang", "stall", "truncate", "garbage", "slow", "error-500"];
    const many = ["middle", "last"].flatMap((role) => faults.map((fault) => cellOf(`list.a.${role}`, fault, lost)));
    const text = exploreTerminal(reportOf(...many, cellOf("list.a.last", "goaway", { ...lost, fix: "Other." })), plain);
    expect(text.match(/^WRONG /gm)).toHaveLength(2);
    expect(unwrapped(text)).toContain(
      "Also in list.a.middle: reset, hang, stall, truncate, garbage, slow, error-500; list.a.last: close, reset, hang, stall, truncate, garbage, slow, error-500.",
    );
  });

  it("has warnings after failures, and failures of the level should if that is asked for", () => {
    const report = reportOf(
      cellOf("ping", "reset", { verdict: "gave-up" }),
      cellOf("list.a.last", "close", { verdict: "wrong" }),
    );
    const at = (level: "must" | "should") => unwrapped(exploreTerminal(report, { ...plain, level }));
    expect(at("must").indexOf("WRONG")).toBeLessThan(at("must").indexOf("GAVE UP"));
    expect(at("must")).toContain("does not survive 1 of the 2 failures that were judged.");
    expect(at("must")).toContain("Cells: 1 failed, 1 warning.");
    expect(at("should")).toContain("does not survive both failures that were judged.");
  });

  it("ends each finding with the line that repeats it, in one piece", () => {
    const repeat = `payments-sandbox explore --only 'ping/reset' -- npm test -- ${"x".repeat(100)}`;
    const text = exploreTerminal(reportOf(cellOf("ping", "reset", { verdict: "gave-up", repeat })), plain);
    expect(text).toContain(`\n  Repeat: ${repeat}\n`);
  });

  it.each([
    ["no cell was run", reportOf(), "No cell was run"],
    ["no fault acted", reportOf(cellOf("ping", "hang", { verdict: "not-reached" })), "No fault acted"],
    ["nothing was judged", reportOf(cellOf("ping", "hang", { verdict: "not-judged" })), "No cell could be judged"],
  ])("does not praise if %s", (_, report, sentence) => {
    const text = exploreTerminal(report, plain);
    expect(unwrapped(text)).toContain(`payments-sandbox: ${sentence}, so nothing is known about this client.`);
    expect(text).not.toMatch(/survive|✓/);
  });

  it("praises what was judged, and says what was not", () => {
    const cells = [cellOf("ping", "close"), cellOf("ping", "hang", { verdict: "not-judged", message: "Busy." })];
    const text = exploreTerminal({ ...reportOf(...cells), notRun: ["ping/reset"] }, plain);
    expect(text).toContain("NOT JUDGED 1 cell\n  ping/hang\n  Busy.\n");
    expect(text).toContain("NOT RUN 1 cell\n  ping/reset\n");
    expect(text).toContain("This client survives the one failure that was judged.\n");
    expect(text).toContain("Cells: 1 good, 1 without a verdict, 1 not run.\n");
  });

  it("has lines that fit and no control character, whatever the report contains", () => {
    const text = exploreTerminal(hostileReport(), plain);
    expect(tooWide(text, 80)).toEqual([]);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it("is coloured only on request, with the same text", () => {
    const shown = (report: ExploreReport) => exploreTerminal(report, { ...plain, coloured: true });
    const coloured = shown(sampleReport());
    expect(coloured).toContain("\u001b[31mWRONG\u001b[0m");
    expect(coloured).toContain("\u001b[31mW\u001b[0m");
    expect(coloured).toContain("\u001b[33mg\u001b[0m");
    expect(coloured).toContain("\u001b[32m✓\u001b[0m");
    expect(coloured).not.toMatch(/\[\d+m[k?%.-]/);
    expect(stripVTControlCharacters(coloured)).toBe(exploreTerminal(sampleReport(), plain));
  });
});
