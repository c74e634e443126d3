/** The object that a text in JSON is. Empty for any other text: what is looked for in it is not there. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
