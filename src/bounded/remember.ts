/** Adds to a map of bounded size, as its newest entry; the oldest is forgotten. @param most entries */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  forgetOldest(map, most);
}

/** Drops the oldest entry where one was added to more than so many. @param most entries */
export function forgetOldest<K>(entries: Map<K, unknown> | Set<K>, most: number): void {
  if (entries.size <= most) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
