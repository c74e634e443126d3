/** What the journal keeps, with its number. Numbers increase. */
export interface JournalEntry<T> {
  readonly number: number;
  readonly item: T;
}

type Listener<T> = (entry: JournalEntry<T>) => void;

/** Keeps the newest entries. The oldest are removed when there are too many, or when they take too much memory. */
export class RingBuffer<T> {
  readonly #items: (T | undefined)[];
  /** The number of the entry in each slot; 0 where there is none. */
  readonly #numbers: Float64Array;
  readonly #sizes: Float64Array;
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
    this.#items = new Array(capacity);
    this.#numbers = new Float64Array(capacity);
    this.#sizes = new Float64Array(capacity);
  }

  /** Adds an entry. The newest one is kept even if it is larger than all may be together. @returns its number */
  add(item: T): number {
    const size = this.sizeOf(item);
    const number = this.#next;
    const slot = number % this.capacity;
    if (number - this.#oldest >= this.capacity) this.#dropOldest();
    this.#items[slot] = item;
    this.#numbers[slot] = number;
    this.#sizes[slot] = size;
    this.#bytes += size;
    this.#count += 1;
    this.#next = number + 1;
    while (this.#bytes > this.mostBytes && this.#oldest < this.#next - 1) this.#dropOldest();
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener({ number, item });
    return number;
  }

  /** The entry of a number, as long as it is kept. */
  get(number: number): JournalEntry<T> | undefined {
    return this.#keeps(number) ? { number, item: this.#items[number % this.capacity] as T } : undefined;
  }

  /** Newest first, from the one before `before`. */
  *newestFirst(before: number = this.#next): Generator<JournalEntry<T>> {
    for (let number = Math.min(before, this.#next) - 1; number >= this.#oldest; number--) {
      const entry = this.get(number);
      if (entry) yield entry;
    }
  }

  /** Removes entries: all of them, or those that are chosen. Their numbers are not reused. */
  remove(chosen?: (item: T) => boolean): void {
    for (let number = this.#oldest; number < this.#next; number++) {
      const entry = chosen && this.get(number);
      if (chosen === undefined || (entry && chosen(entry.item))) this.#drop(number);
    }
    while (this.#oldest < this.#next && !this.#keeps(this.#oldest)) this.#oldest += 1;
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

  /** How many listeners there are. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Numbers begin with 1; 0 says that a slot is free. */
  #keeps(number: number): boolean {
    return number > 0 && this.#numbers[number % this.capacity] === number;
  }

  #dropOldest(): void {
    this.#drop(this.#oldest);
    this.#oldest += 1;
  }

  #drop(number: number): void {
    if (!this.#keeps(number)) return;
    const slot = number % this.capacity;
    this.#bytes -= this.#sizes[slot] ?? 0;
    this.#count -= 1;
    this.#items[slot] = undefined;
    this.#numbers[slot] = 0;
  }
}
