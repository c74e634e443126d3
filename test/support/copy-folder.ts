import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

interface Entry {
  readonly path: string;
  readonly mode: number;
  /** Undefined for a folder. */
  readonly bytes?: Buffer;
}

const read = new Map<string, readonly Entry[]>();

/** Copies a folder that does not change, and whose files are read once: `cpSync` takes ten times as much CPU time. */
export function copyFolder(from: string, to: string): void {
  const entries = read.get(from) ?? entriesOf(from);
  read.set(from, entries);
  mkdirSync(to, { recursive: true, mode: statSync(from).mode & 0o777 });
  for (const { path, mode, bytes } of entries) {
    if (bytes === undefined) mkdirSync(join(to, path), { mode });
    else writeFileSync(join(to, path), bytes, { mode });
  }
}

/** A folder is before what it has. */
function entriesOf(folder: string): readonly Entry[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const facts = { path: relative(folder, file), mode: statSync(file).mode & 0o777 };
    return entry.isDirectory() ? facts : { ...facts, bytes: readFileSync(file) };
  });
}
