import { isObject, type JsonObject } from "../base/text/json-object.js";

/**
 * Whether a value of JSON has a form. A kept run may have fifty thousand entries, which are all tested before the page
 * is there: these tests take a tenth of the time of a schema.
 */
export type Form<T> = (value: unknown) => value is T;

/** The type of a value that has a form. */
export type Of<F> = F extends Form<infer T> ? T : never;

export const text: Form<string> = (value) => typeof value === "string";
export const flag: Form<boolean> = (value) => typeof value === "boolean";
/** JSON can have numbers that are too large for one. */
export const number: Form<number> = (value): value is number => Number.isFinite(value);
export const count: Form<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
/** In milliseconds since the epoch: a date of JavaScript. */
export const instant: Form<number> = (value): value is number => number(value) && Math.abs(value) <= 8.64e15;

export function matching(pattern: RegExp): Form<string> {
  return (value): value is string => text(value) && pattern.test(value);
}

export function oneOf<const T>(...values: readonly T[]): Form<T> {
  return (value): value is T => values.includes(value as T);
}

export function optional<T>(form: Form<T>): Form<T | undefined> {
  return (value): value is T | undefined => value === undefined || form(value);
}

export function nullable<T>(form: Form<T>): Form<T | null> {
  return (value): value is T | null => value === null || form(value);
}

export function listOf<T>(form: Form<T>): Form<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(form);
}

export function pairOf<One, Other>(one: Form<One>, other: Form<Other>): Form<readonly [One, Other]> {
  return (value): value is readonly [One, Other] =>
    Array.isArray(value) && value.length === 2 && one(value[0]) && other(value[1]);
}

/** An object with these members, and no others: those would reach what is made of it. */
export function object<const Members extends Readonly<Record<string, Form<unknown>>>>(
  members: Members,
): Form<{ readonly [Name in keyof Members]: Of<Members[Name]> }> {
  const known = new Map(Object.entries(members));
  const required = [...known].filter(([, form]) => !form(undefined)).map(([name]) => name);
  return (value): value is { readonly [Name in keyof Members]: Of<Members[Name]> } => {
    if (!isObject(value)) return false;
    for (const name of Object.keys(value)) if (known.get(name)?.(value[name]) !== true) return false;
    return required.every((name) => Object.hasOwn(value, name));
  };
}

export function either<Forms extends readonly Form<unknown>[]>(...forms: Forms): Form<Of<Forms[number]>> {
  return (value): value is Of<Forms[number]> => forms.some((form) => form(value));
}

/** A text, or several, by any names. */
export const textsByName: Form<Readonly<Record<string, string | string[]>>> = (
  value,
): value is Readonly<Record<string, string | string[]>> =>
  isPlain(value) && Object.values(value).every((one) => text(one) || listOf(text)(one));

/** What is shown as it is, and not looked into: of limited depth. */
export const anything: Form<Readonly<Record<string, unknown>>> = (value): value is Readonly<Record<string, unknown>> =>
  isPlain(value) && isShallow(value, 10);

function isPlain(value: unknown): value is JsonObject {
  return isObject(value) && !Object.hasOwn(value, "__proto__");
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, "__proto__")) return false;
  return Object.values(value).every((each) => isShallow(each, depth - 1));
}
