import { stripVTControlCharacters } from "node:util";
import { roughly } from "../../base/text/duration.js";
import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import { fitting } from "../../base/text/wrap.js";
import type { Output } from "../run/running-commands.js";

/** A run of the command that has ended. */
interface Ended {
  readonly name: string;
  /** One character for how it ended. */
  readonly mark: string;
  readonly isFailed: boolean;
  /** Whether it has a line of its own although it did not fail. */
  readonly isTold?: boolean;
  /** In milliseconds. */
  readonly duration: number;
  /** What is said besides, such as `not exercised`. */
  readonly note?: string | undefined;
}

interface ProgressOptions {
  /** How many runs are planned. */
  readonly total: number;
  /** What a run is called: `drill`. */
  readonly what: string;
  /** Whether a run that did not fail has a line of its own where there is no terminal. */
  readonly tellsAll: boolean;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  readonly stream?: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;
}

/**
 * The progress of many runs of a command on standard error: at a terminal one line that is updated, with what is done
 * and about how long the others take, below a line for each run that failed; elsewhere one line for each run that has
 * ended, or that failed.
 */
export class Progress {
  readonly #running = new Set<string>();
  readonly #stream: NonNullable<ProgressOptions["stream"]>;
  readonly #begunAt: number;
  #total: number;
  #done = 0;
  #failed = 0;

  constructor(private readonly options: ProgressOptions) {
    this.#stream = options.stream ?? process.stderr;
    this.#begunAt = options.now();
    this.#total = options.total;
  }

  begun(name: string): void {
    this.#running.add(name);
    this.#paint();
  }

  /** A run has ended, and has to be repeated. */
  again(name: string): void {
    this.#running.delete(name);
    this.#done += 1;
    this.#total += 1;
    this.#paint();
  }

  /** @param output lines that are shown with it */
  over({ name, mark, isFailed, isTold = false, duration, note }: Ended, output: readonly string[] = []): void {
    const { tellsAll } = this.options;
    const total = this.#total;
    this.#running.delete(name);
    this.#done += 1;
    if (isFailed) this.#failed += 1;
    if (isFailed || isTold || output.length > 0 || (tellsAll && !this.#stream.isTTY)) {
      this.clear();
      const count = String(this.#done).padStart(String(total).length);
      const facts = [`${(duration / 1000).toFixed(1)} s`, ...(note === undefined ? [] : [note])].join(", ");
      const line = `${count}/${total} ${mark} ${printable(name)} (${facts})`;
      this.#stream.write([line, ...output, ""].join("\n"));
    }
    this.#paint();
  }

  /** Removes the line. */
  clear(): void {
    if (this.#stream.isTTY) this.#stream.write("\r\u001b[K");
  }

  #paint(): void {
    const { what } = this.options;
    const total = this.#total;
    if (!this.#stream.isTTY || this.#done === total) return;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : "";
    const names = [...this.#running].join(", ");
    const text = `${this.#done} of ${counted(total, what)}${failed}${this.#left()}; running: ${names}`;
    this.#stream.write(`\r\u001b[K${fitting(text, this.#stream.columns - 1)}`);
  }

  /** About how long the others take, by those that have ended; empty until one has. */
  #left(): string {
    if (this.#done === 0) return "";
    const each = (this.options.now() - this.#begunAt) / this.#done;
    return `, about ${roughly(each * (this.#total - this.#done))} left`;
  }
}

/** What a command printed, each line safe to print. */
export function outputLines({ lines: { lines, cut } }: Output): string[] {
  return [
    ...(cut ? ["    …"] : []),
    ...lines.map((line) => `    ${printable(stripVTControlCharacters(line).replaceAll("\t", "  "))}`.trimEnd()),
  ];
}
