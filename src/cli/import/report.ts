import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import type { ImportedDocument } from "../../imitate/import/import-document.js";
import type { ImportedList } from "../../imitate/import/list-importer.js";
import type { Meaning } from "../../imitate/import/mapping.js";
import type { ProvenList } from "../../imitate/import/proof.js";

/** The first line: the document that was read. */
export function documentText(file: string, { title, version, operations }: ImportedDocument): string {
  const named = title === "" ? "" : `${printable(title, 80)}, `;
  return `${file}: ${named}OpenAPI ${version}, ${counted(operations, "GET operation")}\n`;
}

/** One list, with the source of each part. */
export function listText({ name, template, settings, chosen, mapped, otherItems }: ImportedList): string {
  const by = (...meanings: readonly Meaning[]) => (meanings.every((each) => mapped.has(each)) ? "" : " (guessed)");
  const shown = (meaning: Meaning) => printable(chosen.get(meaning) ?? "none", 80);
  const cursor = chosen.has("cursor") ? shown("cursor") : "no parameter";
  const { fields = {}, filters = {}, parameters, envelope = {} } = settings;
  const { nextCursor, cursorHeader, nextLink, linkHeader } = envelope;
  const header = cursorHeader ?? (linkHeader && "Link");
  const place = nextCursor ?? (header && `the header ${header}`) ?? nextLink ?? "nextCursor";
  const next = nextLink !== undefined || linkHeader ? "next-link" : "next-cursor";
  const bounds = [parameters?.fromCreatedAt, parameters?.toCreatedAt].filter((each) => typeof each === "string");
  const others = otherItems.length === 0 ? "" : `; not ${otherItems.join(", ")}`;
  const rows: readonly (readonly [string, string])[] = [
    ["rows", `${shown("items")}, ${counted(Object.keys(fields).length, "field")}${by("items")}${others}`],
    ["page size", `${shown("page-size")}${chosen.has("page-size") ? by("page-size") : ""}`],
    [
      "cursor",
      nextCursor === null
        ? "none: all rows are on one page"
        : `${cursor}, the next one in ${place}${by("cursor", next)}`,
    ],
    ...(settings.dateField ? [["date", `${settings.dateField}${by("date-field")}`] as const] : []),
    ...(bounds.length > 0 ? [["from, to", `${bounds.join(", ")}${by("from", "to")}`] as const] : []),
    ...(["has-more", "total", "count", "page", "pages"] as const).flatMap((each) =>
      chosen.has(each) ? [[each.replace("-", " "), `${shown(each)}${by(each)}`] as const] : [],
    ),
    ...(Object.keys(filters).length > 0 ? [["filters", Object.keys(filters).join(", ")] as const] : []),
  ];
  const lines = rows.map(([what, value]) => `    ${what.padEnd(10)}${printable(value)}\n`);
  return `\n${name}: GET ${printable(template, 200)}\n${lines.join("")}`;
}

/** Most places that are shown for the same message. */
const mostPlaces = 3;

/** What could not be imported: each message once, with its places. */
export function notesText({ notes, droppedNotes }: ImportedDocument): string {
  if (notes.length === 0) return "";
  const places = new Map<string, string[]>();
  for (const { place, message } of notes) {
    const known = places.get(message);
    if (known) known.push(place);
    else places.set(message, [place]);
  }
  const groups = [...places].map(([message, all]) => {
    const more = all.length - mostPlaces;
    const shown = [...all.slice(0, mostPlaces), ...(more > 0 ? [`… and ${counted(more, "more place")}`] : [])];
    return `${shown.map((place) => `  ${place}\n`).join("")}      ${message}\n`;
  });
  const dropped = droppedNotes === 0 ? "" : `  … and ${counted(droppedNotes, "more note")}\n`;
  return `\nNot imported, or only in part:\n${groups.join("")}${dropped}`;
}

const boundsText = { date: "bounds are dates", both: "bounds are dates or date-times" } as const;

/** The last lines: what was written, and how to correct it. */
export function writtenText(
  out: string,
  written: readonly ImportedList[],
  kept: readonly string[],
  dates: "date" | "both" | undefined,
): string {
  const names = written.map(({ name }) => name).join(", ");
  const done =
    written.length === 0
      ? `${out}: nothing was written${kept.length === 0 ? ", because the document has no list" : ""}.`
      : `${out}: ${counted(written.length, "list")} written: ${names}.`;
  const left = kept.length === 0 ? "" : ` Existing, and not changed: ${kept.join(", ")} (--force replaces).`;
  const bounds =
    written.length === 0 || dates === undefined ? "" : `assumptions.list.dates: ${boundsText[dates]}, for all lists.\n`;
  const hint = written.length === 0 ? "" : "Guesses follow names; --map [LIST:]MEANING=NAME corrects them.\n";
  return `\n${done}${left}\n${bounds}${hint}`;
}

/** How many lists answer as the document says, and why the others do not. */
export function proofText(proven: readonly ProvenList[]): string {
  const others = proven.filter(({ faults }) => faults.length > 0);
  const right = proven.length - others.length;
  const lines = others.flatMap(({ name, faults }) => [
    `  ${name}`,
    ...faults.map(
      ({ page, pointer, reason }) => `      page ${page}, ${printable(pointer || "/", 200)}: ${printable(reason, 300)}`,
    ),
  ]);
  const verb = proven.length === 1 ? "answers" : "answer";
  const score = `${right} of ${counted(proven.length, "list")} ${verb} as the document says`;
  return `${score}${lines.length === 0 ? "." : `. Not these:\n${lines.join("\n")}`}\n`;
}
