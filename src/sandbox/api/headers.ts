/**
 * Headers after changes: each sets a header, or removes it with null. Names are compared without regard to case (RFC
 * 9110 §5.1).
 */
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
