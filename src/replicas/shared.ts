import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AdminContext, AdminSharing } from "../admin/context.js";
import { AdminError } from "../admin/error.js";
import { type Metric, metricsOf, sharedMetrics, single } from "../admin/metrics/table.js";
import { type Input, nameOf } from "../admin/route.js";
import { adminRoutes } from "../admin/routes/table.js";
import type { ExamReportOptions } from "../exam/exam.js";
import type { ApiSharing } from "../sandbox/api/service.js";
import type { ClientRegistry } from "../sandbox/clients.js";
import type { Clock } from "../sandbox/clock.js";
import type { SharedSettings } from "../sandbox/config/configuration.js";
import type { TakenStep } from "../sandbox/journal/exchange-facts.js";
import type { Journal } from "../sandbox/journal/journal.js";
import { unavailableRefusal } from "../sandbox/journal/refusal.js";
import { SharedCounters } from "./counters.js";
import { type Exam, SharedExam } from "./exam.js";
import { type CommonFacts, type Facts, requireSame } from "./facts.js";
import { SharedJournal } from "./journal.js";
import type { JournalWriter } from "./journal-writer.js";
import { keys } from "./keys.js";
import { SharedLog } from "./log.js";
import { ForeignStateError, SharedStateError } from "./redis.js";
import type { Replica } from "./replica.js";
import { restoreSnapshot, type Snapshot, takeSnapshot } from "./snapshot.js";
import { SnapshotKeeper } from "./snapshot-keeper.js";

/** What replicas apply: a route of the admin API, a move of a client's clock, or the revocation of a token. */
interface Command {
  /** The time of the request, in milliseconds since the epoch on that machine's clock. */
  readonly at: number;
  readonly route?: string;
  readonly input?: object;
  /** A registration. */
  readonly advance?: string;
  readonly by?: number;
  /** A registration. */
  readonly revoke?: string;
  readonly jti?: string;
}

/** What a replica records with. */
export interface ReplicaParts {
  readonly journal: Journal;
  readonly clients: ClientRegistry;
  readonly exam: Exam | undefined;
  readonly stepsOf: (operation: string | undefined, list: string | undefined) => readonly TakenStep[];
}

/** How long a report waits for exchanges that other replicas have not ended, in milliseconds. */
const longestSettle = 1000;

/** The same for other reads. The ends of exchanges are written each tenth of a second. */
const longestBatch = 200;

/** How often they look, in milliseconds. */
const lookInterval = 25;

const routes = new Map(adminRoutes.map((route) => [nameOf(route), route]));

/**
 * The state that several sandboxes share in Redis, as the other parts of one sandbox see it:
 * `docs/decisions/shared-state.md` says how it works. Before `join`, nothing is answered.
 */
export class Shared implements AdminSharing, ApiSharing {
  readonly counters: SharedCounters;
  /** The machine's clock; while a command is applied, the instant at which it was requested. */
  readonly clock: Clock;
  readonly #log: SharedLog;
  readonly #number: number;
  readonly #machineClock: Clock;
  readonly #warn: (text: string) => void;
  #instant: number | undefined;
  #joinedWith: AdminContext | undefined;
  #journal: SharedJournal | undefined;
  #exam: SharedExam | undefined;
  #stop: (() => void) | undefined;
  #initial: Snapshot | undefined;
  /** A command that has removed something here; the removal is not stored in Redis yet. */
  #unfinished: (() => Promise<unknown>) | undefined;
  readonly #snapshots: SnapshotKeeper;

