import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** Something that has the name of a file and is not read. The message goes on after the name: `is a folder, not a file`. */
export class UnfitFileError extends Error {
  override readonly name = "UnfitFileError";
  constructor(
    readonly code: "EISDIR" | "NOT_REGULAR" | "TOO_LARGE",
    message: string,
  ) {
    super(message);
  }

  /** The message where the name of the file stands beside it. */
  get sentence(): string {
    return `${this.code === "TOO_LARGE" ? "The file" : "This"} ${this.message}.`;
  }
}

/** Without O_NONBLOCK, which Windows does not have, opening a named pipe waits until somebody writes into it. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file. A named pipe would wait for ever and a device may have no end, so both are refused, wherever a link leads.
 * @param limit most bytes that are read
 * @throws UnfitFileError for what is no regular file, or is larger; the system's error when it cannot be read
 */
export async function readRegularFile(path: string, limit: number): Promise<Buffer> {
  const file = await open(path, flags);
  try {
    const content = new Content(await file.stat(), limit);
    while (content.add((await file.read(content.room)).bytesRead));
    return content.bytes();
  } finally {
    await file.close();
  }
}

/** As `readRegularFile`, at once. */
export function readRegularFileSync(path: string, limit: number): Buffer {
  const file = openSync(path, flags);
  try {
    const content = new Content(fstatSync(file), limit);
    while (content.add(readSync(file, content.room)));
    return content.bytes();
  } finally {
    closeSync(file);
  }
}

/** Text in UTF-8, without the byte order mark that some editors put before it. */
export function plainText(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

/** What has been read of a file. Its size is not relied upon: that of a file in /proc is 0, and any file may grow. */
class Content {
  /** Where the next bytes go. */
  room: Buffer;
  readonly #limit: number;
  readonly #parts: Buffer[] = [];
  #length = 0;

  constructor(stats: Stats, limit: number) {
    if (stats.isDirectory()) throw new UnfitFileError("EISDIR", "is a folder, not a file");
    if (!stats.isFile()) throw new UnfitFileError("NOT_REGULAR", "is not a regular file");
    this.#limit = limit;
    this.#check(stats.size);
    this.room = Buffer.allocUnsafe(stats.size + 1);
  }

  /** Counts the bytes that were read into `room`. @returns false at the end of the file */
  add(bytesRead: number): boolean {
    if (bytesRead === 0) return false;
    this.#length += bytesRead;
    this.#check(this.#length);
    this.#parts.push(this.room.subarray(0, bytesRead));
    this.room = bytesRead < this.room.length ? this.room.subarray(bytesRead) : Buffer.allocUnsafe(65_536);
    return true;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #check(length: number): void {
    if (length > this.#limit) throw new UnfitFileError("TOO_LARGE", `is larger than ${this.#limit} bytes`);
  }
}
