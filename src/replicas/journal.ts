import { remember } from "../base/remember.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { Journal } from "../sandbox/journal/journal.js";
import { type BatchNumbers, BatchReader } from "./batch-reader.js";
import type { SharedExam } from "./exam.js";
import { exchangeIn, type ReadingContext } from "./exchange-text.js";
import { type BatchContent, JournalWriter, type WrittenBatch } from "./journal-writer.js";
import { keys } from "./keys.js";
import type { SharedLog } from "./log.js";
import { isBefore } from "./position.js";

/** How often a reader that waits for new entries polls, in milliseconds. */
const followInterval = 100;

/** How often a replica that judges looks whether Redis will soon need room, in milliseconds. */
const keepUpInterval = 500;

/**
 * The journal that replicas share. The exchanges of this replica are written in batches. The batches of all replicas
 * are read only on request, so that a journal costs nothing if it is not read; and by a replica that judges, before
 * Redis drops them.
 */
export class SharedJournal {
  /** Receives the exchanges of this replica. */
  readonly writer: JournalWriter;
  readonly #log: SharedLog;
  readonly #journal: Journal;
  readonly #exam: SharedExam | undefined;
  readonly #reader: BatchReader<BatchContent>;
  /** By number: exchanges of batches that were read, whose end was not read yet, and where their batch is. */
  readonly #open = new Map<number, { readonly exchange: Exchange; readonly recordedIn: string }>();
  /** The numbers of entries that were removed before this replica joined; those of handshakes begin with "h". */
  #removed: ReadonlySet<string> = new Set();
  /** Up to this batch, all entries were removed. */
  #removedUpTo = "0-0";
  /** Up to this batch, as Redis knows, everything was judged here; undefined if Redis does not know it yet. */
  #judgedUpTo: string | undefined;

