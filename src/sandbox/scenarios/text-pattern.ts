/**
 * A text in which `*` stands for any characters, also for none. The first occurrence of each piece decides, and nothing
 * is tried again: what a client sends cannot block the sandbox. With a regular expression it could.
 */
export class TextPattern {
  readonly source: string;
  readonly #first: string;
  readonly #last: string | undefined;
  readonly #between: readonly string[];

  constructor(source: string) {
    this.source = source;
    const [first = "", ...rest] = source.split("*");
    this.#first = first;
    this.#last = rest.pop();
    this.#between = rest;
  }

  /** Whether the pattern matches the whole text. */
  matches(text: string): boolean {
    if (this.#last === undefined) return text === this.#first;
    const end = text.length - this.#last.length;
    let from = this.#first.length;
    if (end < from || !text.startsWith(this.#first) || !text.endsWith(this.#last)) return false;
    for (const piece of this.#between) {
      const at = text.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from <= end;
  }
}
