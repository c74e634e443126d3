/** Placeholders for values that may be somebody's: of the same shape, with nothing of the original in them. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;
const date = /^\d{4}-\d\d-\d\d$/;
const decimal = /^-?\d{1,12}\.\d{1,9}$/;

/** What a text looks like. */
export type TextShape = "uuid" | "date-time" | "date" | "decimal" | "digits" | "empty" | "text";

/** What a text looks like, whatever it says. */
export function shapeOf(text: string): TextShape {
  if (text === "") return "empty";
  if (uuid.test(text)) return "uuid";
  if (dateTime.test(text)) return "date-time";
  if (date.test(text)) return "date";
  if (decimal.test(text)) return "decimal";
  return /^\d+$/.test(text) ? "digits" : "text";
}

/** Deeper members are left out. */
const deepest = 8;

/** A value of the same shape. */
export function placeholder(value: unknown, depth = 0): unknown {
  if (typeof value === "object" && value !== null && depth > deepest) return null;
  if (Array.isArray(value)) return value.slice(0, 1).map((each) => placeholder(each, depth + 1));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => isMemberName(name))
        .map(([name, member]) => [name, placeholder(member, depth + 1)]),
    );
  if (typeof value === "number") return Number.isInteger(value) ? 1 : 1.5;
  return typeof value === "string" ? placeholderText(value) : value;
}

const examples: Readonly<Record<Exclude<TextShape, "digits">, string>> = {
  uuid: "00000000-0000-4000-8000-000000000000",
  "date-time": "2026-01-31T09:30:00Z",
  date: "2026-01-31",
  decimal: "1.00",
  empty: "",
  text: "text",
};

function placeholderText(text: string): string {
  const shape = shapeOf(text);
  return shape === "digits" ? "0".repeat(Math.min(text.length, 32)) : examples[shape];
}

/** Whether a key is the name of a member, and not the number, the address or the identifier of somebody in a map. */
export function isMemberName(name: string): boolean {
  return /^[A-Za-z_$@][\w$:.-]{0,63}$/.test(name) && !/\d{4}|[0-9a-f]{8}-/i.test(name) && name !== "__proto__";
}

/** Members whose words are the service's own. */
const ofService =
  /(status|state|type|kind|object|result|message|text|health|version|order|sort|direction|currency|environment|mode)$/i;

/**
 * Whether the value of a member may stand in a file as it is: true, false, null, a small number, a version; a word of letters such as `OK` or
 * `pong` only where the member's name says that it is the service's own. A word with a capital at its beginning may be a name in any case.
 */
export function isPlain(name: string, value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 1000;
  if (typeof value !== "string") return value === null || typeof value === "boolean";
  if (!ofService.test(name)) return false;
  return /^([a-z]{1,20}|[A-Z]{1,20})$|^Ok$/.test(value) || /^v?\d{1,3}(\.\d{1,3}){1,3}$/.test(value);
}
