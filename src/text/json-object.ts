/** An object of JSON: neither null nor a list. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of member names; undefined where there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((above, name) => (isObject(above) && Object.hasOwn(above, name) ? above[name] : undefined), value);
}

/** The object that a text in JSON is; undefined for any other text. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The object that a text in JSON is. Empty for any other text: what is looked for in it is not there. */
export function jsonObject(text: string): JsonObject {
  return objectIn(text) ?? {};
}

/** The members that are set, to be spread over defaults. */
export function definedOnly<T extends object>(settings: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as T;
}
