import { isAbsolute, relative, sep } from "node:path";
import { withoutUserInformation } from "../text/user-information.js";

/** A path for the terminal: relative if it is below the working directory. A URL may have been taken for a path. */
export function displayPath(path: string): string {
  const near = relative("", path);
  const outside = near === "" || near === ".." || near.startsWith(`..${sep}`) || isAbsolute(near);
  return withoutUserInformation(outside ? path : near);
}
