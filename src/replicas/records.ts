import { setTimeout as sleep } from "node:timers/promises";
import { monotonicNow } from "../sandbox/clock.js";
import type { SharedSettings } from "../sandbox/config/configuration.js";
import { type ChangeScope, type StateFiles, UnfinishedError } from "../sandbox/store.js";
import { type CallResult, type Change, makeChanges, type Recorded } from "./changes.js";
import { type Facts, found } from "./facts.js";
import { keys } from "./keys.js";
import { OneAtATime } from "./one-at-a-time.js";
import { OwedFiles } from "./owed-files.js";
import { readScript, writeScript } from "./record-scripts.js";
import { acceptedFor, afterRunning, ForeignStateError, isRefused, RedisConnection, SharedStateError } from "./redis.js";
import { RedisClock } from "./redis-clock.js";
import { Trouble } from "./trouble.js";

/** How long a starting replica tries to load the state, in milliseconds. */
const longestJoin = 20_000;

/** How often a replica reads the records although nobody asks, in milliseconds. */
const heartbeat = 250;

/** How often it says that it is alive, and for how long it counts as alive then, in milliseconds. */
const saysAlive = 500;
const aliveFor = 15_000;

/** A read that takes longer is told, and new requests do not wait for it, in milliseconds. */
const patience = 2000;

/** How many records are read at once. */
const readAtOnce = 500;

/** How often a change is made again because another replica was first, or Redis got it too late. */
const mostAttempts = 100;

/**
 * The records in Redis, which are the shared state. A replica has what they describe in memory, and asks what has changed
 * before it uses that. What changes the state is done in memory, undone, and written as records, if nobody else has written
 * any meanwhile; otherwise it is done again on the new state.
 */
