import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { adminDocumentation } from "./admin-documentation.js";
import { fillRegions } from "./markdown.js";

const path = "docs/admin-api.md";

/**
 * The generated regions of docs/admin-api.md: path in the repository, and text. A test checks that the page has a place
 * for each.
 */
export async function generated(root: string): Promise<Map<string, string>> {
  const regions = Object.entries(adminDocumentation()).map(([name, text]) => [name, () => `\n${text}\n`] as const);
  const page = await readFile(join(root, path), "utf8");
  return new Map([[path, fillRegions(page, path, Object.fromEntries(regions))]]);
}
