/**
 * Finds where values are in a text of JSON, without a tree of all its values: an object or a list is read the first
 * time that a value in it is asked for. The text has been parsed, so its syntax is right.
 */
export class JsonPlaces {
  /** Where the members of an object or list begin, by where it begins itself. */
  readonly #members = new Map<number, ReadonlyMap<PropertyKey, number>>();
  #lines: readonly number[] | undefined;

  constructor(private readonly text: string) {}

  /** The place of the value at a path; if it is missing, of the nearest value around it. Both numbers begin with 1. */
  place(path: readonly PropertyKey[]): { readonly line: number; readonly column: number } {
    let offset = this.#spaceEnd(0);
    for (const step of path) {
      const member = this.#membersAt(offset).get(step);
      if (member === undefined) break;
      offset = member;
    }
    return this.#lineOf(offset);
  }

  #membersAt(begin: number): ReadonlyMap<PropertyKey, number> {
    const known = this.#members.get(begin);
    if (known) return known;
    const members = new Map<PropertyKey, number>();
    const opening = this.text[begin];
    let at = this.#spaceEnd(begin + 1);
    for (let index = 0; (opening === "{" || opening === "[") && !/[\]}]/.test(this.text[at] ?? "]"); index += 1) {
      let key: PropertyKey = index;
      if (opening === "{") {
        const end = this.#stringEnd(at);
        key = JSON.parse(this.text.slice(at, end)) as string;
        // After the colon.
        at = this.#spaceEnd(this.#spaceEnd(end) + 1);
      }
      members.set(key, at);
      at = this.#spaceEnd(this.#valueEnd(at));
      if (this.text[at] === ",") at = this.#spaceEnd(at + 1);
    }
    this.#members.set(begin, members);
    return members;
  }

  #spaceEnd(from: number): number {
    return this.#next(/[^\s]/g, from);
  }

  /** Where the first character of a set is, or the end of the text. */
  #next(set: RegExp, from: number): number {
    set.lastIndex = from;
    return set.exec(this.text)?.index ?? this.text.length;
  }

  #stringEnd(begin: number): number {
    let at = begin + 1;
    for (;;) {
      at = this.#next(/["\\]/g, at);
      if (this.text[at] !== "\\") return at + 1;
      at += 2;
    }
  }

  #valueEnd(begin: number): number {
    const first = this.text[begin];
    if (first === '"') return this.#stringEnd(begin);
    if (first !== "{" && first !== "[") return this.#next(/[\s,\]}]/g, begin);
    let depth = 0;
    let at = begin;
    do {
      at = this.#next(/["{}[\]]/g, at);
      const character = this.text[at];
      if (character === undefined) return at;
      if (character === '"') at = this.#stringEnd(at);
      else {
        depth += character === "{" || character === "[" ? 1 : -1;
        at += 1;
      }
    } while (depth > 0);
    return at;
  }

  #lineOf(offset: number): { readonly line: number; readonly column: number } {
    this.#lines ??= [0, ...[...this.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let [low, high] = [0, this.#lines.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lines[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#lines[low] as number) + 1 };
  }
}
