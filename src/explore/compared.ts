import { thousands } from "../base/text/numbers.js";
import { named } from "../report/sheet.js";
import { type Cell, cellName, weightOf } from "./report.js";

/** Names in a sentence, at most. */
const mostNamed = 6;

/**
 * What is new, gone and the same since an earlier exploration, in one sentence.
 * @param what it is compared with, such as `report.json`
 * @param former the names of the findings that there were
 * @param cells that were run now
 */
export function comparedText(what: string, former: ReadonlySet<string>, cells: readonly Cell[]): string {
  const names = (wanted: (cell: Cell) => boolean) => cells.filter(wanted).map(cellName);
  const findings = names((cell) => weightOf(cell, "should") !== undefined);
  const good = new Set(names(({ counts }) => counts === "good"));
  const [appeared, same] = [findings.filter((name) => !former.has(name)), findings.filter((name) => former.has(name))];
  const gone = [...former].filter((name) => good.has(name));
  const unknown = [...former].filter((name) => !good.has(name) && !same.includes(name));
  const parts = [part(appeared, "new"), part(gone, "gone"), part(same, "the same")];
  return `Compared with ${what}: ${parts.join(", ")}${unknown.length > 0 ? `. Nothing is known of ${part(unknown, unknown.length === 1 ? "other" : "others")}` : ""}.`;
}

/** `2 new (ping/reset, ping/hang)`. */
function part(names: readonly string[], what: string): string {
  return `${thousands(names.length)} ${what}${names.length > 0 ? ` (${named(names, mostNamed)})` : ""}`;
}
