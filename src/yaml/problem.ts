import { printable } from "../text/printable.js";

/** Something wrong in a file, with its place. Lines and columns begin at 1. */
export interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** How many problems are told at most. */
export const mostProblems = 20;

/** A file that cannot be used. The first problems that were found are listed; the message holds one line for each. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly problems: readonly FileProblem[];

  /** @param problems bounded here in number and length, because a file may have one at each character */
  constructor(problems: readonly FileProblem[]) {
    const told = problems
      .slice(0, mostProblems)
      .map((problem) => ({ ...problem, message: printable(problem.message) }));
    super(told.map(formatProblem).join("\n"));
    this.problems = told;
  }
}

/** `file:line:column: message`, as compilers print it and editors open it. */
export function formatProblem({ file, line, column, message }: FileProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}
