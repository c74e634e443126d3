import { jsonObject } from "../base/text/json-object.js";
import { keys } from "./keys.js";
import { isBefore } from "./lease.js";
import { askScript, liveScript } from "./log-scripts.js";
import type { RedisConnection } from "./redis.js";
import { Waiting } from "./waiting.js";

/** About how many signals are kept. A signal is not needed after it was read. */
const mostSignals = 10_000;

/** How far a replica is; a question, with its token; or the token of a question that a replica has answered. */
interface Signal {
  readonly by: string;
  readonly applied?: string;
  readonly ask?: string;
  readonly token?: string;
}

/** Messages between replicas, outside the log. */
export class Signals {
  readonly #redis: RedisConnection;
  readonly #id: string;
  readonly #answer: (question: string) => Promise<void>;
  readonly #waiting: Waiting;
  /** How far the other replicas are. */
  readonly #applied = new Map<string, string>();
  /** Which replicas have answered a question of this replica, by its token. */
  readonly #answers = new Map<string, Set<string>>();
  #position = "0-0";
  #questions = 0;

  /** @param answer answers a question of another replica */
  constructor(redis: RedisConnection, id: string, answer: (question: string) => Promise<void>) {
    this.#redis = redis;
    this.#id = id;
    this.#answer = answer;
    this.#waiting = new Waiting(async () => (await redis.run(liveScript, [keys.leases], [])) as string[]);
  }

  /** Of the newest signal that was received. */
  get position(): string {
    return this.#position;
  }

  /**
   * Begins with the signals that come from now on.
   * @throws SharedStateError
   */
  async restart(): Promise<void> {
    const [newest] = (await this.#redis.send(["XREVRANGE", keys.signals, "+", "-", "COUNT", "1"])) as [string][];
    this.#position = newest?.[0] ?? "0-0";
  }

  hear(entries: readonly [position: string, fields: string[]][]): void {
    for (const [position, [, text = ""]] of entries) {
      this.#position = position;
      const signal = jsonObject(text);
      // A signal that no replica wrote is ignored.
      if (!isSignal(signal)) continue;
      const { by, applied, ask, token = "" } = signal;
      if (applied !== undefined) this.#applied.set(by, applied);
      else if (ask === undefined) this.#answers.get(token)?.add(by);
      else if (by !== this.#id)
        this.#answer(ask).then(
          () => this.#send({ by: this.#id, token }),
          () => {},
        );
    }
    this.#waiting.heard();
  }

  /** Tells the others how far this replica is. */
  tellApplied(applied: string): void {
    this.#send({ by: this.#id, applied });
  }

  /**
   * Waits until each of these replicas has applied the log up to a position, or is not alive any more.
   * @throws SharedStateError
   */
  whenApplied(replicas: readonly string[], position: string): Promise<void> {
    return this.#waiting.forAll(
      replicas,
      (each) => each === this.#id || !isBefore(this.#applied.get(each) ?? "0-0", position),
    );
  }

  /**
   * Sends a question to every other replica that is alive, and waits until they have answered.
   * @throws SharedStateError
   */
  async ask(question: string): Promise<void> {
    this.#questions += 1;
    const token = `${this.#id}:${this.#questions}`;
    const answered = new Set<string>();
    this.#answers.set(token, answered);
    try {
      const signal: Signal = { by: this.#id, ask: question, token };
      const args = [JSON.stringify(signal), mostSignals];
      const live = (await this.#redis.run(askScript, [keys.signals, keys.leases], args)) as string[];
      await this.#waiting.forAll(live, (each) => each === this.#id || answered.has(each));
    } finally {
      this.#answers.delete(token);
    }
  }

  #send(signal: Signal): void {
    const text = JSON.stringify(signal);
    this.#redis.send(["XADD", keys.signals, "MAXLEN", "~", String(mostSignals), "*", "s", text]).catch(() => {});
  }
}

function isSignal(members: object): members is Signal {
  return "by" in members && Object.values(members).every((value) => typeof value === "string");
}
