import { isObject, type JsonObject } from "../text/json-object.js";
import { counted } from "../text/numbers.js";
import { printable } from "../text/printable.js";
import type { Finding, Findings } from "./findings.js";

/** Most characters of a cell with a value. */
const longestCell = 44;

/** Whether the findings were written to a file. */
export type Written = "written" | "not written";

/**
 * The findings for people: a table of the settings, what cannot be imitated, and what is unknown.
 * @param onlyDifferent whether settings that are the same are left out
 */
export function findingsText(findings: Findings, written: Written, onlyDifferent: boolean): string {
  const { settings, remarks, unknown } = findings;
  const rows = settings.filter(({ same }) => !onlyDifferent || !same).map((finding) => rowOf(finding, written));
  const head = ["setting", "the sandbox had", "the service does", "written"];
  const parts = [
    ...(rows.length === 0
      ? []
      : [tableText(onlyDifferent ? [head, ...rows].map((row) => row.slice(0, 3)) : [head, ...rows])]),
    ...(remarks.length === 0 ? [] : [listText("Not imitated:", remarks)]),
    ...(unknown.length === 0 || onlyDifferent
      ? []
      : [
          listText(
            "Unknown, and not changed:",
            unknown.map(({ id, reason }) => ({ id, text: reason })),
          ),
        ]),
  ];
  return parts.join("\n");
}

/** One sentence about all settings. */
export function summaryText({ settings, unknown }: Findings): string {
  const different = settings.filter(({ same }) => !same).length;
  return `${counted(settings.length, "setting")} seen, ${different} of them different in the sandbox; ${unknown.length} unknown.`;
}

function rowOf({ place, had, reading, same }: Finding, written: Written): readonly string[] {
  const name = place[0] === "assumptions" ? place.slice(1) : place;
  const { value, certainty, remarks } = reading;
  const note = same ? "same" : written === "written" && value !== undefined ? `yes, ${certainty}` : "no";
  const [before, now] = place.at(-1) === "fields" ? [namesIn(had), namesIn(value)] : shownOf(had, value, same);
  return [name.join("."), cell(before), cell(now ?? remarks[0]), note];
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
  const different = names.filter((name) => JSON.stringify(had[name]) !== JSON.stringify(value[name]));
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

function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join("");
}

function listText(title: string, entries: readonly { readonly id: string; readonly text: string }[]): string {
  return `${title}\n${entries.map(({ id, text }) => `  ${id}: ${printable(text)}\n`).join("")}`;
}
