/** A header that was sent more than once: which value counts is nobody's to guess. */
export const repeated: unique symbol = Symbol("repeated header");

/**
 * Reads one header from the raw list (names and values in turn). Node's own view drops a second `Authorization` silently
 * and joins repeated others, which would hide what the client did.
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
