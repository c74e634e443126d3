import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { adminDocumentation } from "../src/admin/documentation.js";

const path = "docs/admin-api.md";

/** The generated regions of docs/admin-api.md: path in the repository, and text. */
export async function generated(root: string): Promise<Map<string, string>> {
  return new Map([[path, fill(await readFile(join(root, path), "utf8"), adminDocumentation())]]);
}

/** Replaces what stands between `<!-- generated:NAME -->` and `<!-- /generated:NAME -->`. @throws Error when page and regions do not fit */
function fill(page: string, regions: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(regions));
  const filled = page.replaceAll(
    /(<!-- generated:(\w+) -->\n)[\s\S]*?(<!-- \/generated:\2 -->)/g,
    (_match, open: string, name: string, close: string) => {
      const region = regions[name];
      if (region === undefined) throw new Error(`${path} has a region "${name}" that nothing generates.`);
      unused.delete(name);
      return `${open}\n${region}\n\n${close}`;
    },
  );
  if (unused.size > 0) throw new Error(`${path} has no place for ${[...unused].join(", ")}.`);
  return filled;
}
