import { existsSync } from "node:fs";

/** Source files are one folder deeper than those of the build. */
const folders = [new URL("../docs/", import.meta.url), new URL("../../../docs/", import.meta.url)];

/**
 * The URL of a page of the documentation, in the package.
 * @param page such as `checks/token.reused.md`
 */
export function documentationUrl(page: string): string {
  const folder = folders.find((url) => existsSync(url)) ?? (folders[0] as URL);
  return new URL(page, folder).href;
}
