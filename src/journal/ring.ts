/** What the journal keeps, with its number. Numbers only go up. */
export interface JournalEntry<T> {
  readonly number: number;
  readonly item: T;
}

type Listener<T> = (entry: JournalEntry<T>) => void;

/** Where a ring lays its entries: a fixed number of slots. */
export interface Store<T> {
  readonly capacity: number;
  /** Lays an item in a slot, in the place of what lies there. */
  put(slot: number, item: T): void;
  /** What lies in a slot. Only of a slot in which something does. */
  get(slot: number): T;
  /** Lets go of what lies in a slot. */
  release(slot: number): void;
}

/** Keeps the items themselves. */
export class ItemStore<T> implements Store<T> {
  readonly #items: (T | undefined)[];

  constructor(readonly capacity: number) {
    this.#items = new Array(capacity);
  }

  put(slot: number, item: T): void {
    this.#items[slot] = item;
  }

  get(slot: number): T {
    return this.#items[slot] as T;
  }

  release(slot: number): void {
    this.#items[slot] = undefined;
  }
}

/**
 * The newest entries of a kind, in a ring: adding costs the same however many there are, and the oldest are dropped
 * once there are too many of them, or they take too much.
 */
export class Ring<T> {
  readonly #store: Store<T>;
  /** The number of the entry in each slot; 0 where there is none. */
  readonly #numbers: Float64Array;
  readonly #sizes: Float64Array;
  readonly #mostBytes: number;
  readonly #sizeOf: (item: T) => number;
  readonly #listeners = new Set<Listener<T>>();
  /** Number of the next entry. */
  #next = 1;
  /** Number of the oldest entry that may still be kept. */
  #oldest = 1;
  #count = 0;
  #bytes = 0;

  constructor(store: Store<T>, mostBytes: number, sizeOf: (item: T) => number) {
    this.#store = store;
    this.#numbers = new Float64Array(store.capacity);
    this.#sizes = new Float64Array(store.capacity);
    this.#mostBytes = mostBytes;
    this.#sizeOf = sizeOf;
  }

  /** Adds an entry. The newest one is kept even if it is larger than all may be together. @returns its number */
  add(item: T): number {
    const { capacity } = this.#store;
    const size = this.#sizeOf(item);
    const number = this.#next;
    const slot = number % capacity;
    if (number - this.#oldest >= capacity) {
      // The oldest entry lies where this one goes, and is written over.
      this.#forget(slot);
      this.#oldest += 1;
    }
    this.#store.put(slot, item);
    this.#numbers[slot] = number;
    this.#sizes[slot] = size;
    this.#bytes += size;
    this.#count += 1;
    this.#next = number + 1;
    while (this.#bytes > this.#mostBytes && this.#oldest < this.#next - 1) this.#dropOldest();
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener({ number, item });
    return number;
  }

  /** The entry of a number, as long as it is kept. */
  get(number: number): JournalEntry<T> | undefined {
    return this.#keeps(number) ? { number, item: this.#store.get(number % this.#store.capacity) } : undefined;
  }

  /** Newest first, from the one before `before`. */
  *newestFirst(before: number = this.#next): Generator<JournalEntry<T>> {
    for (let number = Math.min(before, this.#next) - 1; number >= this.#oldest; number--) {
      const entry = this.get(number);
      if (entry) yield entry;
    }
  }

  /** Removes entries: all of them, or those that are chosen. Their numbers are not given again. */
  remove(chosen?: (item: T) => boolean): void {
    for (let number = this.#oldest; number < this.#next; number++) {
      const entry = chosen && this.get(number);
      if (chosen === undefined || (entry && chosen(entry.item))) this.#drop(number);
    }
    while (this.#oldest < this.#next && !this.#keeps(this.#oldest)) this.#oldest += 1;
  }

  /** Calls the listener for every entry from now on, with the item itself, which may still change. It must not throw. @returns what ends that */
  subscribe(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How many entries are kept. */
  get count(): number {
    return this.#count;
  }

  /** What the kept entries take, by estimate, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Numbers begin with 1; 0 says that a slot is free. */
  #keeps(number: number): boolean {
    return number > 0 && this.#numbers[number % this.#store.capacity] === number;
  }

  #dropOldest(): void {
    this.#drop(this.#oldest);
    this.#oldest += 1;
  }

  #drop(number: number): void {
    if (!this.#keeps(number)) return;
    const slot = number % this.#store.capacity;
    this.#forget(slot);
    this.#store.release(slot);
  }

  /** Counts the entry of a slot no more, if it has one. */
  #forget(slot: number): void {
    if (this.#numbers[slot] === 0) return;
    this.#bytes -= this.#sizes[slot] ?? 0;
    this.#count -= 1;
    this.#numbers[slot] = 0;
    this.#sizes[slot] = 0;
  }
}
