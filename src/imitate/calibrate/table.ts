import { isObject, type JsonObject } from "../../base/text/json-object.js";
import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import { outcomeText } from "./answer.js";
import { type ComparedSetting, type Findings, isDrift } from "./findings.js";
import type { ComparedAnswer } from "./replay.js";

/** Most characters of a cell with a value. */
const longestCell = 44;

/**
 * The findings that were written, for people: a table of the settings, what cannot be imitated, and what is unknown.
 */
export function findingsText({ settings, remarks, unknown }: Findings): string {
  const rows = settings.map((finding) => [...rowOf(finding), noteOf(finding)]);
  const reasons = unknown.map(({ id, reason }) => ({ id, text: reason }));
  const parts = [
    tableText([...head, "written"], rows),
    listText("Not imitated:", remarks),
    listText("Unknown, and not changed:", reasons),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** A table of the settings that differ, for people. */
export function driftText({ settings }: Findings): string {
  return tableText(head, settings.filter(isDrift).map(rowOf));
}

/** One sentence about all settings. */
export function summaryText({ settings, unknown }: Findings): string {
  const different = settings.filter(({ same }) => !same).length;
  return `${counted(settings.length, "setting")} seen, ${different} of them different in the sandbox; ${unknown.length} unknown.`;
}

/** How many answers of the sandbox are the service's, and which are not. Answers about one point count as one. */
export function comparisonText(compared: readonly ComparedAnswer[]): string {
  const points = [...new Set(compared.map(({ point }) => point))];
  const different = points
    .map((each) => differencesText(compared.filter(({ point }) => point === each)))
    .filter((text) => text !== "");
  const same = points.length - different.length;
  const score = `${same} of ${counted(points.length, "answer")} ${same === 1 ? "is" : "are"} the same.\n`;
  const numbered = different.map((text, place) => `${String(place + 1).padStart(4)}. ${text}`);
  return different.length === 0 ? score : `${score}Not the same:\n${numbered.join("")}`;
}

/** The answers about one point that differ: what differs is said once. */
function differencesText(answers: readonly ComparedAnswer[]): string {
  const printed = new Set<string>();
  const texts = answers.flatMap(({ observation: { step, outcome }, differences }) => {
    const lines = differences
      .map(({ what, service, sandbox }) => `${what}: the service ${shown(service)}, the sandbox ${shown(sandbox)}`)
      .filter((line) => !printed.has(line));
    for (const line of lines) printed.add(line);
    const of = `${printable(step.says)}: ${outcomeText(outcome)}`;
    return lines.length === 0 ? [] : [[of, ...lines.map((line) => `    ${line}`)].join("\n      ")];
  });
  return texts.length === 0 ? "" : `${texts.join("\n      ")}\n`;
}

/** Longest part of a difference, in characters. */
const longestPart = 300;

function shown(text: string): string {
  const whole = printable(text);
  return whole.length > longestPart ? `${whole.slice(0, longestPart)}…` : whole;
}

const head = ["setting", "the sandbox had", "the service does"];

function rowOf({ place, had, reading: { value, remarks, evidence }, same }: ComparedSetting): readonly string[] {
  const name = place[0] === "assumptions" ? place.slice(1) : place;
  const [before, now] = place.at(-1) === "fields" ? [namesIn(had), namesIn(value)] : shownOf(had, value, same);
  return [
    name.join("."),
    cell(before),
    cell(now ?? remarks[0] ?? (evidence[0] && `${evidence[0].step.says} gets ${outcomeText(evidence[0].outcome)}`)),
  ];
}

function noteOf({ reading: { value, certainty }, same }: ComparedSetting): string {
  if (same) return "same";
  return value === undefined ? "no" : `yes, ${certainty}`;
}

/** Rows are shown by the names of their members: the generators are too long for a table. */
function namesIn(fields: unknown): unknown {
  return isObject(fields) ? Object.keys(fields).join(", ") : fields;
}

/** The relevant parts: of a refusal those that the service shows, of other settings those that differ. */
function shownOf(had: unknown, value: unknown, same: boolean): readonly [unknown, unknown] {
  if (!isObject(had) || !isObject(value)) return [had, value];
  const names = Object.keys(value);
  if (isRefusal(had)) return [pick(had, names), value];
  if (same || typeof value["status"] === "number") return [had, value];
  const all = [...new Set([...names, ...Object.keys(had)])];
  const different = all.filter((name) => JSON.stringify(had[name]) !== JSON.stringify(value[name]));
  return [pick(had, different), pick(value, different)];
}

function isRefusal(value: unknown): value is JsonObject {
  return isObject(value) && "wwwAuthenticate" in value;
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

function cell(value: unknown): string {
  const text = printable(isObject(value) && typeof value["status"] === "number" ? statusText(value) : valueText(value));
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text;
}

/** `401 INVALID_CLIENT, error invalid_client`. */
function statusText({ status, code, ...rest }: JsonObject): string {
  const start = code === undefined ? `${status}` : `${status} ${code}`;
  const others = Object.entries(rest).map(([name, value]) => `, ${name} ${valueText(value)}`);
  return start + others.join("");
}

function valueText(value: unknown): string {
  if (value === undefined) return "–";
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, member]) => `${name}: ${valueText(member)}`);
    return `{ ${members.join(", ")} }`;
  }
  return String(value);
}

/** Empty without rows. */
function tableText(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const all = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return all.map((row) => `${line(row)}\n`).join("");
}

/** Empty without entries. */
function listText(title: string, entries: readonly { readonly id: string; readonly text: string }[]): string {
  if (entries.length === 0) return "";
  return `${title}\n${entries.map(({ id, text }) => `  ${id}: ${printable(text)}\n`).join("")}`;
}
