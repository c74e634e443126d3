import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { remember } from "../base/remember.js";
import type { ExamReportOptions } from "../exam/exam.js";
import type { Examiner } from "../exam/examiner.js";
import type { ExchangeObservation, HandshakeObservation } from "../exam/observation.js";
import type { Report } from "../exam/report.js";
import { monotonicNow } from "../sandbox/clock.js";
import type { EndedPassage } from "../sandbox/connection/passage.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { HandshakeRecord } from "../sandbox/journal/journal.js";
import { isBefore, start, writtenAt } from "./position.js";
import type { SharedRecords } from "./records.js";
import { ForeignStateError } from "./redis.js";

/** The exam of one sandbox, as far as replicas need it. */
export interface Exam {
  readonly newestEdition: number;
  readonly examiner: Examiner;
  observe(exchange: Exchange, id: number, passage: EndedPassage): ExchangeObservation | undefined;
  observeHandshake(record: HandshakeRecord, id: number): HandshakeObservation;
  present(client?: string, options?: ExamReportOptions, examiner?: Examiner): Report;
  settle(): Promise<void>;
  registrationOf(client: string | undefined): string | undefined;
}

/** How an exchange that is over went over its connection, with instants and ids that are valid for all replicas. */
export interface SharedPassage extends EndedPassage {
  /** Instants of one clock can be compared exactly. */
  readonly clock: string;
  /** The largest error when instants of two clocks are compared, in milliseconds. */
  readonly timeError: number;
  readonly connection: number;
  /** When the connection was accepted. */
  readonly begunAt: number;
}

/** The judges after all entries up to a position of the journal, for replicas that have not read these. */
export interface Judged {
  readonly position: string;
  /** Of `Saved`: compressed, base64. */
  readonly state: string;
}

interface Saved {
  readonly examiner: Uint8Array;
  readonly waiting: readonly Waiting[];
  /** The entries that are not over, as the journal has them. */
  readonly open: string;
}

/** An entry that was read and is not judged yet. */
interface Waiting {
  readonly exchange?: ExchangeObservation;
  readonly handshake?: HandshakeObservation;
  readonly client: string;
  readonly overAt: number;
  /** The position of the batch that has it. */
  readonly recordedIn: string;
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
 * One exam of all replicas. Each judges the entries of the common journal in the order in which they were over, when it
 * reads them. So all have the same judges, and one of them saves its own before the journal drops entries.
 */
export class SharedExam {
  readonly #exam: Exam;
  readonly #records: SharedRecords;
  #waiting: Waiting[] = [];
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
  /** The batch up to which entries are judged, or wait for that. */
  #position = start;
  #judged: Judged | undefined;

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

