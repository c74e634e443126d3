import { setImmediate as nextTurn } from "node:timers/promises";
import { remember } from "../base/remember.js";
import { type AnyEntry, type HandshakeRecord, isRequest } from "../sandbox/journal/entry.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { Journal } from "../sandbox/journal/journal.js";
import { type Batch, type Mark, type Place, placeOf, writtenAt } from "./batch.js";
import type { SharedExam } from "./exam.js";
import { type ExchangeText, exchangeIn, exchangeText, type ReadingContext } from "./exchange-text.js";
import { dropScript } from "./journal-scripts.js";
import { JournalWriter } from "./journal-writer.js";
import { keys } from "./keys.js";
import { OneAtATime } from "./one-at-a-time.js";
import type { SharedRecords } from "./records.js";

/** How many batches are read at once. */
const readAtOnce = 100;

/** How often a reader that waits for new entries polls, in milliseconds. */
const followInterval = 100;

/** How long a report waits for the end of an exchange at most, counted from its batch, in milliseconds. */
const lately = 10_000;

/** How many exchanges are added to the journal in one turn of the event loop: a few milliseconds of work. */
const addedAtOnce = 200;

/** How many exchanges may be open at all replicas. */
const mostOpen = 20_000;

/** No exchange takes longer: a fault delays an answer by far less, in milliseconds. */
const longestOpen = 3_600_000;

/** The position in a stream of Redis before all others: milliseconds and a number. */
const start = "0-0";

/** An exchange whose end was not read. */
interface Open {
  readonly number: number;
  readonly exchange: Exchange;
  /** When its batch was written, in milliseconds since the epoch, by the clock of Redis. */
  readonly writtenAt: number;
  /** Whether the report on its client began again since. */
  isReset: boolean;
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
  readonly #drops = new OneAtATime(() => this.#drop());
  /** The position up to which it was read. */
  #position = start;
  /** The number of the newest batch that was read; 0 before the first. */
  #read = 0;
  /** How often it was read again from the start. */
  #restarts = 0;
  /** By replica and its own number: exchanges of batches that were read, whose end was not read yet. */
  readonly #open = new Map<string, Open>();
  /** The batches that the journal keeps, the oldest first. */
  #places: Place[] = [];
  /** Removals and resets that are not written to Redis yet. */
  #unwritten: Mark[] = [];

