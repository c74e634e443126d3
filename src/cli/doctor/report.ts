import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";

/** Findings, printed as they are made: ✓ passed, ✗ failed, ! may be wrong, – skipped. */
export class DoctorReport {
  problems = 0;
  warnings = 0;

  /** @param coloured whether the marks are coloured, as on a terminal */
  constructor(
    private readonly write: (text: string) => void,
    private readonly coloured: boolean,
  ) {}

  pass(text: string): void {
    this.#line("✓", 32, text);
  }

  /** A problem that prevents the client from working. */
  fail(text: string, fix: string): void {
    this.problems += 1;
    this.#line("✗", 31, text, fix);
  }

  /** Something unusual that may be intended. */
  warn(text: string, fix: string): void {
    this.warnings += 1;
    this.#line("!", 33, text, fix);
  }

  skip(text: string): void {
    this.#line("–", 2, text);
  }

  /** The last line. */
  conclude(): void {
    const found = [
      ...(this.problems > 0 ? [counted(this.problems, "problem")] : []),
      ...(this.warnings > 0 ? [counted(this.warnings, "warning")] : []),
    ];
    this.write(`\n${found.length === 0 ? "All is well: this client gets tokens, and answers" : found.join(", ")}.\n`);
  }

  #line(mark: string, colour: number, text: string, fix?: string): void {
    const shown = this.coloured ? `\u001b[${colour}m${mark}\u001b[0m` : mark;
    this.write(`${shown} ${printable(text)}\n${fix === undefined ? "" : `  → ${printable(fix)}\n`}`);
  }
}
