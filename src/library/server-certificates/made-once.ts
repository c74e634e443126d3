/** Makes something when it is first asked for by a key. After a failure, it is tried again. */
export function madeOnce<K, V>(made: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const present = made.get(key);
  if (present !== undefined) return present;
  const value = make();
  made.set(key, value);
  value.catch(() => made.delete(key));
  return value;
}
