import { printable } from "../text/printable.js";

/**
 * Something wrong in a file, with its place. Lines and columns begin at 1. A problem of the file as a whole has none.
 */
export interface FileProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** Most problems that are reported. */
export const mostProblems = 20;

/** A file that cannot be used. It lists the first problems; the message has one line for each. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly problems: readonly FileProblem[];

  /** @param problems bounded here in number and length, because a file may have one at each character */
  constructor(problems: readonly FileProblem[]) {
    const reported = problems
      .slice(0, mostProblems)
      .map((problem) => ({ ...problem, message: printable(problem.message) }));
    super(reported.map(formatProblem).join("\n"));
    this.problems = reported;
  }
}

/**
 * `file:line:column: message`: the format that compilers print and editors open. `file: message` about the file as a
 * whole.
 */
export function formatProblem({ file, line, column, message }: FileProblem): string {
  return `${file}${line === undefined ? "" : `:${line}:${column}`}: ${message}`;
}
