import { isObject, valueAt } from "../text/json-object.js";

/**
 * The parameters of a path that select rows: some item has a member of that name with a scalar.
 * @param names the parameters of the path, in their order
 */
export function selectorsOf(names: readonly string[], items: readonly unknown[]): readonly string[] {
  return names.filter((name) => items.some((item) => hasScalar(item, name)));
}

/** An item that no path shows, because it lacks a member that selects rows. */
export interface HiddenItem {
  /** Its place among the items. */
  readonly index: number;
  /** The member that it lacks. */
  readonly member: string;
}

/** The items that no path shows. Only objects are items. */
export function hiddenItems(selectors: readonly string[], items: readonly unknown[]): HiddenItem[] {
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
