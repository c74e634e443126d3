import { remember } from "../base/remember.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { type AnyEntry, type HandshakeRecord, isRequest, type Journal } from "../sandbox/journal/journal.js";
import type { Judged, SharedExam, SharedPassage } from "./exam.js";
import { type ExchangeText, exchangeIn, exchangeText, type ReadingContext } from "./exchange-text.js";
import { type Batch, JournalWriter } from "./journal-writer.js";
import { keys } from "./keys.js";
import { OneAtATime } from "./one-at-a-time.js";
import { start, writtenAt } from "./position.js";
import type { SharedRecords } from "./records.js";

/** How many batches are read at once. */
const readAtOnce = 100;

/** How often a reader that waits for new entries polls, in milliseconds. */
const followInterval = 100;

/** How long a report waits for the end of an exchange at most, counted from its batch, in milliseconds. */
const lately = 10_000;

/** No exchange takes longer: a fault delays an answer by far less, in milliseconds. */
const longestOpen = 3_600_000;

/** What was removed from the journal: everything up to two numbers, and single entries after that, by number. */
export interface Removed {
  readonly upTo: readonly [exchange: number, handshake: number];
  readonly requests: readonly number[];
  readonly handshakes: readonly number[];
}

const none: Removed = { upTo: [0, 0], requests: [], handshakes: [] };

/** An exchange whose end was not read, and the position of its batch. */
interface Open {
  readonly exchange: Exchange;
  readonly recordedIn: string;
}

/** A batch that was read, with the number of its newest exchange and the bytes that were written up to its end. */
interface Place {
  readonly position: string;
  readonly last: number;
  readonly bytes: number;
}

/**
 * The journal that replicas share. The exchanges of this replica are written in batches. The batches of all replicas
 * are read only on request, so that a journal costs nothing if it is not read; and by the replica that removes the
 * oldest ones, which has them judged before.
 */
export class SharedJournal {
  /** Receives the exchanges of this replica. */
  readonly writer: JournalWriter;
  readonly #records: SharedRecords;
  readonly #journal: Journal;
  readonly #exam: SharedExam | undefined;
  readonly #context: ReadingContext;
  readonly #reads = new OneAtATime(() => this.#readAll());
  readonly #trims = new OneAtATime(() => this.#trim());
  /** The batch up to which it was read. */
  #position = start;
  /** How often it was read again from the start. */
  #restarts = 0;
  /** By number: exchanges of batches that were read, whose end was not read yet, and where their batch is. */
  readonly #open = new Map<number, Open>();
  /** The batches that the journal keeps, the oldest first. */
  #places: Place[] = [];
  #removed: Removed = none;
  /** What a call that is being made removes in addition. */
  #draft: Removed | undefined;
  #removedRequests: ReadonlySet<number> = new Set();
  #removedHandshakes: ReadonlySet<number> = new Set();
  /** Numbers of the newest exchange and the newest handshake that were read. */
  #newest: readonly [exchange: number, handshake: number] = [0, 0];

  constructor(records: SharedRecords, journal: Journal, context: ReadingContext, exam: SharedExam | undefined) {
    this.#records = records;
    this.#journal = journal;
    this.#exam = exam;
    this.#context = context;
    this.writer = new JournalWriter(records, journal.limits, exam, () => {
      // If it fails, the next quarter is removed with it.
      this.#trims.run().catch(() => {});
    });
  }

