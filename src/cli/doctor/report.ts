import { counted } from "../../text/numbers.js";
import { printable } from "../../text/printable.js";
/** Findings, printed as they are made: what is good (✓), what is wrong (✗), what may be wrong (!), and what was not looked at (–). */
export class Report {
  problems = 0;
  warnings = 0;
  readonly #write: (text: string) => void;
  readonly #coloured: boolean;

  /** @param coloured whether the marks are coloured, as on a terminal */
  constructor(write: (text: string) => void, coloured: boolean) {
    this.#write = write;
    this.#coloured = coloured;
  }

  good(text: string): void {
    this.#line("✓", 32, text);
  }

  /** Something that keeps the client from working. */
  bad(text: string, mend: string): void {
    this.problems += 1;
    this.#line("✗", 31, text, mend);
  }

  /** Something that is unusual, and may be meant so. */
  warn(text: string, mend: string): void {
    this.warnings += 1;
    this.#line("!", 33, text, mend);
  }

  skipped(text: string): void {
    this.#line("–", 2, text);
  }

  /** The last line. */
  conclude(allWell: string): void {
    const found = [[this.problems, "problem"] as const, [this.warnings, "warning"] as const]
      .filter(([count]) => count > 0)
      .map(([count, what]) => counted(count, what));
    this.#write(`\n${found.length === 0 ? allWell : `${found.join(", ")}.`}\n`);
  }

  #line(mark: string, colour: number, text: string, mend?: string): void {
    const shown = this.#coloured ? `\u001b[${colour}m${mark}\u001b[0m` : mark;
    this.#write(`${shown} ${printable(text)}\n${mend === undefined ? "" : `  → ${printable(mend)}\n`}`);
  }
}
