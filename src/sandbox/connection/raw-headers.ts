/** A header that was sent more than once: it is not defined which value counts. */
export const repeated: unique symbol = Symbol("repeated header");

/**
 * Reads one header from the raw list (names and values alternate). Node's parsed headers drop a second `Authorization`
 * silently and join other repeated headers, which would hide what the client did.
 * @param name in lower case
 */
export function readHeader(rawHeaders: readonly string[], name: string): string | typeof repeated | undefined {
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] as string;
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    if (found !== undefined) return repeated;
    found = rawHeaders[index + 1] as string;
  }
  return found;
}

/** The values of every header, by its name in lower case, in the order in which they were sent. */
export function indexHeaders(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const values = headers.get(name);
    if (values) values.push(rawHeaders[index + 1] as string);
    else headers.set(name, [rawHeaders[index + 1] as string]);
  }
  return headers;
}

/** Whether a header is sent whose name, in lower case, is one of these. */
export function sendsAny(rawHeaders: readonly string[], names: ReadonlySet<string>): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (names.has((rawHeaders[index] as string).toLowerCase())) return true;
  }
  return false;
}
