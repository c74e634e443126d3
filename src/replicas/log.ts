import { setTimeout as sleep } from "node:timers/promises";
import { monotonicNow } from "../sandbox/clock.js";
import type { SharedSettings } from "../sandbox/config/configuration.js";
import { entryIn } from "./entries.js";
import { type Facts, found } from "./facts.js";
import { keys } from "./keys.js";
import { lossOf, refused } from "./log-messages.js";
import { appendScript, catchUpScript } from "./log-scripts.js";
import { OneAtATime } from "./one-at-a-time.js";
import { isBefore } from "./position.js";
import { acceptedFor, afterRunning, ForeignStateError, RedisConnection, SharedStateError } from "./redis.js";
import { RedisClock } from "./redis-clock.js";
import type { Replica } from "./replica.js";
import { Trouble } from "./trouble.js";

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** How long a starting replica tries to load the state, in milliseconds. */
const longestJoin = 20_000;

/** How often a replica reads the log although nobody asks, and says that it is alive, in milliseconds. */
const heartbeat = 500;

/** For how long a replica counts as alive after it said so, in milliseconds. */
const aliveFor = 15_000;

/** A read that takes longer is told, and new requests do not wait for it, in milliseconds. */
const patience = 2000;

/** How long XREAD blocks, in milliseconds. */
const blockFor = 1000;

/** How many commands are read at once. */
const readAtOnce = 500;

/** How often a command is sent again that Redis got too late, and so did not execute. */
const mostAttempts = 5;

/**
 * The log of commands: the shared state is what they make of the state at the start. Whoever needs the state reads
 * first what was appended since (`current`), so there is nothing to agree on: a call that has appended its command holds
 * for all that begins later, at every replica.
 */
