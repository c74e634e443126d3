import { isAbsolute, relative, sep } from "node:path";

/** A path for the terminal: relative if it is below the working directory. */
export function displayPath(path: string): string {
  const near = relative("", path);
  const outside = near === "" || near === "../.." || near.startsWith(`..${sep}`) || isAbsolute(near);
  return outside ? path : near;
}
