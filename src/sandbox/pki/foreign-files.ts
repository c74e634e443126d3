import { readdirSync } from "node:fs";
import { join } from "node:path";
import { displayPath } from "../../base/files/display-path.js";
import { CertsError } from "./certs.js";
import { unusable } from "./problems.js";
import { identityFiles, profilesOf } from "./profiles.js";

/** Names that systems and version control add, apart from those that begin with a dot. */
const tolerated = new Set(["README.md", "lost+found", "Thumbs.db", "desktop.ini"]);
const ownFiles = [
  "server.pem",
  "server.key.pem",
  "token-signing.key.pem",
  "cursor.key",
  "ca.pem",
  "ca.key.pem",
  "ca-next.pem",
];
const ownFolders = ["clients", "misfits"];

/**
 * Looks for files that the sandbox did not make, in the certificates folder and in the folders of identities.
 * @throws CertsError that names the first one
 */
export function refuseForeignFiles(directory: string): void {
  refuseOthers(directory, ownFiles, ownFolders);
  for (const kind of ["client", "misfit"] as const) {
    const names = profilesOf(kind).map(({ name }) => name);
    refuseOthers(join(directory, `${kind}s`), [], names);
    for (const name of names) refuseOthers(join(directory, `${kind}s`, name), identityFiles, []);
  }
}

function refuseOthers(folder: string, files: readonly string[], folders: readonly string[]): void {
  for (const entry of list(folder)) {
    const { name } = entry;
    if (name.startsWith(".") || tolerated.has(name)) continue;
    const known = entry.isDirectory() ? folders : files;
    if (known.includes(name) || (entry.isSymbolicLink() && folders.includes(name))) continue;
    throw new CertsError(
      "FOREIGN_FILE",
      `${displayPath(join(folder, name))} is not a file of the sandbox. Move it away: this folder is for files that the sandbox made, and --fresh-certs deletes only those.`,
    );
  }
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw unusable("read", folder, error);
  }
}
