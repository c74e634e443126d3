import type { JournalLimits } from "../sandbox/journal/journal.js";
import { readScript } from "./journal-scripts.js";
import { keys } from "./keys.js";
import { isBefore } from "./position.js";
import type { SharedRecords } from "./records.js";

/** How many batches are read at once. */
const readAtOnce = 100;

/** Where the text of a batch is among the fields of its entry in Redis. */
const textPlace = 12;

/** Where a batch is, and its numbers: of its first exchange, its first handshake, and its last exchange. */
export interface BatchNumbers {
  readonly position: string;
  readonly first: number;
  readonly firstHandshake: number;
  readonly last: number;
}

/** What a reader does with a batch. */
interface Taker<T> {
  parse(text: string): T;
  take(content: T, numbers: BatchNumbers): void;
}

/** The content that this process wrote, until it is read. It is in memory, so its text need not be parsed. */
interface Kept<T> {
  readonly content: T;
  readonly exchanges: number;
  /** Characters of its text. */
  readonly size: number;
}

/** Reads all batches, of every replica, in their order. */
export class BatchReader<T> {
  readonly #records: SharedRecords;
  readonly #limits: JournalLimits;
  readonly #taker: Taker<T>;
  #position = "0-0";
  #newest = 0;
  #restarts = 0;
  #reading: Promise<void> = Promise.resolve();
  /** Settles once the positions of the sent batches are known. */
  #sent: Promise<void> = Promise.resolve();
  /** By position. */
  readonly #kept = new Map<string, Kept<T>>();
  #keptExchanges = 0;
  #keptSize = 0;

  constructor(records: SharedRecords, limits: JournalLimits, taker: Taker<T>) {
    this.#records = records;
    this.#limits = limits;
    this.#taker = taker;
  }

  /** How far it has read. */
  get position(): string {
    return this.#position;
  }

  /** Number of the newest exchange that was read. */
  get newest(): number {
    return this.#newest;
  }

  /**
   * Keeps what this process writes, until it is read.
   * @param position of its batch; rejects when it was not written
   */
  wrote(position: Promise<string>, kept: Kept<T>): void {
    this.#sent = position.then(
      (known) => this.#keep(known, kept),
      () => {},
    );
  }

  /**
   * Reads all new batches.
   * @throws SharedStateError
   */
  read(): Promise<void> {
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => {});
    return reading;
  }

  /**
   * Reads repeatedly.
   * @returns a function that stops it
   */
  follow(interval: number): () => void {
    const timer = setInterval(() => {
      // Not while the state is being restored.
      if (this.#records.unavailable() === undefined) this.read().catch(() => {});
    }, interval);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Begins again: Redis has other data now. */
  restart(): void {
    this.#restarts += 1;
    for (const position of this.#kept.keys()) this.#forget(position);
    this.#position = "0-0";
    this.#newest = 0;
  }

  async #read(): Promise<void> {
    let restarts = this.#restarts;
    for (;;) {
      const args = [this.#position, this.#records.writer, textPlace, readAtOnce];
      const reply = await this.#records.redis.run(readScript, [keys.journal], args);
      const batches = reply as [position: string, ...fields: string[]][];
      await this.#sent;
      // What was removed before a batch was written must be known before it is taken.
      await this.#records.current();
      if (restarts !== this.#restarts) {
        restarts = this.#restarts;
        continue;
      }
      for (const [position, ...fields] of batches) {
        const own = this.#forget(position);
        // A batch that was written here, but whose reply was lost, is not kept.
        const text = own ? "" : fields[3] || (await this.#textAt(position));
        if (restarts !== this.#restarts) return;
        this.#position = position;
        const [first = Number.NaN, firstHandshake = Number.NaN, last = Number.NaN] = fields.map(Number);
        if (!Number.isSafeInteger(first + firstHandshake + last)) continue;
        this.#newest = last;
        try {
          const content = own ? own.content : text && this.#taker.parse(text);
          if (content) this.#taker.take(content, { position, first, firstHandshake, last });
        } catch {
          // No replica wrote this: it is ignored.
        }
      }
      if (batches.length < readAtOnce) break;
    }
    // Redis has cut the batches that are still kept.
    for (const position of this.#kept.keys()) if (isBefore(position, this.#position)) this.#forget(position);
  }

  /** The text of a batch of any writer; empty if Redis has cut it meanwhile. */
  async #textAt(position: string): Promise<string> {
    const found = await this.#records.redis.send(["XRANGE", keys.journal, position, position]);
    const [entry] = found as [position: string, fields: string[]][];
    return entry?.[1][textPlace - 1] ?? "";
  }

  /** Keeps as much as Redis keeps. */
  #keep(position: string, kept: Kept<T>): void {
    this.#kept.set(position, kept);
    this.#keptExchanges += kept.exchanges;
    this.#keptSize += kept.size;
    for (const [oldest, { exchanges }] of this.#kept) {
      const { requests, bytes } = this.#limits;
      if (this.#keptExchanges - exchanges < requests && this.#keptSize <= bytes) break;
      this.#forget(oldest);
    }
  }

  #forget(position: string): Kept<T> | undefined {
    const kept = this.#kept.get(position);
    this.#kept.delete(position);
    this.#keptExchanges -= kept?.exchanges ?? 0;
    this.#keptSize -= kept?.size ?? 0;
    return kept;
  }
}
