/** What the journal keeps, with its number. Numbers increase. */
export interface JournalEntry<T> {
  readonly number: number;
  readonly item: T;
}

type Listener<T> = (entry: JournalEntry<T>) => void;

/** Keeps the newest entries. The oldest are removed when there are too many, or when they take too much memory. */
export class RingBuffer<T> {
  readonly #entries: (JournalEntry<T> | undefined)[];
  readonly #sizes: number[];
  readonly #listeners = new Set<Listener<T>>();
  /** Number of the next entry. */
  #next = 1;
  /** Number of the oldest entry that may still be kept. */
  #oldest = 1;
  #count = 0;
  #bytes = 0;

  /** @param sizeOf estimates what an item takes in memory, in bytes */
  constructor(
    private readonly capacity: number,
    private readonly mostBytes: number = Number.POSITIVE_INFINITY,
    private readonly sizeOf: (item: T) => number = () => 0,
  ) {
    this.#entries = new Array(capacity);
    this.#sizes = new Array(capacity);
  }

  /**
   * Adds an entry. The newest one is kept even if it is larger than all may be together.
   * @param number where it is not the next one: it must be higher than that of any entry before
   * @returns its number
   */
  add(item: T, number: number = this.#next): number {
    const size = this.sizeOf(item);
    const entry = { number, item };
    const slot = number % this.capacity;
    if (this.#count === 0) this.#oldest = number;
    while (number - this.#oldest >= this.capacity) this.#dropOldest();
    this.#entries[slot] = entry;
    this.#sizes[slot] = size;
    this.#bytes += size;
    this.#count += 1;
    this.#next = number + 1;
    while (this.#bytes > this.mostBytes && this.#oldest < this.#next - 1) this.#dropOldest();
    for (const listener of this.#listeners) listener(entry);
    return number;
  }

  /** The entry of a number, as long as it is kept. */
  get(number: number): JournalEntry<T> | undefined {
    const entry = this.#entries[number % this.capacity];
    return entry?.number === number ? entry : undefined;
  }

  /** Newest first, from the one before `before`. */
  *newestFirst(before: number = this.#next): Generator<JournalEntry<T>> {
    for (let number = Math.min(before, this.#next) - 1; number >= this.#oldest; number--) {
      const entry = this.get(number);
      if (entry) yield entry;
    }
  }

  /** Removes entries: all of them, or those that are chosen. Their numbers are not reused. @returns their numbers */
  remove(chosen?: (item: T) => boolean): number[] {
    const removed: number[] = [];
    for (let number = this.#oldest; number < this.#next; number++) {
      const entry = this.get(number);
      if (!entry || (chosen !== undefined && !chosen(entry.item))) continue;
      this.#drop(number);
      removed.push(number);
    }
    while (this.#oldest < this.#next && !this.get(this.#oldest)) this.#oldest += 1;
    return removed;
  }

  /** Calls the listener for every new entry, with the item itself, which may still change. It must not throw. @returns a function that stops it */
  subscribe(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How many entries are kept. */
  get count(): number {
    return this.#count;
  }

  /** Estimated size of the kept entries, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  #dropOldest(): void {
    this.#drop(this.#oldest);
    this.#oldest += 1;
  }

  #drop(number: number): void {
    if (!this.get(number)) return;
    const slot = number % this.capacity;
    this.#bytes -= this.#sizes[slot] ?? 0;
    this.#count -= 1;
    this.#entries[slot] = undefined;
  }
}
