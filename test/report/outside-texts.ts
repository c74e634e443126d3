import { expect } from "vitest";

/**
 * Expects that texts from outside became no markup, link or mention in Markdown, and no additional cell of a table.
 * @param cells how many the rows of its tables have
 */
export function expectOnlyOwnMarkdown(text: string, cells: readonly number[]): void {
  const outside = text.replaceAll(/\\[\\`*_[\]|~@#$:!]/g, "");
  expect(
    outside
      .replaceAll("<br>", "")
      .replaceAll("<details><summary>", "")
      .replaceAll("</summary>", "")
      .replaceAll("</details>", ""),
  ).not.toMatch(/[<>`~@$\\]/);
  expect(outside).not.toMatch(/\]\(|https?:\/\/|\*b\*/);
  const rows = outside.split("\n").filter((line) => line.startsWith("| "));
  expect(new Set(rows.map((row) => row.split("|").length - 2))).toEqual(new Set(cells));
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
}
