import { mostDecimals } from "../sandbox/lists/field-schema.js";

// Shapes of texts, and placeholders for values that may be personal data: of the same shape, without any part of the
// original.

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;
const date = /^\d{4}-\d\d-\d\d$/;
const decimal = /^-?\d{1,12}\.\d{1,9}$/;

/** What a text looks like. */
export type TextShape = "uuid" | "date-time" | "date" | "decimal" | "digits" | "empty" | "text";

/** The shape of a text, independent of its content. */
export function shapeOf(text: string): TextShape {
  if (text === "") return "empty";
  if (uuid.test(text)) return "uuid";
  if (dateTime.test(text)) return "date-time";
  if (date.test(text)) return "date";
  if (decimal.test(text)) return "decimal";
  return /^\d+$/.test(text) ? "digits" : "text";
}

/** The digits behind the point of a decimal, as many as a field can have. */
export function decimalsOf(text: string): number {
  return Math.min(mostDecimals, /\.(\d+)$/.exec(text)?.[1]?.length ?? 0);
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

/** Whether a key is the name of a member, and not the number, the address or the identifier of a person in a map. */
export function isMemberName(name: string): boolean {
  return /^[A-Za-z_$@][\w$:.-]{0,63}$/.test(name) && !/\d{4}|[0-9a-f]{8}-/i.test(name) && name !== "__proto__";
}

/** Members whose values are words of the service. */
const ofService =
  /(status|state|type|kind|object|result|message|text|health|version|order|sort|direction|currency|environment|mode)$/i;

/**
 * Whether the value of a member may be written to a file as it is: true, false, null, a small number, a version. A word
 * of letters such as `OK` or `pong` is permitted only if the member's name shows that it is a word of the service. A
 * word that begins with a capital may always be a name.
 */
export function isPlain(name: string, value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 1000;
  if (typeof value !== "string") return value === null || typeof value === "boolean";
  if (!ofService.test(name)) return false;
  return /^([a-z]{1,20}|[A-Z]{1,20})$|^Ok$/.test(value) || /^v?\d{1,3}(\.\d{1,3}){1,3}$/.test(value);
}
