import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";

/** The answer to a question of the doctor, and what to do if it is not good. */
export interface Finding {
  readonly mark: keyof typeof colours;
  readonly text: string;
  readonly fix?: string;
}

/** By mark: passed, failed, may be wrong, skipped. */
const colours = { "✓": 32, "✗": 31, "!": 33, "–": 2 };

export const good = (text: string): Finding => ({ mark: "✓", text });

/** A problem that prevents the client from working. */
export const bad = (text: string, fix: string): Finding => ({ mark: "✗", text, fix });

/** Something unusual that may be intended. */
export const unusual = (text: string, fix: string): Finding => ({ mark: "!", text, fix });

export const skipped = (text: string): Finding => ({ mark: "–", text });

/** Thrown where the answer is found in the middle of the question. */
export class FoundError extends Error {
  override readonly name = "FoundError";
  constructor(readonly finding: Finding) {
    super(finding.text);
  }
}

/** Findings, printed as they are made. */
export class DoctorReport {
  readonly #count = { "✓": 0, "✗": 0, "!": 0, "–": 0 };

  /** @param coloured whether the marks are coloured, as on a terminal */
  constructor(
    private readonly write: (text: string) => void,
    private readonly coloured: boolean,
  ) {}

  get problems(): number {
    return this.#count["✗"];
  }

  add({ mark, text, fix }: Finding): void {
    this.#count[mark] += 1;
    const shown = this.coloured ? `\u001b[${colours[mark]}m${mark}\u001b[0m` : mark;
    this.write(`${shown} ${printable(text)}\n${fix === undefined ? "" : `  → ${printable(fix)}\n`}`);
  }

  /** The last line. */
  conclude(): void {
    const words = [["✗", "problem"] as const, ["!", "warning"] as const];
    const found = words.flatMap(([mark, word]) => (this.#count[mark] > 0 ? [counted(this.#count[mark], word)] : []));
    this.write(`\n${found.join(", ") || "All is well: this client gets tokens, and answers"}.\n`);
  }
}