export class SharedLog {
  readonly clock = new RedisClock();
  readonly #reader: RedisConnection;
  readonly #trouble: Trouble;
  /** Commands of this replica that are not applied yet, by their tokens. */
  readonly #own = new Map<string, (outcome: Outcome) => void>();
  #replica: Replica | undefined;
  #facts: Facts;
  #applied = "0-0";
  #number = 0;
  #tokens = 0;
  #reloads = 0;
  #mustReload = true;
  #isClosed = false;
  /** The end of the log when the state was last restored. */
  #putBackAt = "0-0";
  /** The position at which entries of the log are missing. */
  #gap: string | undefined;
  #replicas = 0;
  /** When this replica was last known to have all changes, on the monotonic clock. */
  #currentAt = monotonicNow();
  #saidAliveAt = Number.NEGATIVE_INFINITY;
  readonly #reads = new OneAtATime(() => this.#read());
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    readonly id: string,
    readonly redis: RedisConnection,
    reader: RedisConnection,
    facts: Facts,
  ) {
    this.#reader = reader;
    this.#facts = facts;
    this.#trouble = new Trouble(monotonicNow, redis.where);
  }

  /**
   * Connects, and begins a log if there is none.
   * @throws SharedStateError when Redis cannot be reached
   */
  static async open(settings: SharedSettings, id: string, own: Facts): Promise<SharedLog> {
    let log: SharedLog | undefined;
    const redis = await RedisConnection.open(settings, () => log?.lost());
    let reader: RedisConnection | undefined;
    try {
      reader = await RedisConnection.open(settings, () => {});
      log = new SharedLog(id, redis, reader, await found(redis, own));
      return log;
    } catch (error) {
      redis.close();
      reader?.close();
      throw error;
    }
  }

  get facts(): Facts {
    return this.#facts;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Distinguishes what this replica writes from what others write, and from what it wrote before it read the state
   * again.
   */
  get writer(): string {
    return `${this.id}:${this.#reloads}`;
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
    return this.#trouble.describe(this.#mustReload);
  }

  /**
   * Applies everything that was appended before the call. Calls share a read that has not begun.
   * @throws SharedStateError
   */
  current(): Promise<void> {
    return this.#reads.run();
  }

  /** Reads the state. Resolves once this replica may answer. */
  async join(replica: Replica): Promise<void> {
    this.#replica = replica;
    const since = monotonicNow();
    for (;;) {
      const problem = await this.current().catch((error) => error);
      if (problem === undefined) break;
      if (problem instanceof ForeignStateError || this.#isClosed || monotonicNow() - since > longestJoin) throw problem;
      await sleep(heartbeat / 10);
    }
    this.#timer = setInterval(() => this.current().catch(() => {}), heartbeat);
    this.#timer.unref();
    void this.#watch();
  }

  /**
   * Appends a command, and applies it with everything before it.
   * @returns what this replica's `apply` returned
   * @throws what it threw, or SharedStateError
   */
  async append(command: object): Promise<unknown> {
    this.#tokens += 1;
    const token = `${this.id}:${this.#tokens}`;
    let outcome: Outcome | undefined;
    this.#own.set(token, (known) => {
      outcome = known;
    });
    try {
      const text = JSON.stringify({ ...command, token });
      const run = () => this.redis.run(appendScript, [keys.log], [this.deadline(), this.#applied, text]);
      let status = await run();
      // Redis, or the whole machine, stood still: it has not executed it, so it can be sent again.
      for (let attempt = 1; status === "late" && attempt < mostAttempts; attempt++) {
        await this.current();
        status = await run();
      }
      if (status !== "ok") throw new SharedStateError(refused[status as keyof typeof refused]);
      await this.current().catch((error: Error) => {
        throw new SharedStateError(
          `The change is in the log of Redis, but this replica could not apply it: ${error.message} Replicas apply it before they answer again.`,
        );
      });
      if (outcome === undefined) throw new SharedStateError("Redis has lost the change.");
      if ("error" in outcome) throw outcome.error;
      return outcome.value;
    } finally {
      this.#own.delete(token);
    }
  }

  /** The connection is lost: nothing is answered until it is back. */
  lost(): void {
    this.#trouble.lost();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.redis.send(["ZREM", keys.alive, this.id]).catch(() => {});
    this.redis.close();
    this.#reader.close();
  }

  /**
   * Reads as soon as somebody appends something: what is decided in a handshake, before a request, cannot wait for
   * Redis.
   */
  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#reader.wait(["XREAD", "COUNT", "1", "BLOCK", String(blockFor), "STREAMS", keys.log, this.#applied]);
        await this.current();
      } catch {
        // The heartbeat tells what is wrong.
        await sleep(heartbeat);
      }
    }
  }

  async #read(): Promise<void> {
    try {
      let hasMore = true;
      while (hasMore) {
        if (this.#mustReload) await this.#reload();
        hasMore = await this.#readSome();
      }
      this.#trouble.over();
    } catch (error) {
      const sentence = this.#trouble.failed(error as Error);
      if (sentence !== undefined && !this.#isClosed) this.#replica?.warn(sentence);
      throw error instanceof SharedStateError ? error : new SharedStateError(this.#trouble.describe(true) ?? "");
    }
  }

  /** @returns whether there is more to read */
  async #readSome(): Promise<boolean> {
    const askedAt = monotonicNow();
    const isDue = askedAt - this.#saidAliveAt >= heartbeat / 2;
    const args = [this.#applied, readAtOnce, this.id, isDue ? aliveFor : 0];
    const cancel = afterRunning(patience, () => this.#trouble.late(askedAt));
    const reply = await this.redis.run(catchUpScript, [keys.log, keys.facts, keys.alive], args).finally(cancel);
    const [time, isThere, facts, replicas, entries] = reply as [string, number, string | null, number, LogEntries];
    this.#trouble.answered();
    this.clock.told(Number(time), askedAt, monotonicNow());
    if (isDue) this.#saidAliveAt = askedAt;
    this.#replicas = replicas;
    if (isThere === 0 || facts !== JSON.stringify(this.#facts)) {
      this.#mustReload = true;
      return true;
    }
    await this.#applyAll(entries);
    if (this.#mustReload || entries.length >= readAtOnce) return true;
    this.#currentAt = askedAt;
    return false;
  }

  /** Restores the state from Redis: at the start, and when Redis has lost data or this replica has missed some. */
  async #reload(): Promise<void> {
    this.#reloads += 1;
    const isFirst = this.#number === 0;
    // A log that begins now is a new log, for this replica as well.
    const facts = await found(this.redis, { ...this.#facts, log: `${this.id}:${monotonicNow()}` });
    const [last] = (await this.redis.send(["XREVRANGE", keys.log, "+", "-", "COUNT", "1"])) as [string][];
    const loss = isFirst ? undefined : lossOf(facts, this.#facts, this.#applied, last?.[0] ?? "0-0");
    this.#facts = facts;
    this.#putBackAt = last?.[0] ?? "0-0";
    const position = await this.#replica?.restore();
    const range = [position ?? "-", position ?? "+"];
    const [entry] = (await this.redis.send(["XRANGE", keys.log, ...range, "COUNT", "1"])) as LogEntries;
    if (entry === undefined) throw new SharedStateError("The log was cut meanwhile.");
    const { number } = entryIn(entry, this.redis.where);
    if (position === undefined && number !== 1)
      throw new ForeignStateError(this.redis.where, `${keys.log} without the ${keys.snapshot} that it follows`);
    this.#applied = entry[0];
    this.#number = number;
    this.#mustReload = false;
    if (loss !== undefined) this.#replica?.warn(loss);
  }

  async #applyAll(entries: LogEntries): Promise<void> {
    for (const entry of entries) {
      const [position] = entry;
      const { number, token, command } = entryIn(entry, this.redis.where);
      // A gap: Redis has lost entries and continues the numbers from before, or the log was cut after this replica's
      // position.
      if (number !== this.#number + 1) {
        if (this.#gap === position)
          throw new ForeignStateError(
            this.redis.where,
            `the entry ${position} of ${keys.log}, before which others are missing`,
          );
        this.#gap = position;
        this.#mustReload = true;
        return;
      }
      const own = this.#own.get(token);
      let outcome: Outcome;
      try {
        const isOld = !isBefore(this.#putBackAt, position);
        outcome = { value: await this.#replica?.apply(command, own !== undefined, isOld) };
      } catch (error) {
        // The command is read and applied again: a replica that skipped it would differ from the others.
        if (error instanceof SharedStateError) throw error;
        outcome = { error };
      }
      this.#number += 1;
      this.#applied = position;
      own?.(outcome);
      this.#replica?.reached(position);
    }
  }
}

type LogEntries = readonly [position: string, fields: string[]][];
