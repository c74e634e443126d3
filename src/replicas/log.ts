import { setTimeout as sleep } from "node:timers/promises";
import { monotonicNow } from "../sandbox/clock.js";
import type { SharedSettings } from "../sandbox/config/configuration.js";
import { entryIn } from "./entries.js";
import { type Facts, found } from "./facts.js";
import { keys } from "./keys.js";
import { isBefore, Lease, leaseDuration, renewalInterval } from "./lease.js";
import { lossOf, refused } from "./log-messages.js";
import { appendScript, renewScript } from "./log-scripts.js";
import { acceptedFor, ForeignStateError, RedisConnection, SharedStateError, within } from "./redis.js";
import { RedisClock } from "./redis-clock.js";
import type { Replica } from "./replica.js";
import { Signals } from "./signals.js";
import { Trouble } from "./trouble.js";
import { longestWait } from "./waiting.js";

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** How long a starting replica tries to load the state, in milliseconds. */
const longestJoin = 20_000;

/** Between two attempts to read the log, in milliseconds. */
const shortPause = 50;

/** How long XREAD blocks, in milliseconds. */
const blockFor = 1000;

/** The log of commands: it appends commands, applies them in order, and knows whether this replica may answer. */
export class SharedLog {
  readonly clock = new RedisClock();
  readonly #reader: RedisConnection;
  readonly #lease = new Lease(monotonicNow);
  readonly #trouble: Trouble;
  readonly #signals: Signals;
  /** Commands of this replica that are not applied yet, by their tokens. */
  readonly #own = new Map<string, (outcome: Outcome) => void>();
  #replica: Replica | undefined;
  #facts: Facts;
  #applied = "0-0";
  #number = 0;
  #head = "0-0";
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
    this.#signals = new Signals(redis, id, async (question) => this.#replica?.answer(question));
  }

  /**
   * Connects, and begins a log if there is none.
   * @throws SharedStateError when Redis cannot be reached
   */
  static async open(settings: SharedSettings, id: string, own: Facts): Promise<SharedLog> {
    let log: SharedLog | undefined;
    const onLost = () => log?.lost();
    const redis = await RedisConnection.open(settings, onLost);
    let reader: RedisConnection | undefined;
    try {
      reader = await RedisConnection.open(settings, onLost);
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

  /** Why this replica may not answer; undefined if it may. */
  unavailable(): string | undefined {
    if (this.#lease.isGood) return undefined;
    return this.#trouble.describe();
  }

  /** Reads the state, then applies the log until it is closed. Resolves once this replica may answer. */
  async join(replica: Replica): Promise<void> {
    this.#replica = replica;
    await this.#renew();
    this.#timer = setInterval(() => this.#renew(), renewalInterval);
    this.#timer.unref();
    void this.#follow();
    const since = monotonicNow();
    while (!this.#lease.isGood) {
      if (this.#trouble.damage) throw this.#trouble.damage;
      if (this.#isClosed || monotonicNow() - since > longestJoin)
        throw new SharedStateError(this.unavailable() ?? "The sandbox is closed.");
      await sleep(5);
    }
  }

  /**
   * Lets every replica apply a command.
   * @returns what this replica's `apply` returned, once all replicas that are alive have applied it
   * @throws what it threw, or SharedStateError
   */
  async append(command: object): Promise<unknown> {
    this.#tokens += 1;
    const token = `${this.id}:${this.#tokens}`;
    const outcome = new Promise<Outcome>((resolve) => this.#own.set(token, resolve));
    try {
      const args = [this.id, this.deadline(), this.#applied, JSON.stringify({ ...command, token })];
      const reply = (await this.redis.run(appendScript, [keys.log, keys.leases], args)) as string[];
      const [status, position = "", ...live] = reply;
      if (status !== "ok") throw new SharedStateError(refused[status as keyof typeof refused]);
      this.#replicas = live.length;
      const [applied] = await Promise.all([
        within(longestWait, outcome),
        this.#signals.whenApplied(live, position),
      ]).catch((error: Error) => {
        throw new SharedStateError(
          `The change is in the log of Redis, but not every replica has confirmed it: ${error.message} Replicas apply it before they answer again.`,
        );
      });
      if ("error" in applied) throw applied.error;
      return applied.value;
    } finally {
      this.#own.delete(token);
    }
  }

  /**
   * Sends a question to every other replica that is alive, and waits until they have answered.
   * @throws SharedStateError
   */
  ask(question: string): Promise<void> {
    return this.#signals.ask(question);
  }

  /** The connection or the state is lost: nothing is answered until both are back. */
  lost(): void {
    this.#lease.end();
    this.#trouble.lost();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#lease.end();
    clearInterval(this.#timer);
    // Others need not wait for a replica that announced its end.
    await this.redis.send(["ZREM", keys.leases, this.id]).catch(() => {});
    this.redis.close();
    this.#reader.close();
  }

  async #renew(): Promise<void> {
    const askedAt = monotonicNow();
    this.#trouble.asked(askedAt);
    // A replica that has not applied what it saw half a second ago does not renew: writers then wait for it only until
    // its lease ends.
    const lags = this.#mustReload || isBefore(this.#applied, this.#head);
    const applied = this.#applied;
    try {
      const args = [this.id, lags ? 0 : leaseDuration, applied];
      const reply = await this.redis.run(renewScript, [keys.log, keys.leases, keys.facts], args);
      const [time = "", head = "", isThere, replicas, facts] = reply as [string, string, number, number, string | null];
      this.#trouble.answered();
      this.#replicas = replicas;
      this.clock.told(Number(time), askedAt, monotonicNow());
      this.#head = head;
      if (isThere === 0 || facts !== JSON.stringify(this.#facts)) {
        // Not if the state was read again meanwhile.
        if (applied !== this.#applied) return;
        this.#mustReload = true;
        this.#lease.end();
      } else if (!lags) {
        this.#lease.renewed(askedAt, head, this.#applied);
        this.#currentAt = askedAt;
        if (this.#lease.isGood && !isBefore(this.#applied, head)) this.#trouble.over();
      }
    } catch (error) {
      this.#trouble.lost((error as Error).message);
    }
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#mustReload) await this.#reload();
        const streams = ["STREAMS", keys.log, keys.signals, this.#applied, this.#signals.position];
        const reply = await this.#reader.wait(["XREAD", "COUNT", "500", "BLOCK", String(blockFor), ...streams]);
        for (const [stream, entries] of (reply ?? []) as [string, [string, string[]][]][])
          await (stream === keys.log ? this.#applyAll(entries) : this.#signals.hear(entries));
      } catch (error) {
        if (this.#isClosed) return;
        const sentence = this.#trouble.failed(error as Error);
        if (sentence !== undefined) this.#replica?.warn(sentence);
        await sleep(this.#trouble.damage ? renewalInterval : shortPause);
      }
    }
  }

  /** Restores the state from Redis: at the start, and when Redis has lost data or this replica has missed some. */
  async #reload(): Promise<void> {
    this.#lease.end();
    if (!this.clock.isSet) await this.#renew();
    // Throws if Redis has still not sent its time.
    this.clock.now();
    this.#reloads += 1;
    const isFirst = this.#number === 0;
    // A log that begins now is a new log, for this replica as well.
    const facts = await found(this.redis, { ...this.#facts, log: `${this.id}:${monotonicNow()}` });
    await this.#signals.restart();
    const [last] = (await this.redis.send(["XREVRANGE", keys.log, "+", "-", "COUNT", "1"])) as [string][];
    const loss = isFirst ? undefined : lossOf(facts, this.#facts, this.#applied, last?.[0] ?? "0-0");
    this.#facts = facts;
    this.#putBackAt = last?.[0] ?? "0-0";
    const position = await this.#replica?.restore();
    const range = [position ?? "-", position ?? "+"];
    const [entry] = (await this.redis.send(["XRANGE", keys.log, ...range, "COUNT", "1"])) as [string, string[]][];
    if (entry === undefined) throw new SharedStateError("The log was cut meanwhile.");
    const { number } = entryIn(entry, this.redis.where);
    if (position === undefined && number !== 1)
      throw new ForeignStateError(this.redis.where, `${keys.log} without the ${keys.snapshot} that it follows`);
    this.#applied = entry[0];
    this.#number = number;
    this.#mustReload = false;
    if (loss !== undefined) this.#replica?.warn(loss);
    await this.#renew();
  }

  async #applyAll(entries: readonly [string, string[]][]): Promise<void> {
    let others = false;
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
      this.#lease.applied(position);
      own?.(outcome);
      this.#replica?.reached(position);
      others ||= !token.startsWith(`${this.id}:`);
    }
    if (others) this.#signals.tellApplied(this.#applied);
    if (!this.#lease.isGood && !isBefore(this.#applied, this.#head)) await this.#renew();
  }
}
