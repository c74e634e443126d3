import type { Exchange } from "./exchange.js";
import { exchangeSizes } from "./size.js";

/** How much a journal keeps. What is older makes room. */
export interface JournalLimits {
  /** Number of exchanges. */
  readonly requests: number;
  /** What the kept exchanges may take, in bytes, by estimate (`size.ts`). */
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

/**
 * The newest entries of a kind, in a ring: adding costs the same however many there are, and the oldest are dropped
 * once there are too many of them, or they take too much.
 */
export class Ring<T> {
  readonly #slots: (T | undefined)[];
  /** The number of the entry in each slot; 0 where there is none. Beside the slots, so that an old entry can be dropped unseen. */
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

  constructor(capacity: number, mostBytes: number, sizeOf: (item: T) => number) {
    this.#slots = new Array(capacity);
    this.#numbers = new Float64Array(capacity);
    this.#sizes = new Float64Array(capacity);
    this.#mostBytes = mostBytes;
    this.#sizeOf = sizeOf;
  }

  /** Adds an entry. The newest one is kept even if it is larger than all may be together. @returns its number */
  add(item: T): number {
    const capacity = this.#slots.length;
    if (this.#next - this.#oldest >= capacity) this.#dropOldest();
    const size = this.#sizeOf(item);
    const number = this.#next;
    const slot = number % capacity;
    this.#slots[slot] = item;
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
    const slot = number % this.#slots.length;
    // Numbers begin with 1; 0 says that a slot is free.
    return number > 0 && this.#numbers[slot] === number ? { number, item: this.#slots[slot] as T } : undefined;
  }

  /** Newest first, from the one before `before`. */
  *newestFirst(before: number = this.#next): Generator<JournalEntry<T>> {
    for (let number = Math.min(before, this.#next) - 1; number >= this.#oldest; number--) {
      const entry = this.get(number);
      if (entry) yield entry;
    }
  }

  /** Removes entries: all of them, or those that are chosen. Their numbers are not given again. */
  remove(chosen: (item: T) => boolean = () => true): void {
    for (let number = this.#oldest; number < this.#next; number++) {
      const entry = this.get(number);
      if (entry && chosen(entry.item)) this.#drop(number);
    }
    while (this.#oldest < this.#next && !this.get(this.#oldest)) this.#oldest += 1;
  }

  /** Calls the listener for every entry from now on. It must not throw. @returns what ends that */
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

  /** How many listeners there are. */
  get listeners(): number {
    return this.#listeners.size;
  }

  #dropOldest(): void {
    this.#drop(this.#oldest);
    this.#oldest += 1;
  }

  #drop(number: number): void {
    const slot = number % this.#slots.length;
    if (this.#numbers[slot] !== number) return;
    this.#bytes -= this.#sizes[slot] ?? 0;
    this.#count -= 1;
    this.#numbers[slot] = 0;
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
  /** The defect of the server's certificate that the client was shown on purpose: by the host name, or by a scenario. */
  readonly serverDefect: string | undefined;
  readonly certificate: HandshakeCertificate | undefined;
}

/** What is kept of a certificate that a client presented. */
export interface HandshakeCertificate {
  readonly subject: string;
  readonly thumbprint: string;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  /** Milliseconds since the epoch. */
  readonly notAfter: number;
}

/** The bounded record of everything that reached the sandbox. */
export class Journal {
  readonly requests: Ring<Exchange>;
  readonly handshakes: Ring<HandshakeRecord>;
  readonly limits: JournalLimits;

  constructor(limits: JournalLimits = defaultJournalLimits) {
    this.limits = limits;
    this.requests = new Ring(limits.requests, limits.bytes, exchangeSizes());
    // Each is a few short texts: their number is bound enough.
    this.handshakes = new Ring(limits.handshakes, Number.POSITIVE_INFINITY, () => 0);
  }
}
