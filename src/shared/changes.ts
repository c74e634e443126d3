/** An item after another one: in an array where it is whole, otherwise what is different. As JSON, which knows no undefined. */
export type Changes<T extends object> = readonly [T] | Partial<T>;

/** What must be written of an item where the one before is known. Whole where a member came or went. */
export function changesOf<T extends object>(item: T, before: T | undefined): Changes<T> {
  if (before === undefined) return [item];
  const names = Object.keys(item) as (keyof T & string)[];
  if (names.length !== Object.keys(before).length) return [item];
  const changes: Partial<T> = {};
  for (const name of names) {
    const value = item[name];
    const old = before[name];
    if (value === old) continue;
    // An assignment to __proto__ makes no member.
    if (value === undefined || old === undefined || name === "__proto__") return [item];
    changes[name] = value;
  }
  return changes;
}

/** The item again. */
export function withChanges<T extends object>(changes: Changes<T>, before: T | undefined): T {
  return isWhole(changes) ? changes[0] : { ...(before as T), ...changes };
}

function isWhole<T extends object>(changes: Changes<T>): changes is readonly [T] {
  return Array.isArray(changes);
}
