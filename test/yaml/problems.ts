import { expect } from "vitest";
import { FileError, type FileProblem } from "../../src/yaml/problem.js";

/** What is wrong with a text; empty where nothing is. */
export async function problemsOf(reading: Promise<unknown>): Promise<readonly FileProblem[]> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return [];
  expect(error).toBeInstanceOf(FileError);
  return (error as FileError).problems;
}
