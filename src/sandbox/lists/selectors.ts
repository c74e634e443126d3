import { isObject, valueAt } from "../../base/text/json-object.js";

/**
 * The parameters of a path that select rows: some item has a member of that name with a scalar.
 * @param names the parameters of the path, in their order
 */
export function selectorsOf(names: readonly string[], items: readonly unknown[]): readonly string[] {
  return names.filter((name) => items.some((item) => hasScalar(item, name)));
}

/**
 * The items that no path shows, because they lack a member that selects rows. Only objects are items.
 * @returns the place of each among the items, and the member that it lacks
 */
export function hiddenItems(
  selectors: readonly string[],
  items: readonly unknown[],
): { readonly index: number; readonly member: string }[] {
  return items.flatMap((item, index) => {
    if (!isObject(item)) return [];
    const member = selectors.find((name) => !hasScalar(item, name));
    return member === undefined ? [] : [{ index, member }];
  });
}

function hasScalar(item: unknown, name: string): boolean {
  const value = valueAt(item, [name]);
  return value !== undefined && value !== null && typeof value !== "object";
}
