import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import type { Group, Tally } from "./tally.js";

/** Most groups that are shown; the others are counted. */
const mostShown = 10;

/**
 * What the sandbox saw, as text for the end of a test run.
 * @param isCutShort whether a signal ended it
 */
export function summaryText(tally: Tally, seed: string, isCutShort: boolean): string {
  const { requests, operations, refusals, unrefused, handshakes, disturbed } = tally;
  const width = Math.max(...[...operations.keys()].map((name) => name.length));
  const lines = [
    requests === 0
      ? `No request reached the sandbox.${isCutShort ? "" : " Does the command use SANDBOX_URL and the files that SANDBOX_* name?"}`
      : `The sandbox saw ${counted(requests, "request")}:`,
    ...[...operations].map(([name, outcomes]) => `  ${name.padEnd(width)}  ${outcomesText(outcomes)}`),
    ...section("The client went on despite a certificate that it should have refused:", unrefused),
    ...section("Refused, or disturbed by a scenario:", refusals),
    ...section("Connections without a request:", handshakes),
    ...(disturbed ? [`The random decisions of scenarios can be repeated with --seed ${seed}.`] : []),
  ];
  return `\npayments-sandbox: ${lines.join("\n")}\n`;
}

function outcomesText(outcomes: ReadonlyMap<string, number>): string {
  return [...outcomes].map(([outcome, count]) => `${outcome} ×${count}`).join(", ");
}

function section(title: string, groups: ReadonlyMap<string, Group>): string[] {
  if (groups.size === 0) return [];
  const shown = [...groups.values()].slice(0, mostShown);
  const lines = shown.flatMap(({ what, explanation, count }) => {
    const times = count === 1 ? "" : ` (×${count})`;
    return what === ""
      ? [`  ${printable(explanation)}${times}`]
      : [`  ${printable(what)}${times}`, `      ${printable(explanation)}`];
  });
  const rest = groups.size - shown.length;
  return [title, ...lines, ...(rest > 0 ? [`  … and ${counted(rest, "other kind")}`] : [])];
}
