/** What this browser keeps; undefined without it, or if the user has disabled the storage. */
export function readKept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps something in this browser, unless the user has disabled the storage. */
export function writeKept(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it is kept until the page is closed.
  }
}
