import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { UnfitFileError } from "../base/files/regular-file.js";

/** Longest line that is read, in bytes: more than any exchange that the sandbox keeps. */
const longestLine = 32 * 1024 * 1024;

const newline = 0x0a;

/**
 * Opens a file of a kept run. A link may lead out of its folder, and is not followed.
 * @throws UnfitFileError or the system's error
 */
export async function openKeptFile(path: string) {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === "ELOOP" ? new UnfitFileError("NOT_REGULAR", "is a symbolic link") : error;
    },
  );
  const stats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  throw new UnfitFileError("NOT_REGULAR", "is not a regular file");
}

/** A line, with its number from 1 on. */
export interface Line {
  readonly number: number;
  /** Undefined for one that is too long. */
  readonly text: string | undefined;
  /** Whether the file ends within it: it was not written to its end. */
  readonly isCut: boolean;
}

/**
 * Reads a file line by line. A line that is too long is not held in memory.
 * @param take gets each line, without its end
 * @throws as `openKeptFile`
 */
export async function readLines(path: string, take: (line: Line) => void): Promise<void> {
  const file = await openKeptFile(path);
  try {
    let number = 1;
    let parts: Buffer[] = [];
    let length = 0;
    const keep = (part: Buffer) => {
      length += part.length;
      if (length <= longestLine) parts.push(part);
      else parts = [];
    };
    const end = (isCut: boolean) => {
      const text = length > longestLine ? undefined : Buffer.concat(parts).toString("utf8");
      take({ number, text, isCut });
      number += 1;
      parts = [];
      length = 0;
    };
    for await (const chunk of file.createReadStream({ highWaterMark: 1 << 18, autoClose: false })) {
      let from = 0;
      for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
        keep(chunk.subarray(from, to));
        end(false);
        from = to + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    }
    if (length > 0) end(true);
  } finally {
    await file.close();
  }
}
