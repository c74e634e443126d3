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

/** Headers with others in the place of their namesakes: names are compared without regard to case (RFC 9110 §5.1). */
export function withHeaders(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
): Record<string, string> {
  const replaced = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...others };
}
