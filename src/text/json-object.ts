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

/** Parses an object of JSON. Any other text gives an empty object, so that every lookup finds nothing. */
export function jsonObject(text: string): JsonObject {
  try {
    return Object(JSON.parse(text)) as JsonObject;
  } catch {
    return {};
  }
}