  /** @param replica the number of this replica */
  constructor(
    records: SharedRecords,
    journal: Journal,
    replica: number,
    context: ReadingContext,
    exam: SharedExam | undefined,
  ) {
    this.#records = records;
    this.#journal = journal;
    this.#exam = exam;
    this.#context = context;
    this.writer = new JournalWriter(records, journal.limits, replica, exam, () => {
      // If it fails, the next quarter is dropped with it.
      this.#drops.run().catch(() => {});
    });
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

  /** Has the report on the client of a registration begin again, or that on all. It is done once the change is written. */
  reset(registration?: string): void {
    this.#unwritten.push({ reset: { registration } });
  }

  /** What was removed and reset since the last call. */
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
    this.#places = [];
    this.#journal.remove();
    this.#exam?.restart();
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
        const isKnown = place === undefined || place.batch === this.#read + 1 || (await this.#begin(place));
        if (!isKnown && !hasLost) {
          hasLost = true;
          this.restart();
          this.#records.warn(
            "Redis has lost the newest entries of the journal. They are no longer in the report either.",
          );
        }
        if (restarts !== this.#restarts) break;
        this.#position = position;
        // Another program wrote it: it is ignored.
        if (place === undefined) continue;
        added += this.#take(place, fields.at(-1) ?? "");
        if (added < addedAtOnce) continue;
        added = 0;
        await nextTurn();
      }
      this.#taken();
      hasMore = batches.length === readAtOnce || restarts !== this.#restarts;
    }
  }

  /** Has judged what was read, and forgets where the batches are that the journal does not keep. */
  #taken(): void {
    const newest = this.#places.at(-1);
    if (newest === undefined) return;
    if (this.#exam?.expects(newest.batch)) this.#exam.taken(newest.batch, writtenAt(newest.position));
    const { requests, bytes } = this.#journal.limits;
    const isKept = ({ last, bytes: upTo }: Place) => newest.last - last < requests && newest.bytes - upTo <= bytes;
    this.#places.splice(0, this.#places.findIndex(isKept));
  }

  /**
   * Begins with a batch that does not follow the one that was read before it: Redis has dropped what was between them. The
   * judges that know it are there.
   * @returns false if they do not know it, or if the batch was read already: then Redis has lost something
   * @throws SharedStateError
   */
  async #begin({ batch }: Place): Promise<boolean> {
    if (batch <= this.#read) return false;
    const restarts = this.#restarts;
    const saved = await this.#records.redis.send(["HMGET", keys.judged, "batch", "state"]);
    if (restarts !== this.#restarts) return true;
    const [judged, state] = saved as [string | null, string | null];
    if (Number(judged) < batch - 1) return false;
    this.#forget();
    if (!state || this.#exam === undefined) return true;
    const open: SavedOpen[] = JSON.parse(this.#exam.restore(state, Number(judged)));
    for (const [id, text, facts] of open) this.#open.set(id, { ...facts, exchange: exchangeIn(text, this.#context) });
    return true;
  }

  /** Has Redis drop what is too old or too much. The judges are saved with that. */
  async #drop(): Promise<void> {
    await this.read();
    const [oldest] = this.#places;
    if (oldest === undefined) return;
    const state = this.#exam?.save(JSON.stringify(this.#openNow())) ?? "";
    const args = [this.#records.deadline(), this.#read, state, oldest.position];
    await this.#records.redis.run(dropScript, [], args);
  }

  #openNow(): SavedOpen[] {
    const since = this.#records.clock.now() - longestOpen;
    // The ends of those of a replica that was killed never come.
    for (const [id, { writtenAt }] of this.#open) if (writtenAt <= since) this.#open.delete(id);
    return [...this.#open].map(([id, { exchange, ...facts }]) => [id, exchangeText(exchange), facts]);
  }

  /**
   * Adds a batch to the journal, does what it says that was done, and has judged what is over.
   * @returns how many exchanges it has
   */
  #take(place: Place, text: string): number {
    this.#read = place.batch;
    this.#places.push(place);
    try {
      const content: Batch | Mark[] = JSON.parse(text);
      if (!Array.isArray(content)) return this.#takeBatch(content, place);
      for (const mark of content) this.#do(mark, place);
    } catch {
      // No replica of this release wrote it: it is ignored.
    }
    return 0;
  }

  #takeBatch({ replica, from, exchanges, handshakes, endings }: Batch, place: Place): number {
    const { batch, first, firstHandshake } = place;
    const at = writtenAt(place.position);
    const exam = this.#exam?.expects(batch) ? this.#exam : undefined;
    const restored = exchanges.map((exchange) => exchangeIn(exchange, this.#context));
    this.#add(restored, handshakes, place);
    for (const [index, exchange] of restored.entries()) {
      const open = { number: first + index, exchange, writtenAt: at, isReset: false };
      remember(this.#open, `${replica} ${from + index}`, open, mostOpen);
    }
    for (const { id, passage, connection, ...ending } of endings) {
      const open = this.#open.get(`${replica} ${id}`);
      if (open === undefined) continue;
      this.#open.delete(`${replica} ${id}`);
      open.exchange.endedElsewhere(ending, connection);
      this.#journal.over(open.number);
      if (passage && !open.isReset) exam?.exchange(open.exchange, open.number, passage, at);
    }
    for (const [index, record] of handshakes.entries()) exam?.handshake(record, firstHandshake + index, at);
    return exchanges.length;
  }

  #do({ removed, reset }: Mark, { batch, position }: Place): void {
    if (removed === "all") this.#journal.remove();
    else if (removed) {
      const [requests, handshakes] = [new Set(removed.requests), new Set(removed.handshakes)];
      this.#journal.remove((entry) => (isRequest(entry) ? requests : handshakes).has(entry.number));
    }
    if (reset === undefined || this.#exam === undefined) return;
    const { registration } = reset;
    for (const open of this.#open.values())
      open.isReset ||= registration === undefined || this.#exam.isOf(open.exchange, registration);
    if (this.#exam.expects(batch)) this.#exam.reset(writtenAt(position), registration);
  }

  #add(exchanges: readonly Exchange[], handshakes: readonly HandshakeRecord[], { first, firstHandshake }: Place): void {
    const before = first - 1 + firstHandshake - 1;
    for (const [index, exchange] of exchanges.entries())
      this.#journal.requests.add(exchange, first + index, before + index + 1);
    for (const [index, record] of handshakes.entries())
      this.#journal.handshakes.add(record, firstHandshake + index, before + exchanges.length + index + 1);
  }
}

/** An exchange that is not over, as the saved judges have it. */
type SavedOpen = readonly [id: string, exchange: ExchangeText, facts: Omit<Open, "exchange">];

/** The numbers of the chosen entries. */
function numbersOf(entries: { newestFirst(): Iterable<AnyEntry> }, chosen: (entry: AnyEntry) => boolean): number[] {
  return [...entries.newestFirst()].filter(chosen).map(({ number }) => number);
}
