import { stripVTControlCharacters } from "node:util";
import { printable } from "../../base/text/printable.js";
import type { DrillReport } from "../../exam/report.js";
import type { DrillResult } from "./run-drill.js";

const marks: Readonly<Record<DrillReport["verdict"], string>> = { pass: "✓", fail: "✗", "not-exercised": "-" };

/**
 * The progress of an exam on standard error: at a terminal one line that is updated, below a line for each drill that
 * failed; elsewhere one line for each drill that has ended.
 */
export class Progress {
  readonly #running = new Set<string>();
  #done = 0;
  #failed = 0;

  constructor(private readonly total: number) {}

  begun(name: string): void {
    this.#running.add(name);
    this.#paint();
  }

  /** @param output lines that are shown with it */
  over({ drill, report }: DrillResult, output: readonly string[]): void {
    this.#running.delete(drill.name);
    this.#done += 1;
    if (report.verdict === "fail") this.#failed += 1;
    if (!process.stderr.isTTY || report.verdict === "fail" || output.length > 0) {
      this.clear();
      const count = String(this.#done).padStart(String(this.total).length);
      const seconds = ((report.duration ?? 0) / 1000).toFixed(1);
      const what = report.verdict === "not-exercised" ? ", not exercised" : "";
      const line = `${count}/${this.total} ${marks[report.verdict]} ${drill.name} (${seconds} s${what})`;
      process.stderr.write([line, ...output, ""].join("\n"));
    }
    this.#paint();
  }

  /** Removes the line. */
  clear(): void {
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  }

  #paint(): void {
    if (!process.stderr.isTTY || this.#done === this.total) return;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : "";
    const text = `${this.#done} of ${this.total} drills${failed}; running: ${[...this.#running].join(", ")}`;
    const width = process.stderr.columns - 1;
    process.stderr.write(`\r\u001b[K${text.length > width ? `${text.slice(0, width - 1)}…` : text}`);
  }
}

/**
 * What a command printed, each line safe to print.
 * @param most lines; the last ones are shown
 */
export function outputLines({ output }: DrillResult, most: number): string[] {
  const { lines, cut } = output.lines;
  const shown = lines.slice(-most);
  const left = cut || shown.length < lines.length ? ["    …"] : [];
  return [
    ...left,
    ...shown.map((line) => `    ${printable(stripVTControlCharacters(line).replaceAll("\t", "  "))}`.trimEnd()),
  ];
}
