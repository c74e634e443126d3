import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";

/** Bytes that are reserved for each file. The longest, a PKCS#12 file with a chain, has less than 8 KiB. */
const reserved = 16 * 1024;

/** Room for the files of one client, which is taken before the client is changed. */
export interface ReservedFiles {
  /**
   * Puts the files into their places.
   * @param folder of the client, which is made if it is missing
   * @param contents by the paths of the files
   */
  place(folder: string, contents: ReadonlyMap<string, string | Uint8Array>): void;
  /** Gives back what is not used. */
  release(): void;
}

/**
 * Reserves the space for files beside the folder of a client. A folder that takes no files, or a full disk, is found
 * out here, before anything has changed.
 * @param parent the folder of all clients
 * @param names of the files
 * @throws the error of the file system
 */
export function reserveFiles(parent: string, names: readonly string[]): ReservedFiles {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const staging = mkdtempSync(join(parent, ".making-"));
  const release = () => rmSync(staging, { recursive: true, force: true });
  try {
    for (const name of names) writeFileSync(join(staging, name), Buffer.alloc(reserved), { mode: 0o600 });
  } catch (error) {
    release();
    throw error;
  }
  return {
    place(folder, contents) {
      for (const [path, content] of contents) overwrite(join(staging, basename(path)), content);
      let from = staging;
      if (!existsSync(folder)) {
        renameSync(staging, folder);
        from = folder;
      }
      for (const path of contents.keys()) renameSync(join(from, basename(path)), path);
    },
    release,
  };
}

/** Writes into the space that the file already has. */
function overwrite(path: string, content: string | Uint8Array): void {
  const file = openSync(path, "r+");
  try {
    const bytes = Buffer.from(content);
    writeSync(file, bytes);
    ftruncateSync(file, bytes.length);
  } finally {
    closeSync(file);
  }
}
