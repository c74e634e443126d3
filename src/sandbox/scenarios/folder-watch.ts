import { type FSWatcher, statSync, watch } from "node:fs";
import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";

/** How long a folder must be quiet before it is read: editors write in several steps. Milliseconds. */
const quietTime = 30;

/** How often a folder is polled that does not report changes by itself. Milliseconds. */
const pollTime = 1000;

/**
 * The `f_type` of file systems of Linux that report every change, because this kernel makes all changes: ext2 to ext4,
 * xfs, btrfs, f2fs, zfs, tmpfs, overlayfs. Others (a folder that Docker Desktop shares with its virtual machine, a
 * network drive, a folder of Windows under WSL) are changed by other systems, and may not report it.
 */
const reportingTypes = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994, 0x794c7630]);

export interface FolderWatchOptions {
  /** Polls the folder, whatever its file system is. */
  readonly poll?: boolean | undefined;
  /** Milliseconds. */
  readonly pollTime?: number | undefined;
}

/**
 * Notifies when something in a folder has changed: by the events of the system, and by polling if there may be none.
 */
export class FolderWatch {
  readonly #folder: string;
  readonly #onChange: () => void;
  readonly #pollTime: number;
  #watcher: FSWatcher | undefined;
  /** Of the folder that is watched: another folder may replace it. */
  #identity: string | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(folder: string, onChange: () => void, options: FolderWatchOptions = {}) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#pollTime = options.pollTime ?? pollTime;
    this.#watch();
    void this.#pollWhereSilent(options);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#poll);
    this.#watcher?.close();
  }

  /** @returns whether the folder exists and the system can watch it. If it cannot, a restart reads the folder again. */
  #watch(): boolean {
    this.#watcher?.close();
    try {
      this.#watcher = watch(this.#folder, () => this.#changed());
      this.#watcher.unref();
      // The sandbox continues when the folder is removed.
      this.#watcher.on("error", () => this.#watchLater());
      this.#identity = identityOf(this.#folder);
      return this.#identity !== undefined;
    } catch {
      return false;
    }
  }

  #changed(): void {
    clearTimeout(this.#quiet);
    if (!this.#closed) this.#quiet = setTimeout(() => this.#isQuiet(), quietTime);
  }

  #isQuiet(): void {
    this.#onChange();
    if (identityOf(this.#folder) !== this.#identity) this.#watchAgain();
  }

  /** The folder was removed or replaced. The system watches the old one, so the new one must be found. */
  #watchAgain(): void {
    if (this.#watch()) this.#changed();
    else this.#watchLater();
  }

  #watchLater(): void {
    clearTimeout(this.#quiet);
    if (!this.#closed) this.#quiet = setTimeout(() => this.#watchAgain(), this.#pollTime).unref();
  }

  async #pollWhereSilent(options: FolderWatchOptions): Promise<void> {
    if (!(options.poll ?? (await maybeSilent(this.#folder)))) return;
    // The first poll always notifies: a file that was saved before polling began must not be missed.
    let before: string | undefined;
    const look = async (): Promise<void> => {
      const now = await fingerprint(this.#folder);
      // A drive that fails for a moment has not lost its files.
      if (now !== undefined) {
        if (now !== before) this.#changed();
        before = now;
      }
      next();
    };
    const next = (): void => {
      if (!this.#closed) this.#poll = setTimeout(() => void look(), this.#pollTime).unref();
    };
    next();
  }
}

/** Distinguishes a folder from one that replaces it, which may get the same inode. */
function identityOf(folder: string): string | undefined {
  try {
    const { ino, birthtimeMs } = statSync(folder);
    return `${ino} ${birthtimeMs}`;
  } catch {
    return undefined;
  }
}

/** Whether the system may miss changes. Systems other than Linux report them. */
async function maybeSilent(folder: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  return statfs(folder).then(
    // Some of the numbers are negative if they are read as signed 32 bits.
    ({ type }) => !reportingTypes.has(type >>> 0),
    () => false,
  );
}

/**
 * A text that changes with the files of a folder: their names, sizes and times. Undefined if the folder exists but
 * cannot be read.
 */
async function fingerprint(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? [] : undefined,
  );
  if (!names) return undefined;
  const facts = names.sort().map((name) =>
    stat(join(folder, name)).then(
      ({ size, mtimeMs, ctimeMs, ino }) => [name, size, mtimeMs, ctimeMs, ino].join(" "),
      () => name,
    ),
  );
  return (await Promise.all(facts)).join("\n");
}
