import { remember } from "../base/remember.js";
import type { ExamReportOptions } from "../exam/exam.js";
import type { Examiner } from "../exam/examiner.js";
import type { ExchangeObservation, HandshakeObservation } from "../exam/observation.js";
import type { Report } from "../exam/report.js";
import { monotonicNow } from "../sandbox/clock.js";
import type { EndedPassage } from "../sandbox/connection/passage.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { HandshakeRecord } from "../sandbox/journal/journal.js";
import { keys } from "./keys.js";
import type { SharedLog } from "./log.js";
import { OrderOfTime } from "./order-of-time.js";
import type { SharedPassage } from "./passage.js";
import { isBefore } from "./position.js";

/** The exam of one sandbox, as far as replicas need it. */
export interface Exam {
  readonly newestEdition: number;
  readonly examiner: Examiner;
  observe(exchange: Exchange, id: number, passage: EndedPassage): ExchangeObservation | undefined;
  observeHandshake(record: HandshakeRecord, id: number): HandshakeObservation;
  present(client?: string, options?: ExamReportOptions): Report;
  settle(): Promise<void>;
  reset(client?: string): void;
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

/** Resets that a replica remembers. An old one matters only for exchanges that have been open since. */
const mostResets = 10_000;

/**
 * One exam of all replicas: each has its own judges, which judge the entries of the common journal whenever this
 * replica reads them.
 */
export class SharedExam {
  readonly #exam: Exam;
  readonly #log: SharedLog;
  /** What is read but not judged yet. */
  readonly #waiting = new OrderOfTime<ExchangeObservation>();
  /** The number of this replica. */
  readonly #replica: number;
  /** The difference from the monotonic clock of this process to the clock of all replicas. */
  #offset = Number.NEGATIVE_INFINITY;
  /** How often the offset was changed. */
  #changes = 0;
  /** By client: entries up to this batch were reset. */
  #resets = new Map<string, string>();
  #newResets: string[] = [];

  constructor(exam: Exam, log: SharedLog, replica: number) {
    this.#exam = exam;
    this.#log = log;
    this.#replica = replica;
  }

  /** How an exchange of this replica went, with instants and ids that are valid for all replicas. */
  passageOf({ passage, connection }: Exchange): SharedPassage | undefined {
    // Refused before this replica has joined.
    if (!this.#log.clock.isSet || passage === undefined || connection === undefined) return undefined;
    const offset = this.#presentOffset();
    // In whole microseconds, so that judges get the same instants from memory and from text.
    const timeOf = (instant: number) => Math.round((instant + offset) * 1000) / 1000;
    return {
      ...passage,
      clock: `${this.#replica} ${this.#changes}`,
      timeError: Math.ceil(this.#log.clock.error() + mostDrift),
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

  /** Forgets everything about a client, or about all clients. */
  reset(client?: string): void {
    this.judgeAll();
    this.#exam.reset(client);
    this.#newResets.push(this.#exam.registrationOf(client) ?? all);
  }

  /**
   * The resets since the last call.
   * @param position up to which the journal was read
   * @returns a function that stores them for replicas that join later
   */
  takeResets(position: string): { keep(): Promise<void> } {
    const resets = this.#newResets;
    this.#newResets = [];
    // For what was answered before, and is over later. An old call that is applied again is known from Redis.
    for (const client of resets)
      if (!isBefore(position, this.#resets.get(client) ?? "0-0")) remember(this.#resets, client, position, mostResets);
    const fields = resets.flatMap((client) => [client, position]);
    return {
      keep: async () => {
        if (resets.includes(all)) await this.#log.redis.send(["DEL", keys.examined]);
        if (resets.length > 0) await this.#log.redis.send(["HSET", keys.examined, ...fields]);
      },
    };
  }

  /** Begins again, with the resets in Redis. Resets whose entries are all cut are deleted there. */
  async restart(): Promise<void> {
    const known = (await this.#log.redis.send(["HGETALL", keys.examined])) as string[];
    const [first] = (await this.#log.redis.send(["XRANGE", keys.journal, "-", "+", "COUNT", "1"])) as [string][];
    const resets = new Map<string, string>();
    const past: string[] = [];
    for (let index = 0; index < known.length; index += 2) {
      const [client = "", position = ""] = known.slice(index);
      if (first && isBefore(position, first[0])) past.push(client);
      else resets.set(client, position);
    }
    if (past.length > 0) await this.#log.redis.send(["HDEL", keys.examined, ...past]);
    this.#waiting.clear();
    this.#exam.examiner.reset();
    this.#newResets = [];
    this.#resets = resets;
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
    const offset = this.#log.clock.now() - monotonicNow();
    // Only a clearly better estimate replaces it: each change makes durations wrong by the difference.
    if (Math.abs(offset - this.#offset) > mostDrift) {
      this.#offset = offset;
      this.#changes += 1;
    }
    return this.#offset;
  }

  #isReset(client: string, position: string): boolean {
    return [client, all].some((each) => {
      const upTo = this.#resets.get(each);
      return upTo !== undefined && !isBefore(upTo, position);
    });
  }
}

/** When a batch was written, in milliseconds since the epoch. */
function writtenAt(position: string): number {
  return Number.parseInt(position, 10);
}
