import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ExamReportOptions } from "../exam/exam.js";
import type { Examiner } from "../exam/examiner.js";
import type { ExchangeObservation, HandshakeObservation } from "../exam/observation.js";
import { clientOf } from "../exam/observe/exchange.js";
import type { Report } from "../exam/report.js";
import { monotonicNow } from "../sandbox/clock.js";
import type { EndedPassage } from "../sandbox/connection/passage.js";
import type { HandshakeRecord } from "../sandbox/journal/entry.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { SharedPassage } from "./batch.js";
import { keys } from "./keys.js";
import type { SharedRecords } from "./records.js";
import { ForeignStateError } from "./redis.js";

/** The exam of one sandbox, as far as replicas need it. */
export interface Exam {
  readonly examiner: Examiner;
  observe(exchange: Exchange, id: number, passage: EndedPassage): ExchangeObservation | undefined;
  observeHandshake(record: HandshakeRecord, id: number): HandshakeObservation;
  present(client?: string, options?: ExamReportOptions, examiner?: Examiner): Report;
  settle(): Promise<void>;
  registrationOf(client: string | undefined): string | undefined;
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
}

/** More connections than a replica ever has, so that the ids of two replicas differ. */
const connections = 1e9;

/**
 * How much later than another one a replica may write what was over earlier, in milliseconds. An entry waits this long
 * before it is judged.
 */
const longestDelay = 1000;

/** By how much the newest estimate of the time of Redis may differ from the one in use, in milliseconds. */
const mostDrift = 20;

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
  /** The number of the batch up to which entries are judged, or wait for that. */
  #upTo = 0;

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
    // In whole microseconds: a shorter text.
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

  /** Whether the batch with this number is new to the judges. */
  expects(batch: number): boolean {
    return this.#upTo < batch;
  }

  /**
   * An exchange of any replica was read, and is over.
   * @param writtenAt when that was written, in milliseconds since the epoch, by the clock of Redis
   */
  exchange(exchange: Exchange, id: number, passage: SharedPassage, writtenAt: number): void {
    const observed = this.#exam.observe(exchange, id, passage);
    if (observed === undefined) return;
    const { clock, timeError, connection, begunAt } = passage;
    // The clock of Redis is the same at every replica, whenever a batch is read.
    const overAt = Math.min(observed.overAt, writtenAt);
    this.#waiting.push({
      exchange: { ...observed, clock, timeError, connection, begunAt },
      client: observed.client,
      overAt,
    });
  }

  /** A handshake of any replica was read. */
  handshake(record: HandshakeRecord, id: number, writtenAt: number): void {
    const observed = this.#exam.observeHandshake(record, id);
    this.#waiting.push({ handshake: observed, client: observed.client, overAt: writtenAt });
  }

  /**
   * Everything up to the batch with this number was read. Judges what is old enough: no batch that is read later has
   * anything before it.
   */
  taken(batch: number, writtenAt: number): void {
    this.#upTo = batch;
    this.#judgeUntil(writtenAt - longestDelay);
  }

  #judgeUntil(until: number): void {
    judge(
      this.#exam.examiner,
      this.#waiting.filter(({ overAt }) => overAt <= until),
    );
    this.#waiting = this.#waiting.filter(({ overAt }) => overAt > until);
  }

  /** The report on everything that was read. A copy of the judges judges what is not old enough. */
  present(client?: string, options?: ExamReportOptions): Report {
    const registration = this.#exam.registrationOf(client);
    const waiting = this.#waiting.filter((each) => registration === undefined || each.client === registration);
    const { examiner } = this.#exam;
    if (waiting.length === 0) return this.#exam.present(client, options);
    return this.#exam.present(client, options, judge(examiner.copy(registration), waiting));
  }

  /** Whether the judges count an exchange for the client of a registration. */
  isOf(exchange: Exchange, registration: string): boolean {
    return clientOf(exchange) === registration;
  }

  /**
   * Forgets what was read about the client of a registration, or about all, after it was judged: that may have made the
   * judges forget other clients.
   * @param writtenAt when the reset was written, in milliseconds since the epoch, by the clock of Redis
   */
  reset(writtenAt: number, registration?: string): void {
    this.#judgeUntil(writtenAt - longestDelay);
    this.#waiting = this.#waiting.filter(({ client }) => registration !== undefined && client !== registration);
    this.#exam.examiner.reset(registration);
  }

  /**
   * The judges, for a replica that cannot read any more what they have judged.
   * @param open the entries that are not over, for the same replica
   */
  save(open: string): string {
    const saved: Saved = { examiner: this.#exam.examiner.save(), waiting: this.#waiting, open };
    // The level 1 is ten times as fast as the usual one, and the result a tenth of the original.
    return deflateRawSync(serialize(saved), { level: 1 }).toString("base64");
  }

  /**
   * Continues with judges that a replica has saved when it had read everything up to the batch with this number.
   * @returns the entries that are not over
   * @throws ForeignStateError
   */
  restore(state: string, batch: number): string {
    try {
      const { examiner, waiting, open } = deserialize(inflateRawSync(Buffer.from(state, "base64"))) as Saved;
      this.#exam.examiner.restore(examiner);
      this.#waiting = [...waiting];
      this.#upTo = batch;
      return open;
    } catch {
      throw new ForeignStateError(this.#records.redis.where, keys.judged);
    }
  }

  /** Forgets everything, because the journal is read again. */
  restart(): void {
    this.#upTo = 0;
    this.#waiting = [];
    this.#exam.examiner.reset();
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