  /** Whether a batch is new to the judges. */
  expects(position: string): boolean {
    return isBefore(this.#position, position);
  }

  /**
   * An exchange of any replica was read, and is over.
   * @param recordedIn the position of the batch that has the exchange
   * @param position of the batch that says that it is over
   */
  exchange(exchange: Exchange, id: number, passage: SharedPassage, recordedIn: string, position: string): void {
    const observed = this.#exam.observe(exchange, id, passage);
    if (observed === undefined) return;
    const { clock, timeError, connection, begunAt } = passage;
    // A batch is written by the clock of Redis: the same at every replica, whenever it is read.
    const overAt = Math.min(observed.overAt, writtenAt(position));
    const whole = { ...observed, clock, timeError, connection, begunAt };
    this.#wait({ exchange: whole, client: observed.client, overAt, recordedIn });
  }

  /** A handshake of any replica was read. */
  handshake(record: HandshakeRecord, id: number, position: string): void {
    const observed = this.#exam.observeHandshake(record, id);
    this.#wait({ handshake: observed, client: observed.client, overAt: writtenAt(position), recordedIn: position });
  }

  /** Judges what is old enough: no batch that is read later has anything before it. */
  taken(position: string): void {
    this.#position = position;
    const until = writtenAt(position) - longestDelay;
    judge(
      this.#exam.examiner,
      this.#waiting.filter(({ overAt }) => overAt <= until),
    );
    this.#waiting = this.#waiting.filter(({ overAt }) => overAt > until);
  }

  get newestEdition(): number {
    return this.#exam.newestEdition;
  }

  /** The report on everything that was read. A copy of the judges judges what is not old enough. */
  present(client?: string, options?: ExamReportOptions): Report {
    const registration = this.#exam.registrationOf(client);
    const waiting = this.#waiting.filter((each) => registration === undefined || each.client === registration);
    const { examiner } = this.#exam;
    if (waiting.length === 0) return this.#exam.present(client, options);
    return this.#exam.present(client, options, judge(examiner.copy(registration), waiting));
  }

  settle(): Promise<void> {
    return this.#exam.settle();
  }

  /** Forgets what was read about a client, or about all clients. It is done once the record is put. */
  reset(client: string | undefined): void {
    const { position = start } = this.#judged ?? {};
    const upTo = isBefore(this.#position, position) ? position : this.#position;
    this.#drafts.set(this.#exam.registrationOf(client) ?? all, upTo);
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
    remember(this.#begins, registration, position, mostBegins);
    this.#forget(registration);
    this.#waiting = this.#waiting.filter((each) => !this.#isReset(each));
  }

  /** The saved judges, as a record. */
  get judged(): Judged | undefined {
    return this.#judged;
  }

  putJudged(judged: Judged | undefined): void {
    if (judged !== undefined && !(writtenAt(judged.position) > 0)) throw new Error("no position");
    this.#judged = judged;
  }

  /**
   * Saves the judges, unless another replica has saved what it has read further. It is done once the record is put.
   * @param open the entries that are not over, for a replica that does not have them
   */
  save(open: string): void {
    if (!isBefore(this.#judged?.position ?? start, this.#position)) return;
    const saved: Saved = { examiner: this.#exam.examiner.save(), waiting: this.#waiting, open };
    // The level 1 is ten times as fast as the usual one, and the result a tenth of the original.
    const state = deflateRawSync(serialize(saved), { level: 1 }).toString("base64");
    this.#judged = { position: this.#position, state };
  }

  /**
   * Continues with the saved judges if this replica has not read as far: the journal may not have these entries.
   * @returns the entries that are not over
   * @throws ForeignStateError
   */
  catchUp(): string | undefined {
    const judged = this.#judged;
    if (judged === undefined || !this.expects(judged.position)) return undefined;
    try {
      const { examiner, waiting, open } = deserialize(inflateRawSync(Buffer.from(judged.state, "base64"))) as Saved;
      this.#exam.examiner.restore(examiner);
      this.#waiting = waiting.filter((each) => !this.#isReset(each));
      this.#position = judged.position;
      for (const [registration, upTo] of this.#begins) if (!isBefore(upTo, judged.position)) this.#forget(registration);
      return open;
    } catch {
      throw new ForeignStateError(this.#records.redis.where, "the record judged");
    }
  }

  /** Forgets everything, because the journal is read again. */
  restart(): void {
    this.#waiting = [];
    this.#position = start;
    this.#exam.examiner.reset();
  }

  #wait(waiting: Waiting): void {
    if (!this.#isReset(waiting)) this.#waiting.push(waiting);
  }

  #forget(registration: string): void {
    this.#exam.examiner.reset(registration === all ? undefined : registration);
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

  #isReset({ client, recordedIn }: Waiting): boolean {
    return [client, all].some((each) => {
      const upTo = this.#begins.get(each);
      return upTo !== undefined && !isBefore(upTo, recordedIn);
    });
  }
}

/** Has entries judged in the order in which they were over. */
function judge(examiner: Examiner, waiting: readonly Waiting[]): Examiner {
  for (const { exchange, handshake } of [...waiting].sort((one, other) => one.overAt - other.overAt)) {
    try {
      if (exchange) examiner.exchange(exchange);
      if (handshake) examiner.handshake(handshake);
    } catch {
      // No replica of this release wrote this.
    }
  }
  return examiner;
}
