import { setImmediate as nextTurn } from "node:timers/promises";
import { remember } from "../base/remember.js";
import type { TrafficListener } from "../sandbox/events.js";
import { type AnyEntry, type HandshakeRecord, isRequest } from "../sandbox/journal/entry.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { exchangeIn, type ReadingContext } from "../sandbox/journal/exchange-text.js";
import type { Journal } from "../sandbox/journal/journal.js";
import { type Batch, type Mark, type Place, placeOf, writtenAt } from "./batch.js";
import { JournalWriter } from "./journal-writer.js";
import { keys } from "./keys.js";
import { OneAtATime } from "./one-at-a-time.js";
import type { SharedRecords } from "./records.js";

/** How many batches are read at once. */
const readAtOnce = 100;

/** How often a reader that waits for new entries polls, in milliseconds. */
const followInterval = 100;

/** How long a reader waits for the end of an exchange at most, counted from its batch, in milliseconds. */
const lately = 10_000;

/** How many exchanges are added to the journal in one turn of the event loop: a few milliseconds of work. */
const addedAtOnce = 200;

/** How many exchanges may be open at all replicas. */
const mostOpen = 20_000;

/** The position in a stream of Redis before all others: milliseconds and a number. */
const start = "0-0";

/** An exchange whose end was not read. */
interface Open {
  readonly number: number;
  readonly exchange: Exchange;
  /** When its batch was written, in milliseconds since the epoch, by the clock of Redis. */
  readonly writtenAt: number;
}

/**
 * The journal that replicas share. The exchanges of this replica are written in batches. The batches of all replicas
 * are read only on request, so that a journal costs nothing if it is not read.
 */
export class SharedJournal {
  /** Receives the exchanges of this replica. */
  readonly writer: JournalWriter;
  readonly #records: SharedRecords;
  readonly #journal: Journal;
  readonly #context: ReadingContext;
  readonly #reads = new OneAtATime(() => this.#readAll());
  /** The position up to which it was read. */
  #position = start;
  /** The number of the newest batch that was read; 0 before the first. */
  #read = 0;
  /** How often it was read again from the start. */
  #restarts = 0;
  /** By replica and its own number: exchanges of batches that were read, whose end was not read yet. */
  readonly #open = new Map<string, Open>();
  /** Removals that are not written to Redis yet. */
  #unwritten: Mark[] = [];

  /**
   * @param replica the number of this replica
   * @param judges of the exchanges of this replica
   */
  constructor(
    records: SharedRecords,
    journal: Journal,
    replica: number,
    context: ReadingContext,
    judges: TrafficListener | undefined,
  ) {
    this.#records = records;
    this.#journal = journal;
    this.#context = context;
    this.writer = new JournalWriter(records, journal.limits, replica, judges);
  }

  /** Whether an exchange was read lately whose end was not. That of a replica that was killed never comes. */
  get hasOpen(): boolean {
    const since = this.#records.clock.now() - lately;
    return [...this.#open.values()].some(({ writtenAt }) => writtenAt > since);
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

  /** Removes entries that were read: all, or the chosen ones. It is done once the change is written. */
  remove(chosen?: (entry: AnyEntry) => boolean): void {
    const { requests, handshakes } = this.#journal;
    if (chosen === undefined) {
      this.#unwritten.push({ removed: "all" });
      return;
    }
    const removed = { requests: numbersOf(requests, chosen), handshakes: numbersOf(handshakes, chosen) };
    if (removed.requests.length + removed.handshakes.length > 0) this.#unwritten.push({ removed });
  }

  /** What was removed since the last call. */
  takeMarks(): readonly Mark[] {
    const marks = this.#unwritten;
    this.#unwritten = [];
    return marks;
  }

  /** Reads everything again, because Redis has other data now. */
  restart(): void {
    this.#restarts += 1;
    this.#journal.run = this.#records.facts.state;
    this.#position = start;
    this.#forget();
  }

  #forget(): void {
    this.#read = 0;
    this.#open.clear();
    this.#journal.remove();
  }

  async #readAll(): Promise<void> {
    let hasLost = false;
    for (let hasMore = true; hasMore; ) {
      const restarts = this.#restarts;
      const after = ["XRANGE", keys.journal, `(${this.#position}`, "+", "COUNT", String(readAtOnce)];
      const batches = (await this.#records.redis.send(after)) as [position: string, fields: string[]][];
      // The clients of these entries must be known, and whether Redis still has the same data.
      await this.#records.current();
      let added = 0;
      for (const [position, fields] of batches) {
        if (restarts !== this.#restarts) break;
        const place = placeOf(position, fields);
        if (place && place.batch <= this.#read && !hasLost) {
          hasLost = true;
          this.restart();
          this.#records.warn("Redis has lost the newest entries of the journal.");
          break;
        }
        this.#position = position;
        // Another program wrote it: it is ignored.
        if (place === undefined) continue;
        // What was between them is dropped, and so is all before.
        if (place.batch !== this.#read + 1) this.#forget();
        added += this.#take(place, fields.at(-1) ?? "");
        if (added < addedAtOnce) continue;
        added = 0;
        await nextTurn();
      }
      hasMore = batches.length === readAtOnce || restarts !== this.#restarts;
    }
  }

  /**
   * Adds a batch to the journal, or removes what it says.
   * @returns how many exchanges it has
   */
  #take(place: Place, text: string): number {
    this.#read = place.batch;
    try {
      const content: Batch | Mark[] = JSON.parse(text);
      if (!Array.isArray(content)) return this.#takeBatch(content, place);
      for (const mark of content) this.#removeMarked(mark);
    } catch {
      // No replica of this release wrote it: it is ignored.
    }
    return 0;
  }

  #takeBatch({ replica, name, from, exchanges, handshakes, endings }: Batch, place: Place): number {
    const at = writtenAt(place.position);
    const restored = exchanges.map((exchange) => exchangeIn({ ...exchange, replica: name }, this.#context));
    this.#add(
      restored,
      handshakes.map((record) => ({ ...record, replica: name })),
      place,
    );
    for (const [index, exchange] of restored.entries()) {
      const open = { number: place.first + index, exchange, writtenAt: at };
      remember(this.#open, `${replica} ${from + index}`, open, mostOpen);
    }
    for (const { id, connection, ...ending } of endings) {
      const open = this.#open.get(`${replica} ${id}`);
      if (open === undefined) continue;
      this.#open.delete(`${replica} ${id}`);
      open.exchange.endedElsewhere(ending, connection);
      this.#journal.over(open.number);
    }
    return exchanges.length;
  }

  #removeMarked({ removed }: Mark): void {
    if (removed === "all") {
      this.#journal.remove();
      return;
    }
    const [requests, handshakes] = [new Set(removed.requests), new Set(removed.handshakes)];
    this.#journal.remove((entry) => (isRequest(entry) ? requests : handshakes).has(entry.number));
  }

  #add(exchanges: readonly Exchange[], handshakes: readonly HandshakeRecord[], { first, firstHandshake }: Place): void {
    const before = first - 1 + firstHandshake - 1;
    for (const [index, exchange] of exchanges.entries())
      this.#journal.requests.add(exchange, first + index, before + index + 1);
    for (const [index, record] of handshakes.entries())
      this.#journal.handshakes.add(record, firstHandshake + index, before + exchanges.length + index + 1);
  }
}

/** The numbers of the chosen entries. */
function numbersOf(entries: { newestFirst(): Iterable<AnyEntry> }, chosen: (entry: AnyEntry) => boolean): number[] {
  return [...entries.newestFirst()].filter(chosen).map(({ number }) => number);
}