  /** Whether an exchange was read lately whose end was not. That of a replica that was killed never comes. */
  get hasOpen(): boolean {
    const since = this.#records.clock.now() - lately;
    return [...this.#open.values()].some(({ recordedIn }) => writtenAt(recordedIn) > since);
  }

  /**
   * Reads the entries in Redis into the journal of this process.
   * @throws SharedStateError
   */
  read(): Promise<void> {
    return this.#reads.run();
  }

  /**
   * Keeps reading.
   * @returns a function that stops it
   */
  follow(): () => void {
    const timer = setInterval(() => {
      // Not while the state is being restored.
      if (this.#records.unavailable() === undefined) this.read().catch(() => {});
    }, followInterval);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** What was removed from the journal, as plain data. */
  get removed(): Removed {
    return this.#draft ?? this.#removed;
  }

  /** Removes entries that were read: all, or the chosen ones. It is done once the record is put. */
  remove(chosen?: (entry: AnyEntry) => boolean): void {
    const { removed } = this;
    const { requests, handshakes, limits } = this.#journal;
    if (chosen === undefined) {
      this.#draft = { ...none, upTo: this.#newest };
      return;
    }
    // Redis does not have what is older.
    const oldest = this.#newest[0] - 2 * limits.requests;
    this.#draft = {
      upTo: removed.upTo,
      requests: [...removed.requests.filter((number) => number > oldest), ...numbersOf(requests, chosen)],
      handshakes: [...removed.handshakes.slice(-limits.handshakes), ...numbersOf(handshakes, chosen)],
    };
  }

  /** This is removed, at every replica. */
  put(removed: Removed = none): void {
    this.#draft = undefined;
    if (JSON.stringify(removed) === JSON.stringify(this.#removed)) return;
    this.#removed = removed;
    this.#removedRequests = new Set(removed.requests);
    this.#removedHandshakes = new Set(removed.handshakes);
    const isWhole = [this.#journal.requests, this.#journal.handshakes].every((buffer, place) => {
      const [newest] = buffer.newestFirst();
      return newest === undefined || newest.number <= (removed.upTo[place] ?? 0);
    });
    this.#journal.remove(
      isWhole
        ? undefined
        : (entry) => (isRequest(entry) ? this.#hasRemoved(entry.number) : this.#hasRemovedHandshake(entry.number)),
    );
  }

  /** Forgets all entries, because Redis has other data now. */
  async restart(): Promise<void> {
    const { redis, facts } = this.#records;
    this.#restarts += 1;
    this.#position = start;
    const newest = Number(await redis.send(["HGET", keys.numbers, "exchanges"]));
    this.#newest = [0, 0];
    this.#open.clear();
    this.#places = [];
    this.writer.restart(this.#journal.run === facts.state ? newest : 0);
    this.#journal.run = facts.state;
    this.#journal.remove();
    this.#exam?.restart();
  }

  /** The judges, as a record: of all that was read when it was last written. */
  get judged(): Judged | undefined {
    return this.#exam?.judged;
  }

  putJudged(judged: Judged | undefined): void {
    this.#exam?.putJudged(judged);
  }

  /** Where the report on a client begins, or that on all: after this position. */
  reportFrom(registration?: string): string | undefined {
    return this.#exam?.beginOf(registration);
  }

  putReportFrom(position: string | undefined, registration?: string): void {
    this.#exam?.putBegin(position, registration);
  }

  async #readAll(): Promise<void> {
    let isLost = false;
    for (let hasMore = true; hasMore; ) {
      const restarts = this.#restarts;
      const after = ["XRANGE", keys.journal, `(${this.#position}`, "+", "COUNT", String(readAtOnce)];
      const batches = (await this.#records.redis.send(after)) as [position: string, fields: string[]][];
      // What was removed before a batch was written must be known before it is taken.
      await this.#records.current();
      hasMore = batches.length === readAtOnce || restarts !== this.#restarts;
      if (restarts !== this.#restarts) continue;
      const open = this.#exam?.catchUp();
      if (open !== undefined) this.#putOpen(open);
      for (const [position, fields] of batches) {
        this.#position = position;
        try {
          this.#take(position, fields);
        } catch (error) {
          // No replica wrote anything else: it is ignored.
          if (!(error instanceof LostEntries) || isLost) continue;
          isLost = true;
          hasMore = true;
          await this.restart();
          this.#records.warn(
            "Redis has lost the newest entries of the journal. They are no longer in the report either.",
          );
          break;
        }
      }
      if (this.#exam?.expects(this.#position)) this.#exam.taken(this.#position);
    }
    const { requests, bytes } = this.#journal.limits;
    const newest = this.#places.at(-1);
    if (newest === undefined) return;
    this.#places = this.#places.filter(
      (place) => newest.last - place.last < requests && newest.bytes - place.bytes <= bytes,
    );
  }

  /** Has Redis drop what is too old or too much. Before that, the judges are saved with it. */
  async #trim(): Promise<void> {
    await this.read();
    const [oldest] = this.#places;
    if (oldest === undefined) return;
    const open = this.#openText();
    await this.#records.change("judged", () => this.#exam?.save(open));
    await this.#records.redis.send(["XTRIM", keys.journal, "MINID", oldest.position]);
  }

  /** Without those of a replica that was killed, as far as their age tells. */
  #openText(): string {
    const since = this.#records.clock.now() - longestOpen;
    const open = [...this.#open]
      .filter(([, { recordedIn }]) => writtenAt(recordedIn) > since)
      .map(([number, each]) => [number, each.recordedIn, exchangeText(each.exchange)] as const);
    return JSON.stringify(open);
  }

  /** Only these are open: what else this replica has read is over, and the batch that says so may be gone. */
  #putOpen(text: string): void {
    const saved = JSON.parse(text) as [number, string, ExchangeText][];
    const open = saved.map(([number, recordedIn, exchange]): [number, Open] => [
      number,
      this.#open.get(number) ?? { exchange: exchangeIn(exchange, this.#context), recordedIn },
    ]);
    this.#open.clear();
    for (const [number, each] of open) this.#open.set(number, each);
  }

  /** Adds a batch to the journal, and has judged what is over. */
  #take(position: string, [, e, , h, , l, , s, , text]: readonly string[]): void {
    const [first = 0, firstHandshake = 0, last = 0, bytes = 0] = [e, h, l, s].map(Number);
    if (![first, firstHandshake, last, bytes].every(Number.isSafeInteger)) return;
    const { exchanges, passages, handshakes, endings } = JSON.parse(text ?? "") as Batch;
    const restored = exchanges.map((exchange) => exchangeIn(exchange, this.#context));
    if (first <= this.#newest[0] || firstHandshake <= this.#newest[1]) throw new LostEntries();
    this.#places.push({ position, last, bytes });
    this.#newest = [last, firstHandshake + handshakes.length - 1];
    this.#add(restored, handshakes, first, firstHandshake);
    for (const [place, exchange] of restored.entries()) {
      const open = { exchange, recordedIn: position };
      if (exchange.delivered === undefined) remember(this.#open, first + place, open, this.#journal.limits.requests);
      else this.#isOver(open, first + place, passages[place], position);
    }
    for (const { number, passage, connection, ...ending } of endings) {
      const open = this.#open.get(number);
      this.#open.delete(number);
      open?.exchange.endedElsewhere(ending, connection);
      this.#journal.over(number);
      if (open) this.#isOver(open, number, passage, position);
    }
    if (!this.#exam?.expects(position)) return;
    for (const [place, record] of handshakes.entries()) this.#exam.handshake(record, firstHandshake + place, position);
  }

  #isOver({ exchange, recordedIn }: Open, number: number, passage: SharedPassage | undefined, position: string): void {
    if (passage && this.#exam?.expects(position)) this.#exam.exchange(exchange, number, passage, recordedIn, position);
  }

  #hasRemoved(number: number): boolean {
    return number <= this.#removed.upTo[0] || this.#removedRequests.has(number);
  }

  #hasRemovedHandshake(number: number): boolean {
    return number <= this.#removed.upTo[1] || this.#removedHandshakes.has(number);
  }

  #add(
    exchanges: readonly Exchange[],
    handshakes: readonly HandshakeRecord[],
    first: number,
    firstHandshake: number,
  ): void {
    const { requests, handshakes: ofHandshakes } = this.#journal;
    const before = first - 1 + firstHandshake - 1;
    for (const [place, exchange] of exchanges.entries())
      if (!this.#hasRemoved(first + place)) requests.add(exchange, first + place, before + place + 1);
    for (const [place, record] of handshakes.entries())
      if (!this.#hasRemovedHandshake(firstHandshake + place))
        ofHandshakes.add(record, firstHandshake + place, before + exchanges.length + place + 1);
  }
}

/** A batch has numbers that others had before: Redis does not have those, as after a failover. */
class LostEntries extends Error {}

/** The numbers of the chosen entries. */
function numbersOf(entries: { newestFirst(): Iterable<AnyEntry> }, chosen: (entry: AnyEntry) => boolean): number[] {
  return [...entries.newestFirst()].filter(chosen).map(({ number }) => number);
}
