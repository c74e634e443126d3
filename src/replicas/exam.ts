import { remember } from "../base/remember.js";
import type { ExamReportOptions } from "../exam/exam.js";
import type { Examiner } from "../exam/examiner.js";
import type { ExchangeObservation, HandshakeObservation } from "../exam/observation.js";
import type { Report } from "../exam/report.js";
import { monotonicNow } from "../sandbox/clock.js";
import type { EndedPassage } from "../sandbox/connection/passage.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { HandshakeRecord } from "../sandbox/journal/journal.js";
import { OrderOfTime } from "./order-of-time.js";
import type { SharedPassage } from "./passage.js";
import { isBefore } from "./position.js";
import type { SharedRecords } from "./records.js";

/** The exam of one sandbox, as far as replicas need it. */
export interface Exam {
  readonly newestEdition: number;
  readonly examiner: Examiner;
  observe(exchange: Exchange, id: number, passage: EndedPassage): ExchangeObservation | undefined;
  observeHandshake(record: HandshakeRecord, id: number): HandshakeObservation;
  present(client?: string, options?: ExamReportOptions): Report;
  settle(): Promise<void>;
  registrationOf(client: string | undefined): string | undefined;
}

/** More connections than a replica ever has, so that the ids of two replicas differ. */
const connections = 1e9;

/** Means all clients in the resets. */
const all = "*";

/**
 * How much later than another one a replica may write what was over earlier, in milliseconds. An entry waits this long
 * before it is judged.
 */
const longestDelay = 1000;

/** By how much the newest estimate of the time of Redis may differ from the one in use, in milliseconds. */
const mostDrift = 20;

/** Resets that a replica remembers: as many as there can be clients, and more. */
const mostBegins = 100_000;

/**
 * One exam of all replicas: each has its own judges, which judge the entries of the common journal whenever this
 * replica reads them.
 */
export class SharedExam {
  readonly #exam: Exam;
  readonly #records: SharedRecords;
  /** What is read but not judged yet. */
  readonly #waiting = new OrderOfTime<ExchangeObservation>();
  /** The number of this replica. */
  readonly #replica: number;
  /** The difference from the monotonic clock of this process to the clock of all replicas. */
  #offset = Number.NEGATIVE_INFINITY;
  /** How often the offset was changed. */
  #changes = 0;
  /** By client: entries up to this batch were reset. */
  readonly #begins = new Map<string, string>();
  /** The same for calls that are being made. */
  readonly #drafts = new Map<string, string>();

  constructor(exam: Exam, records: SharedRecords, replica: number) {
    this.#exam = exam;
    this.#records = records;
    this.#replica = replica;
  }

  /** How an exchange of this replica went, with instants and ids that are valid for all replicas. */
  passageOf({ passage, connection }: Exchange): SharedPassage | undefined {
    // Refused before this replica has joined.
    if (!this.#records.clock.isSet || passage === undefined || connection === undefined) return undefined;
    const offset = this.#presentOffset();
    // In whole microseconds, so that judges get the same instants from memory and from text.
    const timeOf = (instant: number) => Math.round((instant + offset) * 1000) / 1000;
    return {
      ...passage,
      clock: `${this.#replica} ${this.#changes}`,
      timeError: Math.ceil(this.#records.clock.error() + mostDrift),
      connection: connection.id + this.#replica * connections,
      begunAt: timeOf(connection.begunAt),
      arrivedAt: timeOf(passage.arrivedAt),
      releasedAt: passage.releasedAt === 0 ? 0 : timeOf(passage.releasedAt),
      overAt: timeOf(passage.overAt),
    };
  }

  /**
   * An exchange of any replica was read, and is over.
   * @param recordedIn the position of the batch that has the exchange
   * @param position of the batch that says that it is over
   */
  exchange(exchange: Exchange, id: number, passage: SharedPassage, recordedIn: string, position: string): void {
    const observed = this.#exam.observe(exchange, id, passage);
    if (observed === undefined || this.#isReset(observed.client, recordedIn)) return;
    const { clock, timeError, connection, begunAt } = passage;
    // A batch is written by the clock of Redis: the same at every replica, whenever it is read.
    const overAt = Math.min(observed.overAt, writtenAt(position));
    this.#waiting.add({ ...observed, clock, timeError, connection, begunAt }, overAt);
  }

  /** A handshake of any replica was read. */
  handshake(record: HandshakeRecord, id: number, position: string): void {
    const observed = this.#exam.observeHandshake(record, id);
    if (!this.#isReset(observed.client, position)) this.#exam.examiner.handshake(observed);
  }

  /** Judges what is old enough: no batch that is read later has anything before it. */
  taken(position: string): void {
    this.#judgeUntil(writtenAt(position) - longestDelay);
  }

  /** Judges everything that was read. */
  judgeAll(): void {
    this.#judgeUntil(Number.POSITIVE_INFINITY);
  }

  get newestEdition(): number {
    return this.#exam.newestEdition;
  }

  present(client?: string, options?: ExamReportOptions): Report {
    return this.#exam.present(client, options);
  }

  settle(): Promise<void> {
    return this.#exam.settle();
  }

  /**
   * Forgets everything about a client, or about all clients, up to a position of the journal. It is done once the record
   * is put.
   */
  reset(client: string | undefined, position: string): void {
    this.#drafts.set(this.#exam.registrationOf(client) ?? all, position);
  }

  /** Where the report on a client begins, or that on all: at this position of the journal. */
  beginOf(registration = all): string | undefined {
    return this.#drafts.get(registration) ?? this.#begins.get(registration);
  }

  /** The same, at every replica. */
  putBegin(position: string | undefined, registration = all): void {
    this.#drafts.delete(registration);
    if (this.#begins.get(registration) === position) return;
    if (position === undefined) {
      this.#begins.delete(registration);
      return;
    }
    this.judgeAll();
    remember(this.#begins, registration, position, mostBegins);
    this.#exam.examiner.reset(registration === all ? undefined : registration);
  }

  /** Forgets everything, because the journal is read again. */
  restart(): void {
    this.#waiting.clear();
    this.#exam.examiner.reset();
  }

  #judgeUntil(instant: number): void {
    for (const observation of this.#waiting.takeUntil(instant)) {
      try {
        this.#exam.examiner.exchange(observation);
      } catch {
        // No replica of this release wrote this.
      }
    }
  }

  #presentOffset(): number {
    const offset = this.#records.clock.now() - monotonicNow();
    // Only a clearly better estimate replaces it: each change makes durations wrong by the difference.
    if (Math.abs(offset - this.#offset) > mostDrift) {
      this.#offset = offset;
      this.#changes += 1;
    }
    return this.#offset;
  }

  #isReset(client: string, position: string): boolean {
    return [client, all].some((each) => {
      const upTo = this.#begins.get(each);
      return upTo !== undefined && !isBefore(upTo, position);
    });
  }
}

/** When a batch was written, in milliseconds since the epoch. */
function writtenAt(position: string): number {
  return Number.parseInt(position, 10);
}
