import { remember } from "../base/remember.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { type AnyEntry, type HandshakeRecord, isRequest, type Journal } from "../sandbox/journal/journal.js";
import { type Batch, everybody, type Mark, type Place, placeOf, type SharedPassage, writtenAt } from "./batch.js";
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

/** No exchange takes longer: a fault delays an answer by far less, in milliseconds. */
const longestOpen = 3_600_000;

/** The position in a stream of Redis before all others: milliseconds and a number. */
const start = "0-0";

/** An exchange whose end was not read. */
interface Open {
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
  /** By number: exchanges of batches that were read, whose end was not read yet. */
  readonly #open = new Map<number, Open>();
  /** The batches that the journal keeps, the oldest first. */
  #places: Place[] = [];
  /** What calls that are being made have done. */
  #marks: Mark[] = [];

  constructor(records: SharedRecords, journal: Journal, context: ReadingContext, exam: SharedExam | undefined) {
    this.#records = records;
    this.#journal = journal;
    this.#exam = exam;
    this.#context = context;
    this.writer = new JournalWriter(records, journal.limits, exam, () => {
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
    const removed =
      chosen === undefined
        ? "all"
        : { requests: numbersOf(requests, chosen), handshakes: numbersOf(handshakes, chosen) };
    this.#marks.push({ removed });
  }

  /** Has the report on the client of a registration begin again, or that on all. It is done once the change is written. */
  reset(registration = everybody): void {
    this.#marks.push({ reset: registration });
  }

  /** What was removed and reset since the last call. */
  takeMarks(): readonly Mark[] {
    const marks = this.#marks;
    this.#marks = [];
    return marks;
  }

  /** Reads everything again, because Redis has other data now. */
  async restart(): Promise<void> {
    const { redis, facts } = this.#records;
    this.#restarts += 1;
    const newest = Number(await redis.send(["HGET", keys.numbers, "exchanges"]));
    this.writer.restart(this.#journal.run === facts.state ? newest : 0);
    this.#journal.run = facts.state;
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
      for (const [position, fields] of batches) {
        const place = placeOf(position, fields);
        if (place === undefined) continue;
        if (place.batch <= this.#read && !hasLost) {
          hasLost = true;
          await this.restart();
          this.#records.warn(
            "Redis has lost the newest entries of the journal. They are no longer in the report either.",
          );
        }
        if (restarts === this.#restarts) await this.#begin(place);
        if (restarts !== this.#restarts) break;
        this.#position = position;
        try {
          this.#take(place, fields.at(-1) ?? "");
        } catch {
          // No replica wrote anything else: it is ignored.
        }
      }
      hasMore = batches.length === readAtOnce || restarts !== this.#restarts;
    }
    const newest = this.#places.at(-1);
    if (newest === undefined) return;
    if (this.#exam?.expects(newest.batch)) this.#exam.taken(newest.batch, writtenAt(newest.position));
    const { requests, bytes } = this.#journal.limits;
    const isKept = ({ last, bytes: upTo }: Place) => newest.last - last < requests && newest.bytes - upTo <= bytes;
    this.#places.splice(0, this.#places.findIndex(isKept));
  }

  /**
   * If a batch does not follow the one that was read before it, Redis has dropped what was between them, and the judges that
   * know it are there.
   * @throws SharedStateError
   */
  async #begin({ batch }: Place): Promise<void> {
    if (batch === this.#read + 1) return;
    this.#forget();
    const saved = await this.#records.redis.send(["HMGET", keys.judged, "batch", "state"]);
    const [judged, state] = saved as [string | null, string | null];
    if (!state || this.#exam === undefined) return;
    const open: SavedOpen[] = JSON.parse(this.#exam.restore(state, Number(judged)));
    for (const [number, writtenAt, isReset, text] of open)
      this.#open.set(number, { exchange: exchangeIn(text, this.#context), writtenAt, isReset });
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

  /** Without those of a replica that was killed, as far as their age tells. */
  #openNow(): SavedOpen[] {
    const since = this.#records.clock.now() - longestOpen;
    return [...this.#open]
      .filter(([, { writtenAt }]) => writtenAt > since)
      .map(([number, { exchange, writtenAt, isReset }]) => [number, writtenAt, isReset, exchangeText(exchange)]);
  }

  /** Adds a batch to the journal, does what it says that was done, and has judged what is over. */
  #take(place: Place, text: string): void {
    this.#read = place.batch;
    this.#places.push(place);
    const content: Batch | Mark[] = JSON.parse(text);
    if (Array.isArray(content)) {
      for (const mark of content) this.#do(mark, place);
      return;
    }
    const { exchanges, passages, handshakes, endings } = content;
    const { first, firstHandshake } = place;
    const at = writtenAt(place.position);
    const restored = exchanges.map((exchange) => exchangeIn(exchange, this.#context));
    this.#add(restored, handshakes, place);
    for (const [index, exchange] of restored.entries()) {
      const open = { exchange, writtenAt: at, isReset: false };
      if (exchange.delivered === undefined) remember(this.#open, first + index, open, this.#journal.limits.requests);
      else this.#isOver(open, first + index, passages[index], place);
    }
    for (const { number, passage, connection, ...ending } of endings) {
      const open = this.#open.get(number);
      this.#open.delete(number);
      open?.exchange.endedElsewhere(ending, connection);
      this.#journal.over(number);
      if (open) this.#isOver(open, number, passage, place);
    }
    if (!this.#exam?.expects(place.batch)) return;
    for (const [index, record] of handshakes.entries()) this.#exam.handshake(record, firstHandshake + index, at);
  }

  #do({ removed, reset }: Mark, { batch }: Place): void {
    if (removed === "all") this.#journal.remove();
    else if (removed) {
      const [requests, handshakes] = [new Set(removed.requests), new Set(removed.handshakes)];
      this.#journal.remove((entry) => (isRequest(entry) ? requests : handshakes).has(entry.number));
    }
    if (reset === undefined || this.#exam === undefined) return;
    const registration = reset === everybody ? undefined : reset;
    for (const open of this.#open.values())
      open.isReset ||= registration === undefined || this.#exam.isOf(open.exchange, registration);
    if (this.#exam.expects(batch)) this.#exam.reset(registration);
  }

  #isOver({ exchange, isReset }: Open, number: number, passage: SharedPassage | undefined, place: Place): void {
    if (!isReset && passage && this.#exam?.expects(place.batch))
      this.#exam.exchange(exchange, number, passage, writtenAt(place.position));
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
type SavedOpen = readonly [number: number, writtenAt: number, isReset: boolean, exchange: ExchangeText];

/** The numbers of the chosen entries. */
function numbersOf(entries: { newestFirst(): Iterable<AnyEntry> }, chosen: (entry: AnyEntry) => boolean): number[] {
  return [...entries.newestFirst()].filter(chosen).map(({ number }) => number);
}