  constructor(log: SharedLog, journal: Journal, context: ReadingContext, exam: SharedExam | undefined) {
    this.#log = log;
    this.#journal = journal;
    this.#exam = exam;
    this.#reader = new BatchReader(log, journal.limits, {
      parse: (text) => {
        const batch = JSON.parse(text) as WrittenBatch;
        return { ...batch, exchanges: batch.exchanges.map((exchange) => exchangeIn(exchange, context)) };
      },
      take: (content, numbers) => this.#takeIn(content, numbers),
    });
    this.writer = new JournalWriter(log, journal.limits, this.#reader, exam);
  }

  /** Up to which batch it was read. */
  get position(): string {
    return this.#reader.position;
  }

  /** Whether an exchange was read whose end was not. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Reads the entries in Redis into the journal of this process.
   * @throws SharedStateError
   */
  async read(): Promise<void> {
    await this.#reader.read();
    const { position } = this.#reader;
    if (this.#exam === undefined || position === this.#judgedUpTo) return;
    this.#judgedUpTo = position;
    await this.#log.redis.send(["HSET", keys.judged, this.#log.id, position]);
  }

  /**
   * Keeps reading.
   * @returns a function that stops it
   */
  follow(): () => void {
    return this.#reader.follow(followInterval);
  }

  /**
   * Reads what Redis will soon drop, so that it is judged before: whoever writes to the journal drops nothing that a
   * running replica has not read, as far as there is room for it.
   * @returns a function that stops it
   */
  keepUp(): () => void {
    const look = async () => {
      // Not while the state is being restored.
      if (this.#log.unavailable() !== undefined) return;
      const sizes = (await this.#log.redis.send(["HMGET", keys.numbers, "exchanges", "bytes"])) as (string | null)[];
      const [newest = 0, bytes = 0] = sizes.map(Number);
      const { limits } = this.#journal;
      const unread = newest - this.#reader.newest;
      if (unread > limits.requests / 4 || (unread > 0 && bytes > limits.bytes / 2)) await this.read();
    };
    const timer = setInterval(() => look().catch(() => {}), keepUpInterval);
    timer.unref();
    this.read().catch(() => {});
    return () => {
      clearInterval(timer);
      this.#log.redis.send(["HDEL", keys.judged, this.#log.id]).catch(() => {});
    };
  }

  /**
   * Runs a function that removes entries.
   * @returns its result, and a function that stores the removal for replicas that join later
   */
  removedBy<T>(work: () => T): { readonly result: T; keep(): Promise<unknown> } {
    const { requests, handshakes } = this.#journal;
    const numbers = [...requests.newestFirst()].map(({ number }) => number);
    const ofHandshakes = [...handshakes.newestFirst()].map(({ number }) => number);
    const result = work();
    const { position, newest } = this.#reader;
    // Redis may have more than this journal keeps.
    if (requests.count === 0 && handshakes.count === 0)
      return { result, keep: () => this.#log.redis.send(["SET", keys.removedUpTo, position]) };
    const gone = [
      ...numbers.filter((number) => !requests.get(number)).flatMap((number) => [number, number]),
      ...ofHandshakes.filter((number) => !handshakes.get(number)).flatMap((number) => [newest, `h${number}`]),
    ];
    const command = ["ZADD", keys.removed, ...gone.map(String)];
    return { result, keep: async () => gone.length > 0 && this.#log.redis.send(command) };
  }

  /** Forgets all entries, because Redis has other data now. */
  async restart(): Promise<void> {
    const { redis, facts } = this.#log;
    const removed = (await redis.send(["ZRANGE", keys.removed, "0", "-1"])) as string[];
    const upTo = (await redis.send(["GET", keys.removedUpTo])) as string | null;
    const newest = Number(await redis.send(["HGET", keys.numbers, "exchanges"]));
    await this.#reader.restart();
    this.#removed = new Set(removed);
    this.#removedUpTo = upTo ?? "0-0";
    this.#judgedUpTo = undefined;
    this.#open.clear();
    this.writer.restart(this.#journal.run === facts.log ? newest : 0);
    this.#journal.run = facts.log;
    this.#journal.remove();
  }

  /** Adds a batch to the journal, and has judged what is over. */
  #takeIn(content: BatchContent, { position, first, firstHandshake }: BatchNumbers): void {
    const { exchanges, handshakes, endings, open, passages } = content;
    if (isBefore(this.#removedUpTo, position)) this.#add(content, first, firstHandshake);
    for (const place of open) {
      const exchange = exchanges[place];
      if (exchange)
        remember(this.#open, first + place, { exchange, recordedIn: position }, this.#journal.limits.requests);
    }
    for (const [number, delivered, duration, isCut] of endings) {
      this.#open.get(number)?.exchange.endedElsewhere(delivered, duration, isCut);
      this.#journal.over(number);
    }
    for (const [place, passage] of passages) {
      const id = place > 0 ? place : first - place;
      const recorded = place > 0 ? this.#open.get(place) : { exchange: exchanges[-place], recordedIn: position };
      if (recorded?.exchange) this.#exam?.exchange(recorded.exchange, id, passage, recorded.recordedIn, position);
    }
    for (const [number] of endings) this.#open.delete(number);
    for (const [place, record] of handshakes.entries()) this.#exam?.handshake(record, firstHandshake + place, position);
    this.#exam?.taken(position);
  }

  #add({ exchanges, handshakes }: BatchContent, first: number, firstHandshake: number): void {
    const { requests, handshakes: ofHandshakes } = this.#journal;
    const before = first - 1 + firstHandshake - 1;
    for (const [place, exchange] of exchanges.entries())
      if (!this.#removed.has(String(first + place))) requests.add(exchange, first + place, before + place + 1);
    for (const [place, record] of handshakes.entries())
      if (!this.#removed.has(`h${firstHandshake + place}`))
        ofHandshakes.add(record, firstHandshake + place, before + exchanges.length + place + 1);
  }
}
