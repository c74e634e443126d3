import type { Examiner } from "../exam/examiner.js";
import type { ExchangeObservation, HandshakeObservation } from "../exam/observation.js";
import type { Report } from "../exam/report.js";
import { monotonicNow } from "../sandbox/clock.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { HandshakeRecord, JournalLimits } from "../sandbox/journal/journal.js";
import { type BatchNumbers, BatchReader } from "./batch-reader.js";
import { keys } from "./keys.js";
import { isBefore } from "./lease.js";
import type { SharedLog } from "./log.js";
import { type Observations, observationsIn } from "./observation-text.js";
import { OrderOfTime } from "./order-of-time.js";

/** The exam of one sandbox, as far as replicas need it. */
export interface Exam {
  readonly examiner: Examiner;
  observe(exchange: Exchange, id: number): ExchangeObservation | undefined;
  observeHandshake(record: HandshakeRecord, id: number): HandshakeObservation;
  present(client?: string): Report;
  settle(): Promise<void>;
  reset(client?: string): void;
  registrationOf(client: string | undefined): string | undefined;
}

/** More connections than a replica ever has, so that the ids of two replicas differ. */
const connections = 1e9;

/** Means all clients in the resets. */
const all = "*";

/**
 * How often the batches of all replicas are read, in milliseconds: before Redis cuts them, even if no report is
 * requested.
 */
const feedInterval = 500;

/**
 * How much later another replica may write an earlier observation, in milliseconds. An observation waits this long
 * before it is judged.
 */
const longestDelay = 1000;

/** By how much the newest estimate of the time of Redis may differ from the one in use, in milliseconds. */
const mostDrift = 20;

/** One exam of all replicas: each has its own judges, which get the observations of all. */
export class SharedExam {
  readonly #exam: Exam;
  readonly #log: SharedLog;
  readonly #limits: JournalLimits;
  readonly #reader: BatchReader<Observations>;
  /** Observations that are read but not judged yet. */
  readonly #waiting = new OrderOfTime<ExchangeObservation>();
  /** The number of this replica. */
  readonly #replica: number;
  /** The difference from the monotonic clock of this process to the clock of all replicas. */
  #offset = Number.NEGATIVE_INFINITY;
  /** How often the offset was changed. */
  #changes = 0;
  /** By client: observations up to this batch were reset. */
  #resets: ReadonlyMap<string, string> = new Map();
  #newResets: string[] = [];
  #stop = () => {};

  constructor(exam: Exam, log: SharedLog, limits: JournalLimits, replica: number) {
    this.#exam = exam;
    this.#log = log;
    this.#limits = limits;
    this.#reader = new BatchReader(log, limits, {
      name: "observations",
      parse: observationsIn,
      take: (observations, numbers) => this.#feed(observations, numbers),
    });
    this.#replica = replica;
  }

  /** An observation with times and ids that are valid for all replicas. */
  observe(exchange: Exchange): ExchangeObservation | undefined {
    // Refused before this replica has joined.
    if (!this.#log.clock.isSet) return undefined;
    const observed = this.#exam.observe(exchange, 0);
    if (observed === undefined) return undefined;
    const offset = this.#presentOffset();
    // In whole microseconds, so that judges get the same times from memory and from text.
    const timeOf = (instant: number) => Math.round((instant + offset) * 1000) / 1000;
    return {
      ...observed,
      clock: `${this.#replica} ${this.#changes}`,
      timeError: Math.ceil(this.#log.clock.error() + mostDrift),
      connection: observed.connection + this.#replica * connections,
      begunAt: timeOf(observed.begunAt),
      arrivedAt: timeOf(observed.arrivedAt),
      releasedAt: timeOf(observed.releasedAt),
      overAt: timeOf(observed.overAt),
    };
  }

  observeHandshake(record: HandshakeRecord): HandshakeObservation {
    return this.#exam.observeHandshake(record, 0);
  }

  /** Keeps what this replica writes, until the judges have it. */
  wrote(...kept: Parameters<BatchReader<Observations>["wrote"]>): void {
    this.#reader.wrote(...kept);
  }

  /**
   * Passes all observations to the judges, once all replicas have written theirs.
   * @throws SharedStateError
   */
  async read(): Promise<void> {
    await this.#reader.read();
    this.#judgeUntil(Number.POSITIVE_INFINITY);
  }

  /**
   * Reads the observations of others before they are cut.
   * @param newest number of the newest exchange that was written
   */
  keepUp(newest: number): void {
    if (this.#log.unavailable() !== undefined) return;
    if (newest - this.#reader.newest > this.#limits.requests / 10) this.#reader.read().catch(() => {});
  }

  /** Keeps reading the observations of others, until it is closed. */
  follow(): void {
    this.#stop = this.#reader.follow(feedInterval);
  }

  close(): void {
    this.#stop();
  }

  present(client?: string): Report {
    return this.#exam.present(client);
  }

  settle(): Promise<void> {
    return this.#exam.settle();
  }

  /** Forgets everything about a client, or about all clients. */
  reset(client?: string): void {
    this.#judgeUntil(Number.POSITIVE_INFINITY);
    this.#exam.reset(client);
    this.#newResets.push(this.#exam.registrationOf(client) ?? all);
  }

  /**
   * The resets since the last call.
   * @returns a function that stores them for replicas that join later
   */
  takeResets(): { keep(): Promise<void> } {
    const resets = this.#newResets;
    this.#newResets = [];
    const fields = resets.flatMap((client) => [client, this.#reader.position]);
    return {
      keep: async () => {
        if (resets.includes(all)) await this.#log.redis.send(["DEL", keys.examined]);
        if (resets.length > 0) await this.#log.redis.send(["HSET", keys.examined, ...fields]);
      },
    };
  }

  /** Begins again, with the resets in Redis. Resets whose observations are all cut are deleted there. */
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
    await this.#reader.restart();
    this.#waiting.clear();
    this.#exam.examiner.reset();
    this.#newResets = [];
    this.#resets = resets;
  }

  #feed({ exchanges, handshakes }: Observations, { position, first, firstHandshake }: BatchNumbers): void {
    const { examiner } = this.#exam;
    // By the clock of Redis: the same at every replica, whenever it reads the batch.
    const writtenAt = Number.parseInt(position, 10);
    for (const [place, observation] of exchanges) {
      const id = place > 0 ? place : first - place;
      if (!this.#isReset(observation.client, position))
        this.#waiting.add({ ...observation, id }, Math.min(observation.overAt, writtenAt));
    }
    this.#judgeUntil(writtenAt - longestDelay);
    for (const [place, observation] of handshakes.entries())
      if (!this.#isReset(observation.client, position))
        examiner.handshake({ ...observation, id: firstHandshake + place });
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
