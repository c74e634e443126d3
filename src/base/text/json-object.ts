/** An object of JSON: neither null nor a list. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of member names; undefined if there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((above, name) => (isObject(above) && Object.hasOwn(above, name) ? above[name] : undefined), value);
}

/** Parses JSON; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses an object of JSON; undefined for any other text. */
export function objectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}

/** Parses an object of JSON. Any other text gives an empty object, so that every lookup finds nothing. */
export function jsonObject(text: string): JsonObject {
  return objectIn(text) ?? {};
}

/** The members that are set, to be spread over defaults. */
export function definedOnly<T extends object>(settings: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as T;
}
