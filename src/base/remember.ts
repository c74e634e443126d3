/**
 * Adds the newest entry to a map of bounded size, and drops the oldest one if there are too many.
 * @param most entries
 */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  forgetOldest(map, most);
}

/**
 * Drops the oldest entry if there are too many.
 * @param most entries
 */
export function forgetOldest<K>(entries: Map<K, unknown> | Set<K>, most: number): void {
  if (entries.size <= most) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
