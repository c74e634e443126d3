import { shellQuote } from "../base/text/shell.js";
import { redactPrinted } from "../sandbox/journal/redact.js";

/** How a cell is run again. */
interface Repetition {
  /** The options that decide what happens, such as `--seed 7`, each word for itself. */
  readonly options: readonly string[];
  readonly command: readonly string[];
}

/**
 * The command line that repeats one cell alone, for POSIX shells. It appears in reports, so secrets among its words are
 * left out: they have to be put in again.
 */
export function repeatLine(cell: string, { options, command }: Repetition): string {
  const words = (all: readonly string[]) => all.map((word) => ` ${shellQuote(word)}`).join("");
  return `payments-sandbox explore${words(options)} --only '${cell}' --${redactPrinted(words(command))}`;
}
