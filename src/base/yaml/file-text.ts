import { readRegularFile, UnfitFileError, utf8Text } from "../files/regular-file.js";
import { FileError } from "./problem.js";

/**
 * Reads a file of text.
 * @param limit most bytes that are read
 * @param name the name that problems are reported under
 * @returns undefined when there is no such file
 * @throws FileError when it is too large, is not text in UTF-8, or cannot be read
 */
export async function readFileText(path: string, limit: number, name = path): Promise<string | undefined> {
  try {
    return utf8Text(await readRegularFile(path, limit));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw fileProblem(name, error instanceof UnfitFileError ? error.sentence : `${message}.`);
  }
}

/** The same, for a file that must exist. */
export async function readExistingText(path: string, limit: number, name = path): Promise<string> {
  const text = await readFileText(path, limit, name);
  if (text === undefined) throw fileProblem(name, "There is no such file.");
  return text;
}

/** A problem of the file as a whole. */
export function fileProblem(file: string, message: string): FileError {
  return new FileError([{ file, message }]);
}