  private constructor(log: SharedLog, number: number, machineClock: Clock, warn: (text: string) => void) {
    this.#log = log;
    this.#snapshots = new SnapshotKeeper(log);
    this.#number = number;
    this.#machineClock = machineClock;
    this.#warn = warn;
    this.counters = new SharedCounters(log);
    this.clock = { now: () => this.#instant ?? machineClock.now() };
  }

  /**
   * Connects to Redis, and agrees with the other replicas on the common facts.
   * @param own the facts that this replica would begin with; a configured seed must be that of the others
   * @throws SharedStateError when Redis cannot be reached, or the others have other facts
   */
  static async open(
    settings: SharedSettings,
    own: CommonFacts & { readonly seed: string | undefined },
    machineClock: Clock,
    warn: (text: string) => void,
  ): Promise<Shared> {
    const id = randomBytes(9).toString("base64url");
    const { ca, release, settings: digests, seed = randomBytes(6).toString("hex") } = own;
    const facts: Facts = { log: id, seed, ca, release, settings: digests };
    const log = await SharedLog.open(settings, id, facts);
    try {
      requireSame(own, log.facts);
      return new Shared(log, Number(await log.redis.send(["INCR", keys.replicas])), machineClock, warn);
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  /** The seed of the random decisions of scenarios, at every replica. */
  get seed(): string {
    return this.#log.facts.seed;
  }

  /**
   * Creates the journal.
   * @returns the writer that records the exchanges of this replica
   */
  prepare({ journal, clients, exam, stepsOf }: ReplicaParts): JournalWriter {
    this.#exam = exam && new SharedExam(exam, this.#log, this.#number);
    this.#journal = new SharedJournal(this.#log, journal, { clients, stepsOf }, this.#exam);
    return this.#journal.writer;
  }

  /**
   * Loads the present state. Resolves once this replica may answer.
   * @param context of the admin API, with everything that this replica begins with
   */
  async join(context: AdminContext): Promise<void> {
    this.#joinedWith = context;
    await context.scenarios.library.read();
    this.#initial = takeSnapshot(context);
    const replica: Replica = {
      apply: (command, own, isOld) => this.#apply(command as Command, own, isOld),
      reached: (position) => this.#snapshots.reached(position, this.#context),
      restore: () => this.#restore(),
      warn: (sentence) => this.#warn(`payments-sandbox: ${sentence}\n`),
    };
    await this.#log.join(replica);
    if (this.#exam) this.#stop = this.#journal?.keepUp();
  }

  /** Of this replica, for `GET /metrics`. */
  get metrics(): readonly Metric[] {
    return metricsOf(sharedMetrics, {
      available: () => single(this.unavailable() === undefined ? 1 : 0),
      replicas: () => single(this.#log.state().replicas),
      lag: () => single(this.#log.state().lag / 1000),
      redisDuration: () => [{ labels: [], value: this.#log.redis.durations }],
    });
  }

  unavailable(): string | undefined {
    return this.#log.unavailable();
  }

  /** Applies what other replicas have changed before the call. Does not wait for a Redis that is known not to answer. */
  async current(): Promise<void> {
    if (this.unavailable() === undefined) await this.#log.current().catch(() => {});
  }

  /** Resolves once the journal in Redis has what this replica has answered, or Redis is known not to answer. */
  async written(): Promise<void> {
    if (this.unavailable() === undefined) await this.#journal?.writer.flush().catch(() => {});
  }

  async advance(client: { readonly registration: string }, by: number): Promise<void> {
    await this.#change({ advance: client.registration, by }).catch(asRefusal);
  }

  async revoke(client: { readonly registration: string }, jti: string): Promise<void> {
    await this.#change({ revoke: client.registration, jti }).catch(asRefusal);
  }

  async run(route: string, input: object): Promise<unknown> {
    return this.#change({ route, input }).catch(asAdminError);
  }

  async synchronise(): Promise<void> {
    await this.#readAll(longestBatch).catch(asAdminError);
  }

  follow(): () => void {
    return this.#journal?.follow() ?? (() => {});
  }

  /** The report of all replicas, for the admin API. */
  get exam() {
    const exam = this.#exam;
    return (
      exam && {
        newestEdition: exam.newestEdition,
        report: async (client?: string, options?: ExamReportOptions) => {
          await exam.settle();
          await this.#readAll(longestSettle).catch(asAdminError);
          exam.judgeAll();
          return exam.present(client, options);
        },
        reset: (client?: string) => exam.reset(client),
      }
    );
  }

  async close(): Promise<void> {
    this.#stop?.();
    // Records that Redis does not accept now are lost.
    await this.#journal?.writer.flush().catch(() => {});
    await this.#log.close();
  }

  /**
   * Reads what all replicas have answered.
   * @param patience how long it waits for the ends of exchanges that are about to end, in milliseconds
   */
  async #readAll(patience: number): Promise<void> {
    await this.#journal?.writer.flush();
    await this.#journal?.read();
    for (let left = patience / lookInterval; this.#journal?.hasOpen && left > 0; left--) {
      await sleep(lookInterval);
      await this.#journal.read();
    }
  }

  #change(change: Omit<Command, "at">): Promise<unknown> {
    return this.#log.append({ ...change, at: this.#machineClock.now() });
  }

  async #apply(command: Command, own: boolean, isOld: boolean): Promise<unknown> {
    const context = this.#context;
    const { at, route: name, advance, revoke } = command;
    if (name !== undefined) {
      const route = routes.get(name);
      // A newer release may have more.
      if (route === undefined) throw new Error(`There is no ${name} here; all replicas must have the same release.`);
      const input = { ...(command.input as Input), signal: never };
      const work = () => this.#at(at, () => route.handle(input, context));
      if (!route.readsJournal) return work();
      this.#unfinished ??= await this.#remove(work, own, isOld);
      const result = await this.#unfinished();
      this.#unfinished = undefined;
      return result;
    }
    const registration = advance ?? revoke ?? "";
    const client = context.clients.get(registration.slice(registration.indexOf(" ") + 1));
    if (client?.registration !== registration) return undefined;
    if (advance !== undefined) this.#at(at, () => client.clock.advance(command.by ?? 0));
    if (revoke !== undefined) client.scenario.revoke(command.jti ?? "");
    return undefined;
  }

  /**
   * Runs a function that removes records.
   * @returns a function that stores the removal in Redis and returns the result of `work`; it may be called again
   */
  async #remove(work: () => unknown, own: boolean, isOld: boolean): Promise<() => Promise<unknown>> {
    // Reads all exchanges before the call; the caller has made sure that they are written. For an old call nothing is
    // read: Redis knows what it removed, and it must not remove later records.
    if (own || !isOld) await this.#journal?.read();
    const removed = this.#journal?.removedBy(work);
    const resets = this.#exam?.takeResets(this.#journal?.position ?? "0-0");
    return async () => {
      if (own) await Promise.all([removed?.keep(), resets?.keep()]);
      return removed?.result;
    };
  }

  /** Every replica uses the same instant, whenever it applies the command. */
  #at<T>(instant: number, work: () => T): T {
    this.#instant = instant;
    try {
      return work();
    } finally {
      this.#instant = undefined;
    }
  }

  async #restore(): Promise<string | undefined> {
    const context = this.#context;
    const text = (await this.#log.redis.send(["GET", keys.snapshot])) as string | null;
    let position: string | undefined;
    try {
      const kept = text === null ? undefined : (JSON.parse(text) as { position: string; snapshot: Snapshot });
      if (this.#initial) await restoreSnapshot(kept ? kept.snapshot : this.#initial, context);
      position = kept?.position;
    } catch (error) {
      throw new ForeignStateError(this.#log.redis.where, `${keys.snapshot} (${(error as Error).message})`);
    }
    this.#snapshots.begin(context.clients.size);
    this.#unfinished = undefined;
    await this.#exam?.restart();
    await this.#journal?.restart();
    return position;
  }

  get #context(): AdminContext {
    if (!this.#joinedWith) throw new Error("This replica has not joined the others yet.");
    return this.#joinedWith;
  }
}

const never = new AbortController().signal;

function asRefusal(error: unknown): never {
  throw error instanceof SharedStateError ? unavailableRefusal(error.message) : error;
}

function asAdminError(error: unknown): never {
  throw error instanceof SharedStateError ? new AdminError("SHARED_STATE_UNAVAILABLE", error.message) : error;
}
