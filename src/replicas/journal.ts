import type { Exchange } from "../sandbox/journal/exchange.js";
import type { Journal } from "../sandbox/journal/journal.js";
import { type BatchNumbers, BatchReader } from "./batch-reader.js";
import type { SharedExam } from "./exam.js";
import { exchangesOf, type ReadingContext } from "./exchange-text.js";
import { type BatchContent, JournalWriter, type WrittenBatch } from "./journal-writer.js";
import { keys } from "./keys.js";
import { isBefore } from "./lease.js";
import type { SharedLog } from "./log.js";

/** How often a reader that waits for new entries polls, in milliseconds. */
const followInterval = 100;

/**
 * The journal that replicas share. The exchanges of this replica are written in batches. The batches of all replicas
 * are read only on request, so that a journal costs nothing if it is not read.
 */
export class SharedJournal {
  /** Receives the exchanges of this replica. */
  readonly writer: JournalWriter;
  readonly #log: SharedLog;
  readonly #journal: Journal;
  readonly #reader: BatchReader<BatchContent>;
  /** The numbers of entries that were removed before this replica joined; those of handshakes begin with "h". */
  #removed: ReadonlySet<string> = new Set();
  /** Up to this batch, all entries were removed. */
  #removedUpTo = "0-0";

  constructor(log: SharedLog, journal: Journal, context: ReadingContext, exam: SharedExam | undefined) {
    this.#log = log;
    this.#journal = journal;
    this.#reader = new BatchReader(log, journal.limits, {
      name: "exchanges",
      parse: (text) => {
        const batch = JSON.parse(text) as WrittenBatch;
        return { ...batch, exchanges: exchangesOf(batch, context) };
      },
      take: (content, numbers) => this.#takeIn(content, numbers),
    });
    this.writer = new JournalWriter(log, journal.limits, this.#reader, exam);
  }

  /**
   * Reads the entries in Redis into the journal of this process.
   * @throws SharedStateError
   */
  read(): Promise<void> {
    return this.#reader.read();
  }

  /**
   * Keeps reading.
   * @returns a function that stops it
   */
  follow(): () => void {
    return this.#reader.follow(followInterval);
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
    this.writer.restart(this.#journal.run === facts.log ? newest : 0);
    this.#journal.run = facts.log;
    this.#journal.remove();
  }

  /** Adds a batch to the journal. */
  #takeIn({ exchanges, handshakes, endings }: BatchContent, { position, first, firstHandshake }: BatchNumbers): void {
    if (!isBefore(this.#removedUpTo, position)) return;
    const { requests, handshakes: ofHandshakes } = this.#journal;
    const before = first - 1 + firstHandshake - 1;
    for (const [place, exchange] of exchanges.entries())
      if (!this.#removed.has(String(first + place))) requests.add(exchange, first + place, before + place + 1);
    for (const [place, record] of handshakes.entries())
      if (!this.#removed.has(`h${firstHandshake + place}`))
        ofHandshakes.add(record, firstHandshake + place, before + exchanges.length + place + 1);
    for (const [number, delivered, duration, isCut] of endings) {
      const item: Exchange | undefined = requests.get(number)?.item;
      if (item === undefined) continue;
      item.endedElsewhere(delivered, duration, isCut);
      this.#journal.over(number);
    }
  }
}
