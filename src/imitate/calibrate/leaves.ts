import { isObject, type JsonObject } from "../../base/text/json-object.js";
import type { FieldSettings } from "../../sandbox/lists/settings.js";
import { outcomeText } from "./answer.js";
import { optionalMembers } from "./envelope.js";
import { differingTypes, namesIn } from "./fields.js";
import type { ComparedSetting } from "./findings.js";

/** The name of a setting: its place, without the word that all assumptions have. */
export function nameOf(place: readonly string[]): string {
  return (place[0] === "assumptions" ? place.slice(1) : place).join(".");
}

/** What differs in a setting, one sentence for each leaf: `lists.payments.pageSize.maximum: was 50, is 100`. */
export function changesOf({ had, reading: { place, value, remarks, evidence } }: ComparedSetting): readonly string[] {
  const name = nameOf(place);
  if (value === undefined) {
    const [first] = evidence;
    const now = first ? `${first.step.says} gets ${outcomeText(first.outcome)}` : (remarks[0] ?? "it is not");
    return [`${name}: was ${valueText(had)}, but ${now}`];
  }
  const kind = place.at(-1);
  if (kind === "fields") return isObject(had) ? fieldChanges(name, had, value) : [change(name, had, value)];
  const changes = leafChanges(name, had, value, kind);
  return changes.length > 0 ? changes : [change(name, had, value)];
}

function change(name: string, had: unknown, value: unknown): string {
  return `${name}: was ${valueText(had)}, is ${valueText(value)}`;
}

function leafChanges(name: string, had: unknown, value: unknown, kind: string | undefined): readonly string[] {
  if (!isObject(had) || !isObject(value)) return same(had, value) ? [] : [change(name, had, value)];
  const isWhole = kind === "filters" || kind === "extra";
  const further = isWhole ? Object.keys(had) : kind === "envelope" ? optionalMembers : [];
  return [...new Set([...Object.keys(value), ...further])].flatMap((each) => {
    // The values of constant members are not compared.
    if (kind === "extra" && each in had && each in value) return [];
    return leafChanges(`${name}.${each}`, had[each], value[each], each);
  });
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Rows differ in the types of their members. */
function fieldChanges(name: string, had: JsonObject, value: unknown): readonly string[] {
  return differingTypes(had as FieldSettings, value as FieldSettings).map(([path, one, other]) =>
    change([name, ...namesIn(path)].join("."), one, other),
  );
}

/** A value on one line. Of a refusal, status and code come first: `401 INVALID_CLIENT, error invalid_client`. */
export function valueText(value: unknown): string {
  if (value === undefined) return "absent";
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (!isObject(value)) return value === "" ? '""' : String(value);
  const { status, code, ...rest } = value;
  const isRefusal = typeof status === "number";
  const all = Object.entries(isRefusal ? rest : value);
  // Rows are shown by the names of their members: the generators are too long for a line.
  if (all.length > 0 && all.every(([, each]) => isObject(each) && typeof each["type"] === "string"))
    return all.map(([name]) => name).join(", ");
  const members = all.map(([name, member]) =>
    isRefusal ? `, ${name} ${valueText(member)}` : `${name}: ${valueText(member)}`,
  );
  if (isRefusal) return [status, ...(code === undefined ? [] : [code])].join(" ") + members.join("");
  return `{ ${members.join(", ")} }`;
}
