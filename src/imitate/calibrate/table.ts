import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import { type ComparedSetting, type Findings, isDrift } from "./findings.js";
import { changesOf, nameOf, valueText } from "./leaves.js";
import type { ComparedAnswer } from "./replay.js";

/** Most lines of each part of a report that is not verbose: together at most 40. */
const most = { drift: 18, settings: 11, remarks: 8, differences: 11 } as const;

/** The findings that were written, for people: what differs in the sandbox, and what cannot be imitated. */
export function findingsText({ settings, remarks, unknown }: Findings, verbose: boolean): string {
  const different = settings.filter(({ same }) => !same);
  const same = settings
    .filter((each) => each.same)
    .map(({ reading: { place, value } }) => `${nameOf(place)}: ${valueText(value)}`);
  const of = (part: keyof typeof most) => (verbose ? Number.POSITIVE_INFINITY : most[part]);
  const summary = `${counted(settings.length, "setting")} seen, ${different.length} of them different in the sandbox; ${unknown.length} unknown`;
  return [
    partText(summary, different.flatMap(changesText), of("settings")),
    partText(
      "Not imitated",
      remarks.map(({ id, text }) => `${id}: ${text}`),
      of("remarks"),
    ),
    ...(verbose ? [partText("The same", same), partText("Unknown, and not changed", unknown)] : []),
  ].join("");
}

/**
 * What has changed since the file was written, for people; empty if nothing has.
 * @param answers sentences about answers
 * @param file its name
 */
export function driftText({ settings }: Findings, answers: readonly string[], file: string, verbose: boolean): string {
  const lines = [...settings.filter(isDrift).flatMap(changesOf), ...answers];
  if (lines.length === 0) return "";
  return partText(`The service does not do what ${file} says`, lines, verbose ? undefined : most.drift);
}

/** How many answers of the sandbox are the service's, and which are not. Answers about one point count as one. */
export function comparisonText(compared: readonly ComparedAnswer[], verbose: boolean): string {
  const points = new Set(compared.map(({ point }) => point));
  const different = new Set(compared.filter(({ differences }) => differences.length > 0).map(({ point }) => point));
  const same = points.size - different.size;
  const score = `${same} of ${counted(points.size, "answer")} ${same === 1 ? "is" : "are"} the same.\n`;
  if (different.size === 0) return score;
  return score + partText("Not the same", differenceLines(compared), verbose ? undefined : most.differences);
}

/** One line for all answers that differ in the same. */
function differenceLines(compared: readonly ComparedAnswer[]): readonly string[] {
  const answers = new Map<string, string[]>();
  for (const { observation, differences } of compared)
    for (const { what, service, sandbox } of differences) {
      const line = `${what}: the service ${shown(service)}, the sandbox ${shown(sandbox)}`;
      answers.set(line, [...(answers.get(line) ?? []), observation.step.says]);
    }
  return [...answers].map(([line, says]) => {
    const [first, ...others] = new Set(says);
    return `${first}${others.length > 0 ? `, and ${others.length} more` : ""}: ${line}`;
  });
}

/** Longest part of a difference, in characters. */
const longestPart = 300;

function shown(text: string): string {
  const whole = printable(text);
  return whole.length > longestPart ? `${whole.slice(0, longestPart)}…` : whole;
}

function changesText(setting: ComparedSetting): readonly string[] {
  const { certainty, value } = setting.reading;
  const note = value === undefined ? " (not written)" : certainty === "certain" ? "" : ` (${certainty})`;
  return changesOf(setting).map((change) => change + note);
}

/** Lines below a title; empty without lines. */
function partText(title: string, lines: readonly string[], most = Number.POSITIVE_INFINITY): string {
  if (lines.length === 0) return "";
  const kept = lines.slice(0, most).map((line) => `  ${printable(line)}\n`);
  const more = lines.length - kept.length;
  return `${title}:\n${kept.join("")}${more > 0 ? `  … and ${more} more, with --verbose\n` : ""}`;
}
