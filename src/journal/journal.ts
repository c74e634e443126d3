import type { Exchange } from "./exchange.js";

/** How much a journal keeps. What is older makes room. */
export interface JournalLimits {
  /** Number of exchanges. */
  readonly requests: number;
  /** What the kept exchanges may take, in bytes, by estimate: texts that were sent, and a constant for each. */
  readonly bytes: number;
  /** Number of failed handshakes and of connections that carried no request. */
  readonly handshakes: number;
}

export const defaultJournalLimits: JournalLimits = { requests: 10_000, bytes: 64 * 1024 * 1024, handshakes: 1000 };

/** An exchange in the journal, with its number. Numbers only go up. */
export interface JournalEntry<T> {
  readonly number: number;
  readonly item: T;
}

type Listener<T> = (entry: JournalEntry<T>) => void;

/** What an entry takes beside the texts: the object, its arrays and their headers. */
const constantSize = 600;

/**
 * The newest entries of a kind, in a ring: adding costs the same however many there are, and the oldest are dropped
 * once there are too many of them, or they take too much.
 */
export class Ring<T> {
  readonly #slots: (JournalEntry<T> | undefined)[];
  readonly #sizes: Float64Array;
  readonly #mostBytes: number;
  readonly #sizeOf: (item: T) => number;
  readonly #listeners = new Set<Listener<T>>();
  /** Number of the next entry. */
  #next = 1;
  /** Number of the oldest entry that is kept. */
  #oldest = 1;
  #bytes = 0;

  constructor(capacity: number, mostBytes: number, sizeOf: (item: T) => number) {
    this.#slots = new Array(capacity);
    this.#sizes = new Float64Array(capacity);
    this.#mostBytes = mostBytes;
    this.#sizeOf = sizeOf;
  }

  add(item: T): JournalEntry<T> {
    const capacity = this.#slots.length;
    if (this.#next - this.#oldest >= capacity) this.#dropOldest();
    const size = this.#sizeOf(item);
    const slot = this.#next % capacity;
    const entry = { number: this.#next, item };
    this.#slots[slot] = entry;
    this.#sizes[slot] = size;
    this.#bytes += size;
    this.#next += 1;
    while (this.#bytes > this.#mostBytes && this.#oldest < this.#next - 1) this.#dropOldest();
    for (const listener of this.#listeners) listener(entry);
    return entry;
  }

  /** The entry of a number, as long as it is kept. */
  get(number: number): JournalEntry<T> | undefined {
    const entry = this.#slots[number % this.#slots.length];
    return entry?.number === number ? entry : undefined;
  }

  /** Newest first, from the one before `before`. */
  *newestFirst(before: number = this.#next): Generator<JournalEntry<T>> {
    for (let number = Math.min(before, this.#next) - 1; number >= this.#oldest; number--) {
      const entry = this.get(number);
      if (entry) yield entry;
    }
  }

  /** Removes entries: all of them, or those that are chosen. */
  remove(chosen: (item: T) => boolean = () => true): void {
    for (let number = this.#oldest; number < this.#next; number++) {
      const entry = this.get(number);
      if (entry && chosen(entry.item)) this.#drop(number);
    }
  }

  /** Calls the listener for every entry from now on. @returns what ends that */
  subscribe(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What the kept entries take, by estimate, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  #dropOldest(): void {
    this.#drop(this.#oldest);
    this.#oldest += 1;
  }

  #drop(number: number): void {
    const slot = number % this.#slots.length;
    if (this.#slots[slot]?.number !== number) return;
    this.#bytes -= this.#sizes[slot] ?? 0;
    this.#sizes[slot] = 0;
    this.#slots[slot] = undefined;
  }
}

/** What the journal says of a connection on which no request arrived. */
export interface HandshakeRecord {
  /** Milliseconds since the epoch, on the machine's clock. */
  readonly at: number;
  /** Why it failed, such as `client-refused-our-certificate`; `no-request` for one that succeeded and was closed without a request. */
  readonly cause: string;
  /** OpenSSL's or the system's code. */
  readonly code: string | undefined;
  /** The alert that the client sent (RFC 8446 §6). */
  readonly alert: string | undefined;
  /** What is wrong with the client's certificate, in words; empty for other causes. */
  readonly reason: string;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly serverName: string | undefined;
  readonly protocol: string | undefined;
  readonly certificate: { readonly subject: string; readonly thumbprint: string } | undefined;
}

/** The bounded record of everything that reached the sandbox. */
export class Journal {
  readonly requests: Ring<Exchange>;
  readonly handshakes: Ring<HandshakeRecord>;
  readonly limits: JournalLimits;

  constructor(limits: JournalLimits = defaultJournalLimits) {
    this.limits = limits;
    this.requests = new Ring(limits.requests, limits.bytes, sizeOf);
    this.handshakes = new Ring(limits.handshakes, Number.POSITIVE_INFINITY, () => 0);
  }
}

/** Characters are counted as bytes: almost all of them are ASCII, and engines keep those in one. */
function sizeOf(exchange: Exchange): number {
  let size = constantSize + exchange.target.length + (exchange.answerBody?.length ?? 0);
  const { rawHeaders } = exchange;
  for (let index = 0; index < rawHeaders.length; index++) size += (rawHeaders[index] as string).length;
  return size;
}
