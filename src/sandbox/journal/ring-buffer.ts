/**
 * An item of the journal, with its number among the items of its kind, and its place among all entries. Both increase.
 */
export interface JournalEntry<T> {
  readonly number: number;
  readonly order: number;
  readonly item: T;
}

type Listener<T> = (entry: JournalEntry<T>) => void;

/** The limits of a ring. */
export interface RingOptions<T> {
  /** The largest number of entries. */
  readonly capacity: number;
  /** How much memory they may take, in bytes. */
  readonly bytes?: number;
  /** Estimates how much memory an item takes, in bytes. */
  readonly sizeOf?: (item: T) => number;
  /**
   * Items that are kept longer than the others, and how many of them: others cannot push them out as long as they take
   * at most half of the bytes.
   */
  readonly lasting?: { readonly count: number; readonly has: (item: T) => boolean };
  /** The place of the next entry among those of several rings. */
  readonly nextOrder?: () => number;
}

/**
 * Keeps the newest entries. The oldest are removed if there are too many, or if they take too much memory. The newest
 * of the lasting ones stay while others are removed. Adding an entry takes constant time.
 */
export class RingBuffer<T> {
  readonly #capacity: number;
  readonly #mostBytes: number;
  readonly #sizeOf: (item: T) => number;
  readonly #isLasting: ((item: T) => boolean) | undefined;
  readonly #lastingShare: number;
  readonly #nextOrder: () => number;
  readonly #usual = new Queue<T>();
  readonly #lasting = new Queue<T>();
  readonly #listeners = new Set<Listener<T>>();
  #newest = 0;

  constructor({ capacity, bytes = Number.POSITIVE_INFINITY, sizeOf = () => 0, lasting, ...others }: RingOptions<T>) {
    this.#capacity = capacity;
    this.#mostBytes = bytes;
    this.#sizeOf = sizeOf;
    this.#isLasting = lasting?.has;
    // Others need space as well: an entry is looked up right after it was added.
    this.#lastingShare = Math.min(lasting?.count ?? 0, Math.floor(capacity / 2));
    this.#nextOrder = others.nextOrder ?? (() => this.#newest);
  }

  /**
   * Adds an entry. The newest one is kept even if it alone is larger than the limit.
   * @param number if it is not the next one: it must be higher than that of any earlier entry
   * @param order its place among those of several rings, if it is not the next one
   * @returns its number
   */
  add(item: T, number = this.#newest + 1, order?: number): number {
    this.#newest = number;
    const entry = { number, order: order ?? this.#nextOrder(), size: this.#sizeOf(item), item };
    if (this.count === this.#capacity) this.#dropOne(undefined);
    (this.#isLasting?.(item) ? this.#lasting : this.#usual).add(entry);
    while (this.bytes > this.#mostBytes && this.count > 1) this.#dropOne(entry);
    for (const listener of this.#listeners) listener(entry);
    return entry.number;
  }

  /** The entry of a number, if it is still kept. */
  get(number: number): JournalEntry<T> | undefined {
    return this.#usual.find("number", number) ?? this.#lasting.find("number", number);
  }

  /** The entry at a place among those of several rings, if it is still kept. */
  at(order: number): JournalEntry<T> | undefined {
    return this.#usual.find("order", order) ?? this.#lasting.find("order", order);
  }

  /**
   * Newest first, from the one before a number, or before a place. Must be read without a pause: an entry that is added
   * or removed meanwhile shifts the position.
   */
  newestFirst(before = Number.POSITIVE_INFINITY, by: "number" | "order" = "number"): Generator<JournalEntry<T>> {
    return newestOf(this.#usual.newestFirst(by, before), this.#lasting.newestFirst(by, before));
  }

  /** Removes entries: all of them, or the chosen ones. Their numbers are not reused. */
  remove(chosen: (entry: JournalEntry<T>) => boolean = () => true): void {
    this.#usual.remove(chosen);
    this.#lasting.remove(chosen);
  }

  /**
   * Calls the listener for every new entry, with the item itself, which may still change. It must not throw.
   * @returns a function that stops it
   */
  subscribe(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How many entries are kept. */
  get count(): number {
    return this.#usual.count + this.#lasting.count;
  }

  /** Estimated size of the kept entries, in bytes. */
  get bytes(): number {
    return this.#usual.bytes + this.#lasting.bytes;
  }

  /** @param spared the newest entry, if it is already added */
  #dropOne(spared: KeptEntry<T> | undefined): void {
    const usual = this.#usual.get(0);
    const lasting = this.#lasting.get(0);
    const isLasting = lasting !== undefined && (usual === undefined || this.#losesLasting(usual, lasting, spared));
    (isLasting ? this.#lasting : this.#usual).dropOldest();
  }

  #losesLasting(usual: KeptEntry<T>, lasting: KeptEntry<T>, spared: KeptEntry<T> | undefined): boolean {
    if (usual.number === spared?.number) return true;
    const isGuarded = this.#lasting.count <= this.#lastingShare && this.#lasting.bytes * 2 <= this.#mostBytes;
    return !isGuarded && usual.number > lasting.number;
  }
}

/** The entries of both, newest first. Each of the two is in this order already. */
export function* newestOf<E extends JournalEntry<unknown>>(some: Iterator<E>, others: Iterator<E>): Generator<E> {
  let one = some.next();
  let other = others.next();
  while (!one.done || !other.done) {
    if (other.done || (!one.done && one.value.order > other.value.order)) {
      yield one.value;
      one = some.next();
    } else {
      yield other.value;
      other = others.next();
    }
  }
}

interface KeptEntry<T> extends JournalEntry<T> {
  /** In bytes. */
  readonly size: number;
}

/** Entries in the order in which they came. */
class Queue<T> {
  /** Behind those that were dropped. */
  #entries: (KeptEntry<T> | undefined)[] = [];
  #dropped = 0;
  bytes = 0;

  get count(): number {
    return this.#entries.length - this.#dropped;
  }

  add(entry: KeptEntry<T>): void {
    this.#entries.push(entry);
    this.bytes += entry.size;
  }

  /** @param index 0 for the oldest */
  get(index: number): KeptEntry<T> | undefined {
    return index < 0 ? undefined : this.#entries[this.#dropped + index];
  }

  dropOldest(): void {
    this.bytes -= this.get(0)?.size ?? 0;
    this.#entries[this.#dropped] = undefined;
    this.#dropped += 1;
    // Moved when as many were dropped as are left: on average, dropping an entry takes constant time.
    if (this.#dropped < this.count) return;
    this.#entries = this.#entries.slice(this.#dropped);
    this.#dropped = 0;
  }

  /** How many entries have a smaller number, or place. */
  countBefore(by: "number" | "order", value: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.get(middle) as KeptEntry<T>)[by] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The entries with a smaller number, or place, newest first. */
  *newestFirst(by: "number" | "order", before: number): Generator<KeptEntry<T>> {
    for (let at = this.countBefore(by, before) - 1; at >= 0; at--) yield this.get(at) as KeptEntry<T>;
  }

  find(by: "number" | "order", value: number): KeptEntry<T> | undefined {
    const entry = this.get(this.countBefore(by, value));
    return entry?.[by] === value ? entry : undefined;
  }

  remove(chosen: (entry: KeptEntry<T>) => boolean): void {
    const kept = this.#entries.slice(this.#dropped).filter((entry) => entry && !chosen(entry));
    this.#entries = kept;
    this.#dropped = 0;
    this.bytes = kept.reduce((sum, entry) => sum + (entry?.size ?? 0), 0);
  }
}
