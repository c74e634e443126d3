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

/** Whether one of these headers is sent. The names are in lower case. */
export function sendsAny(rawHeaders: readonly string[], names: ReadonlySet<string>): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (names.has((rawHeaders[index] as string).toLowerCase())) return true;
  }
  return false;
}

/** Headers after changes: each sets a header, or removes it with null. Names are compared without regard to case (RFC 9110 §5.1). */
export function withHeaders(
  headers: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  return Object.fromEntries([
    ...Object.entries(headers).filter(([name]) => !changed.has(name.toLowerCase())),
    ...Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null),
  ]);
}
