import { join } from "node:path";
import { displayPath } from "../../base/files/display-path.js";
import { CertsError } from "./certs.js";
import type { FileOperations } from "./file-operations.js";
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
  "ca-next.key.pem",
];
const ownFolders = ["clients", "misfits"];

/**
 * Looks for files that the sandbox did not make, in the certificates folder and in the folders of identities.
 * @throws CertsError that names the first one
 */
export function refuseForeignFiles(directory: string, files: FileOperations): void {
  refuseOthers(directory, { files: ownFiles, folders: ownFolders }, files);
  for (const kind of ["client", "misfit"] as const) {
    const names = profilesOf(kind).map(({ name }) => name);
    refuseOthers(join(directory, `${kind}s`), { files: [], folders: names }, files);
    for (const name of names)
      refuseOthers(join(directory, `${kind}s`, name), { files: identityFiles, folders: [] }, files);
  }
}

function refuseOthers(
  folder: string,
  names: { readonly files: readonly string[]; readonly folders: readonly string[] },
  files: FileOperations,
): void {
  for (const entry of list(folder, files)) {
    const { name } = entry;
    if (name.startsWith(".") || tolerated.has(name)) continue;
    const known = entry.isDirectory() ? names.folders : names.files;
    if (known.includes(name) || (entry.isSymbolicLink() && names.folders.includes(name))) continue;
    throw new CertsError(
      "FOREIGN_FILE",
      `${displayPath(join(folder, name))} is not a file of the sandbox. Move it away: this folder is for files that the sandbox made, and --fresh-certs deletes only those.`,
    );
  }
}

function list(folder: string, files: FileOperations) {
  try {
    return files.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw unusable("read", folder, error);
  }
}
