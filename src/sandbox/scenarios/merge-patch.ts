import { isObject } from "../../base/text/json-object.js";

/**
 * Applies a JSON Merge Patch (RFC 7396 §2).
 * @param target JSON; undefined for nothing
 * @param patch members to set, or with null to remove; anything but an object replaces the target
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  // A map, because a member may be called __proto__.
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/**
 * Changes the values at a path, in place, wherever they exist.
 * @param path names of members; a path leads through every element of an array
 */
export function changeAt(target: unknown, path: readonly string[], change: (value: unknown) => unknown): void {
  if (Array.isArray(target)) for (const element of target) changeAt(element, path, change);
  const [name, ...rest] = path;
  if (name === undefined || !isObject(target) || !Object.hasOwn(target, name)) return;
  if (rest.length > 0) changeAt(target[name], rest, change);
  else (target as Record<string, unknown>)[name] = change(target[name]);
}