export class SharedRecords {
  readonly clock = new RedisClock();
  readonly #trouble: Trouble;
  #recorded: Recorded | undefined;
  #facts: Facts;
  /** The version that this replica has; empty for none. */
  #head = "";
  #changes: Change[] = [];
  readonly #owed = new OwedFiles();
  #writes = 0;
  #isClosed = false;
  #replicas = 0;
  /** When this replica was last known to have all changes, on the monotonic clock. */
  #currentAt = monotonicNow();
  #saidAliveAt = Number.NEGATIVE_INFINITY;
  readonly #turns = new OneAtATime(() => this.#turn());
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    readonly id: string,
    readonly redis: RedisConnection,
    facts: Facts,
  ) {
    this.#facts = facts;
    this.#trouble = new Trouble(monotonicNow, redis.where);
  }

  /**
   * Connects, and agrees on the facts.
   * @throws SharedStateError when Redis cannot be reached
   */
  static async open(settings: SharedSettings, id: string, own: Facts): Promise<SharedRecords> {
    let records: SharedRecords | undefined;
    // Nothing is answered until the connection is back.
    const redis = await RedisConnection.open(settings, () => records?.lost());
    try {
      records = new SharedRecords(id, redis, await found(redis, own));
      return records;
    } catch (error) {
      redis.close();
      throw error;
    }
  }

  get facts(): Facts {
    return this.#facts;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Until when Redis accepts a command that is sent now. */
  deadline(): number {
    return Math.round(this.clock.now() + acceptedFor);
  }

  /** How many replicas are alive, and the milliseconds since this one was known to have all changes. */
  state(): { readonly replicas: number; readonly lag: number } {
    return { replicas: this.#replicas, lag: monotonicNow() - this.#currentAt };
  }

  /** Why this replica may not answer; undefined if it may, as far as it knows without Redis. */
  unavailable(): string | undefined {
    if (this.#isClosed) return "The sandbox is closed.";
    return this.#trouble.describe(this.#head === "");
  }

  /**
   * Applies everything that was written before the call. Calls share a read that has not begun.
   * @throws SharedStateError
   */
  current(): Promise<void> {
    return this.#turns.run();
  }

  /** The same, and rejects as soon as a read fails. */
  soon(): Promise<void> {
    return this.#turns.soon();
  }

  /** Reads everything. Resolves once this replica may answer. */
  async join(recorded: Recorded): Promise<void> {
    this.#recorded = recorded;
    const since = monotonicNow();
    for (;;) {
      const problem = await this.current().catch((error) => error);
      if (problem === undefined) break;
      if (problem instanceof ForeignStateError || this.#isClosed || monotonicNow() - since > longestJoin) throw problem;
      await sleep(heartbeat / 10);
    }
    // What is decided in a handshake, before a request, cannot wait for Redis.
    this.#timer = setInterval(() => this.current().catch(() => {}), heartbeat);
    this.#timer.unref();
  }

  /**
   * Changes the state for all replicas. Files are held before, and written once Redis has the change.
   * @param work does it in memory, synchronously. May be called several times, each time on the present state
   * @returns what `work` returned
   * @throws what `work` or `files` threw: then nothing has changed. SharedStateError. UnfinishedError:
   *   then the change is made
   */
  async change(scope: ChangeScope, work: (write: () => void) => unknown, files?: StateFiles): Promise<unknown> {
    let outcome: CallResult | undefined;
    const done = (known: CallResult) => {
      outcome = known;
    };
    const decide = () => {
      this.#changes.push({ scope, work: () => work(() => {}), files, done });
      return this.#turns.run();
    };
    await (files ? files.hold(decide) : decide());
    if (outcome === undefined) throw new SharedStateError("Redis did not accept the change; nothing was changed.");
    if ("error" in outcome) throw outcome.error;
    const problem = files && this.#owed.problemOf(files);
    if (problem)
      throw new UnfinishedError(
        `The change is made, but its files are not written: ${problem.message} This sandbox tries again until they are.`,
        { cause: problem },
      );
    return outcome.value;
  }

  lost(): void {
    this.#trouble.lost();
  }

  /** @param sentence for the person at the terminal */
  warn(sentence: string): void {
    this.#recorded?.warn(sentence);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.redis.send(["ZREM", keys.alive, this.id]).catch(() => {});
    this.redis.close();
  }

  /** Reads; and writes what calls have changed. */
  async #turn(): Promise<void> {
    const changes = this.#changes;
    this.#changes = [];
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      await this.#read();
      await this.#settleFiles();
      if (changes.length === 0 || (await this.#write(changes))) return;
    }
  }

  /** @returns whether it is done; otherwise it must be done again on a newer state */
  async #write(changes: readonly Change[]): Promise<boolean> {
    const { texts, marks, outcomes } = makeChanges(changes, this.#state);
    if (texts.size > 0 || marks.length > 0) {
      this.#writes += 1;
      const fields = [...texts].flatMap(([name, text]) => [name, text, this.#state.isRemoved(name, text) ? 1 : 0]);
      const name = `${this.#facts.state} ${this.id}:${this.#writes}`;
      const args = [this.deadline(), this.#head, name, marks.length > 0 ? JSON.stringify(marks) : "", ...fields];
      const files = changes.flatMap(({ files }, place) => (files && "value" in (outcomes[place] ?? {}) ? files : []));
      for (const each of files) this.#owed.add(each, this.deadline());
      const [status, head] = (await this.#send(args)) as [string, string?];
      if (head === undefined) {
        for (const each of files) this.#owed.forget(each);
        if (status === "changed" || status === "late") return false;
        throw new SharedStateError("Redis did not accept the change; nothing was changed.");
      }
      await this.#apply(texts, false).catch((error: Error) => {
        throw new SharedStateError(
          `Redis has the change, but this replica could not apply it: ${error.message} Replicas apply it before they answer again.`,
        );
      });
      this.#head = head;
      await this.#settleFiles();
    }
    for (const [place, { done }] of changes.entries()) done(outcomes[place] as CallResult);
    return true;
  }

  async #send(args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await this.redis.run(writeScript, [], args);
    } catch (error) {
      if (isRefused(error as Error)) throw error;
      throw new SharedStateError(
        `${(error as Error).message} Whether the change is made is known once it answers again. The call can be repeated.`,
      );
    }
  }

  async #settleFiles(): Promise<void> {
    await this.#owed.settle(this.clock.now(), () => this.#read());
  }

  async #read(): Promise<void> {
    try {
      while (!(await this.#readChanges()));
      this.#trouble.over();
    } catch (error) {
      const sentence = this.#trouble.failed(error as Error);
      if (sentence !== undefined && !this.#isClosed) this.warn(sentence);
      throw error instanceof SharedStateError ? error : new SharedStateError(this.#trouble.describe(true) ?? "");
    }
  }

  /** @returns whether this replica has the present state; otherwise it must read everything again */
  async #readChanges(): Promise<boolean> {
    const isWhole = this.#head === "";
    const texts = new Map<string, string>();
    let head = this.#head;
    let last = Number.parseInt(head, 10) || 0;
    for (;;) {
      const askedAt = monotonicNow();
      const { status, newest, upTo, fields } = await this.#ask(head, last, askedAt);
      if (status === "anew") {
        await this.#begin();
        return false;
      }
      for (let place = 0; place < fields.length; place += 2) texts.set(fields[place] ?? "", fields[place + 1] ?? "");
      if (status === "same" || fields.length < readAtOnce * 2) {
        await this.#apply(texts, isWhole);
        this.#head = newest;
        this.#currentAt = askedAt;
        return true;
      }
      // A head of which Redis knows nothing later: it has lost data between two pages.
      if (head === "") head = newest;
      last = upTo;
    }
  }

  async #ask(head: string, last: number, askedAt: number) {
    const isDue = askedAt - this.#saidAliveAt >= saysAlive;
    const cancel = afterRunning(patience, () => this.#trouble.late(askedAt));
    const args = [head, last, readAtOnce, this.id, isDue ? aliveFor : 0];
    const reply = await this.redis.run(readScript, [], args).finally(cancel);
    const [time, replicas, newest, status, upTo, ...fields] = reply as [string, number, string, string, ...string[]];
    this.#trouble.answered();
    this.clock.told(Number(time), askedAt, monotonicNow());
    if (isDue) this.#saidAliveAt = askedAt;
    this.#replicas = replicas;
    return { status, newest, upTo: Number(upTo), fields };
  }

  async #apply(texts: ReadonlyMap<string, string>, isWhole: boolean): Promise<void> {
    if (isWhole) this.#state.restart();
    if (texts.size === 0) return;
    try {
      await this.#state.prepare(texts);
      this.#state.put(texts);
      this.#state.confirmed();
    } catch (error) {
      // It is read again, until somebody has repaired it.
      throw new ForeignStateError(this.redis.where, (error as Error).message);
    }
  }

  /** Redis does not know the state that this replica has. */
  async #begin(): Promise<void> {
    const had = this.#head;
    const facts = await found(this.redis, { ...this.#facts, state: `${this.id}-${Math.round(monotonicNow())}` });
    const before = this.#facts;
    this.#facts = facts;
    this.#head = "";
    if (had === "") return;
    const present = Number.parseInt(String(await this.redis.send(["GET", keys.head])), 10);
    this.#state.warn(lossOf(facts.state !== before.state, present < Number.parseInt(had, 10)));
  }

  get #state(): Recorded {
    if (!this.#recorded) throw new Error("This replica has not joined the others yet.");
    return this.#recorded;
  }
}

/** The message about lost data. */
function lossOf(isOther: boolean, isBefore: boolean): string {
  if (isOther)
    return "Redis has lost its data. The configured clients and the files of scenarios are loaded again; clients, scenarios and clocks that were made or set since are gone.";
  if (isBefore) return "Redis has lost its newest changes. This replica has gone back to the state before them.";
  return "This replica has missed changes. It reads the state again.";
}
