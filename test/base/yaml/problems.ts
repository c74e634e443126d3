import { expect } from "vitest";
import { FileError, type FileProblem } from "../../../src/base/yaml/problem.js";

/** The problems of a text; empty if there are none. */
export async function problemsOf(reading: Promise<unknown>): Promise<readonly FileProblem[]> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return [];
  expect(error).toBeInstanceOf(FileError);
  return (error as FileError).problems;
}
