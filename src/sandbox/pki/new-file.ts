/** Only the owner can enter a folder and read a key. The CA's key is written once, so it is read-only. */
export const modes = { folder: 0o700, key: 0o600, authorityKey: 0o400, open: 0o644 } as const;

/** A file of the certificates folder that is to be written. */
export interface NewFile {
  /** Below the certificates folder, with slashes: `clients/demo/cert.pem`. */
  readonly path: string;
  readonly data: string | Buffer;
  readonly mode: number;
}

/** The folders of files, from the outer ones to the inner ones. The first one is the certificates folder. */
export function foldersOf(files: readonly NewFile[]): Set<string> {
  const folders = new Set([""]);
  for (const { path } of files) {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) folders.add(path.slice(0, end));
  }
  return folders;
}
