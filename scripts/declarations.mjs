import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/**
 * Keeps only the declarations that the entry refers to, directly or not. They must not need a package: the bundled
 * packages are not installed where the library is used.
 */
export function keepDeclarationsOf(entry, folder) {
  const kept = new Set();
  const visit = (file) => {
    if (kept.has(file)) return;
    kept.add(file);
    for (const [, specifier] of readFileSync(file, "utf8").matchAll(/(?<!")\b(?:from|import|import\() ?"([^"]+)"/g)) {
      if (specifier.startsWith(".")) visit(join(dirname(file), specifier.replace(/\.js$/, ".d.ts")));
      else throw new Error(`${file} needs "${specifier}", which does not come with the package.`);
    }
  };
  visit(entry);
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath, name.name);
    if (name.isFile() && !kept.has(path)) rmSync(path);
  }
  for (const name of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, name.name);
    if (name.isDirectory() && ![...kept].some((file) => file.startsWith(path + sep))) rmSync(path, { recursive: true });
  }
}
