import { relative, sep } from "node:path";

/** A path as a person at the terminal would write it: relative where it lies in or under the present folder. */
export function displayPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === "" || near === ".." || near.startsWith(`..${sep}`) ? path : near;
}
