import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/**
 * The path exists, but cannot be read as a file. The message continues after the name of the file: `is a folder, not a
 * file`.
 */
export class UnfitFileError extends Error {
  override readonly name = "UnfitFileError";
  constructor(
    readonly code: "EISDIR" | "NOT_REGULAR" | "TOO_LARGE" | "NOT_UTF8",
    message: string,
  ) {
    super(message);
  }

  /** The message as a sentence of its own, next to the name of the file. */
  get sentence(): string {
    return `${this.code === "TOO_LARGE" ? "The file" : "This"} ${this.message}.`;
  }
}

/** Why a file cannot be read, as the end of a sentence that begins so. */
export function unreadableBecause(error: unknown): string {
  const { message } = error as Error;
  return error instanceof UnfitFileError ? `it ${message}` : message;
}

/** Most bytes of a file with certificates or a key. Usually it has a few thousand. */
export const largestPem = 1_000_000;

/** Without O_NONBLOCK, which Windows does not have, opening a named pipe waits until a process writes into it. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file. A named pipe may never deliver data and a device may have no end, so both are refused, also through a
 * symbolic link.
 * @param limit most bytes that are read
 * @throws UnfitFileError when it is not a regular file, or is larger; the system's error when it cannot be read
 */
export async function readRegularFile(path: string, limit: number): Promise<Buffer> {
  const file = await open(path, flags);
  try {
    checkKind(await file.stat(), limit);
    const parts: Buffer[] = [];
    for await (const part of file.createReadStream({ end: limit })) parts.push(part);
    return whole(parts, limit);
  } finally {
    await file.close();
  }
}

/** As `readRegularFile`, synchronously. */
export function readRegularFileSync(path: string, limit: number): Buffer {
  const file = openSync(path, flags);
  try {
    checkKind(fstatSync(file), limit);
    const parts: Buffer[] = [];
    for (let length = 0; length <= limit; ) {
      const part = Buffer.allocUnsafe(16_384);
      const bytesRead = readSync(file, part);
      if (bytesRead === 0) break;
      parts.push(part.subarray(0, bytesRead));
      length += bytesRead;
    }
    return whole(parts, limit);
  } finally {
    closeSync(file);
  }
}

/**
 * Text in UTF-8, without the byte order mark that some editors write.
 * @throws UnfitFileError for any other encoding
 */
export function utf8Text(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnfitFileError("NOT_UTF8", "is not text in UTF-8");
  }
}

/** The same for PEM: the text between certificates and keys may be in any encoding. */
export function pemText(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

function checkKind(stats: Stats, limit: number): void {
  if (stats.isDirectory()) throw new UnfitFileError("EISDIR", "is a folder, not a file");
  if (!stats.isFile()) throw new UnfitFileError("NOT_REGULAR", "is not a regular file");
  checkLength(stats.size, limit);
}

/** The length is checked again after reading: the size of a file in /proc is 0, and any file may grow. */
function whole(parts: readonly Buffer[], limit: number): Buffer {
  const bytes = Buffer.concat(parts);
  checkLength(bytes.length, limit);
  return bytes;
}

function checkLength(length: number, limit: number): void {
  if (length > limit) throw new UnfitFileError("TOO_LARGE", `is larger than ${limit} bytes`);
}
