/**
 * A text in which `*` stands for any characters, also for none. Matching takes time in proportion to the length of the
 * text. What a client sends must not block the sandbox; with a regular expression it could.
 */
export class TextPattern {
  readonly source: string;
  readonly #first: string;
  readonly #last: string | undefined;
  readonly #between: readonly Piece[];

  constructor(source: string) {
    this.source = source;
    const [first = "", ...rest] = source.split("*");
    this.#first = first;
    this.#last = rest.pop();
    this.#between = rest.filter((text) => text !== "").map((text) => ({ text, borders: bordersOf(text) }));
  }

  /** Whether the pattern matches the whole text. */
  matches(text: string): boolean {
    if (this.#last === undefined) return text === this.#first;
    const end = text.length - this.#last.length;
    let from = this.#first.length;
    if (end < from || !text.startsWith(this.#first) || !text.endsWith(this.#last)) return false;
    for (const piece of this.#between) {
      from = endOf(piece, text, from, end);
      if (from < 0) return false;
    }
    return true;
  }
}

/**
 * A text to look for. The longest border of each of its prefixes says where to continue after a difference (Knuth,
 * Morris and Pratt).
 */
interface Piece {
  readonly text: string;
  readonly borders: Uint16Array;
}

/** @param text at most 65,535 characters */
function bordersOf(text: string): Uint16Array {
  const borders = new Uint16Array(text.length);
  for (let index = 1, length = 0; index < text.length; index++) {
    while (length > 0 && text[index] !== text[length]) length = borders[length - 1] as number;
    if (text[index] === text[length]) length += 1;
    borders[index] = length;
  }
  return borders;
}

/** Where the first occurrence of a piece between two places ends; -1 if there is none. */
function endOf({ text: wanted, borders }: Piece, text: string, from: number, end: number): number {
  for (let index = from, length = 0; index < end; index++) {
    while (length > 0 && text[index] !== wanted[length]) length = borders[length - 1] as number;
    if (text[index] === wanted[length]) length += 1;
    if (length === wanted.length) return index + 1;
  }
  return -1;
}
