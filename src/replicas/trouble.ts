import { renewalInterval } from "./lease.js";
import { ForeignStateError, SharedStateError } from "./redis.js";

/** Why a replica cannot answer, for clients and for the person at the terminal. */
export class Trouble {
  readonly #now: () => number;
  readonly #where: string;
  /** When a renewal was requested that has no answer yet. */
  #askedAt: number | undefined;
  /** When Redis was first found to be lost. */
  #since: number | undefined;
  /** What is wrong with it, as a sentence. */
  #lost: string | undefined;
  #damage: ForeignStateError | undefined;
  #said: string | undefined;

  /**
   * @param now a monotonic clock, in milliseconds
   * @param where the address of Redis
   */
  constructor(now: () => number, where: string) {
    this.#now = now;
    this.#where = where;
  }

  /** The data in Redis cannot be used until a person fixes it. */
  get damage(): ForeignStateError | undefined {
    return this.#damage;
  }

  asked(at: number): void {
    this.#askedAt ??= at;
  }

  answered(): void {
    this.#askedAt = undefined;
  }

  /**
   * Redis does not answer, or refuses.
   * @param sentence describes it
   */
  lost(sentence: string = this.#lost ?? `Redis at ${this.#where} cannot be reached.`): void {
    this.#since ??= this.#now();
    this.#lost = sentence;
  }

  /**
   * The log could not be read.
   * @returns the message, only once, however long it lasts; a lost Redis is reported elsewhere
   */
  failed(error: Error): string | undefined {
    if (error instanceof ForeignStateError) this.#damage = error;
    else if (error instanceof SharedStateError) return undefined;
    const sentence = error instanceof ForeignStateError ? error.message : `A replica failed: ${error.stack}`;
    if (sentence === this.#said) return undefined;
    this.#said = sentence;
    return sentence;
  }

  /** The trouble is over. */
  over(): void {
    this.#since = undefined;
    this.#lost = undefined;
    this.#damage = undefined;
    this.#said = undefined;
  }

  /** As a sentence. */
  describe(): string {
    if (this.#damage !== undefined) return this.#damage.message;
    const now = this.#now();
    const isLate = this.#askedAt !== undefined && now - this.#askedAt > renewalInterval;
    const since = this.#since ?? (isLate ? this.#askedAt : undefined);
    if (since === undefined) return `This replica does not have the present state of Redis at ${this.#where} yet.`;
    const what = this.#lost ?? `Redis at ${this.#where} does not answer.`;
    const seconds = Math.round((now - since) / 1000);
    return `${what} This has lasted for ${seconds} s; this replica answers again once it is over.`;
  }
}
