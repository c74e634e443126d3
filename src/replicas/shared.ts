import { randomBytes, randomInt } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { AdminContext } from "../admin/context.js";
import type { Metrics } from "../admin/metrics/metrics.js";
import { sharedMetrics } from "../admin/metrics/table.js";
import type { Exam, ExamReportOptions } from "../exam/exam.js";
import type { SharedSettings } from "../sandbox/config/configuration.js";
import type { AnyEntry } from "../sandbox/journal/entry.js";
import type { ReadingContext } from "../sandbox/journal/exchange-text.js";
import type { Journal } from "../sandbox/journal/journal.js";
import type { ChangeScope, StateFiles, Store } from "../sandbox/store.js";
import { SharedCounters } from "./counters.js";
import { type CommonFacts, type Facts, requireSame } from "./facts.js";
import { SharedJournal } from "./journal.js";
import type { JournalWriter } from "./journal-writer.js";
import { SharedRecords } from "./records.js";
import { ReportResets } from "./report-resets.js";
import { SharedState } from "./state.js";

/** What a replica records with. */
export interface ReplicaParts extends ReadingContext {
  readonly journal: Journal;
  readonly exam: Exam | undefined;
}

/** Replicas have random numbers below this one: so two hardly ever have the same, also after Redis has lost its data. */
const mostReplicas = 2 ** 22;

/** Upper bounds of the durations of commands to Redis, in seconds. */
const redisBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 3.5];

/**
 * How long a reader of the journal waits for the ends of exchanges that are about to end, and how often it looks, in
 * milliseconds. They are written each tenth of a second.
 */
const longestBatch = 200;
const lookInterval = 25;

/**
 * The state that several sandboxes share in Redis, as the other parts of one sandbox see it:
 * `docs/decisions/shared-state.md` says how it works. Before `join`, nothing is answered.
 */
export class Shared implements Store {
  readonly counters: SharedCounters;
  readonly #records: SharedRecords;
  readonly #number = randomInt(1, mostReplicas);
  readonly #warn: (text: string) => void;
  #journal: SharedJournal | undefined;
  #exam: Exam | undefined;
  readonly #resets = new ReportResets((registration) => this.#exam?.reset(registration));

  private constructor(records: SharedRecords, warn: (text: string) => void) {
    this.#records = records;
    this.#warn = warn;
    this.counters = new SharedCounters(records);
  }

  /**
   * Connects to Redis, and agrees with the other replicas on the common facts.
   * @param own the facts that this replica would begin with; a configured seed must be that of the others
   * @throws SharedStateError when Redis cannot be reached, or the others have other facts
   */
  static async open(
    settings: SharedSettings,
    own: CommonFacts & { readonly seed: string | undefined },
    warn: (text: string) => void,
  ): Promise<Shared> {
    const id = randomBytes(9).toString("base64url");
    const { ca, release, settings: digests, seed = randomBytes(6).toString("hex") } = own;
    const facts: Facts = { state: id, seed, ca, release, settings: digests };
    const records = await SharedRecords.open(settings, id, facts);
    try {
      requireSame(own, records.facts);
      return new Shared(records, warn);
    } catch (error) {
      await records.close();
      throw error;
    }
  }

  /** The seed of the random decisions of scenarios, at every replica. */
  get seed(): string {
    return this.#records.facts.seed;
  }

  /**
   * Creates the journal.
   * @returns the writer that records the exchanges of this replica
   */
  prepare({ journal, exam, ...context }: ReplicaParts): JournalWriter {
    this.#exam = exam;
    this.#journal = new SharedJournal(this.#records, journal, this.#number, context, exam);
    return this.#journal.writer;
  }

  /**
   * Loads the present state. Resolves once this replica may answer.
   * @param context of the admin API, with everything that this replica begins with
   */
  async join(context: AdminContext): Promise<void> {
    if (!this.#journal) throw new Error("The journal is prepared first.");
    // In containers, all may have the same port; on one machine, the same host.
    this.#journal.writer.name = `${hostname()}:${context.health().ports.api}`;
    await context.scenarios.library.read();
    const warn = (sentence: string) => this.#warn(`payments-sandbox: ${sentence}\n`);
    await this.#records.join(new SharedState(context, this.#journal, this.#resets, warn));
  }

  /** Adds the metrics of this replica. */
  measure(metrics: Metrics): void {
    metrics.read(sharedMetrics.available, () => [[this.unavailable() === undefined ? 1 : 0]]);
    metrics.read(sharedMetrics.replicas, () => [[this.#records.state().replicas]]);
    metrics.read(sharedMetrics.lag, () => [[this.#records.state().lag / 1000]]);
    const durations = metrics.histogram(sharedMetrics.redisDuration, redisBounds);
    this.#records.redis.onTimed = (duration) => durations.observe(duration);
  }

  unavailable(): string | undefined {
    return this.#records.unavailable();
  }

  /** Applies what other replicas have changed before the call. Does not wait for a Redis that is known not to answer. */
  async current(): Promise<void> {
    if (this.unavailable() === undefined) await this.#records.soon().catch(() => {});
  }

  /** Resolves once the journal in Redis has what this replica has answered, or Redis is known not to answer. */
  async written(): Promise<void> {
    if (this.unavailable() === undefined) await this.#journal?.writer.flush().catch(() => {});
  }

  change(scope: ChangeScope, work: (write: () => void) => unknown, files?: StateFiles): Promise<unknown> {
    return this.#records.change(scope, work, files);
  }

  /** Removes entries of the journal, in `change`. */
  remove(chosen?: (entry: AnyEntry) => boolean): void {
    this.#journal?.remove(chosen);
  }

  async synchronise(): Promise<void> {
    await this.#journal?.writer.flush();
    await this.#journal?.read();
    for (let left = longestBatch / lookInterval; this.#journal?.hasOpen && left > 0; left--) {
      await sleep(lookInterval);
      await this.#journal.read();
    }
  }

  follow(): () => void {
    return this.#journal?.follow() ?? (() => {});
  }

  /** The report on what this replica has answered, for the admin API. */
  get exam() {
    const exam = this.#exam;
    return (
      exam && {
        report: async (client?: string, options?: ExamReportOptions) => {
          await exam.settle();
          await this.synchronise();
          const { replicas } = this.#records.state();
          return { ...exam.present(client, options), ...(replicas > 1 && { replicas }) };
        },
        reset: (client?: string) => this.#resets.reset(exam.registrationOf(client)),
      }
    );
  }

  async close(): Promise<void> {
    // Records that Redis does not accept now are lost.
    await this.#journal?.writer.flush().catch(() => {});
    await this.#records.close();
  }
}
