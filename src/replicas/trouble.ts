import { ForeignStateError, SharedStateError } from "./redis.js";

/** Why a replica cannot answer, for clients and for the person at the terminal. */
export class Trouble {
  readonly #now: () => number;
  readonly #where: string;
  /** When a read was begun that has had no answer for too long. */
  #lateSince: number | undefined;
  /** When Redis was first found to be lost. */
  #since: number | undefined;
  /** What is wrong with it, as a sentence. */
  #lost: string | undefined;
  #damage: ForeignStateError | undefined;
  /** Whether the console has it. */
  #isSaid = false;

  /**
   * @param now a monotonic clock, in milliseconds
   * @param where the address of Redis
   */
  constructor(now: () => number, where: string) {
    this.#now = now;
    this.#where = where;
  }

  /** A read has had no answer for too long. */
  late(since: number): void {
    this.#lateSince = since;
  }

  answered(): void {
    this.#lateSince = undefined;
  }

  /**
   * The connection to Redis is lost, or a read has failed.
   * @param sentence describes it
   */
  lost(sentence: string = this.#lost ?? `Redis at ${this.#where} cannot be reached.`): void {
    this.#since ??= this.#lateSince ?? this.#now();
    this.#lateSince = undefined;
    this.#lost = sentence;
  }

  /**
   * A read has failed.
   * @returns the message for the console, only once, however long it lasts; a lost Redis is reported elsewhere
   */
  failed(error: Error): string | undefined {
    const isForeign = error instanceof ForeignStateError;
    if (!isForeign) this.lost(error instanceof SharedStateError ? error.message : "This replica has failed.");
    if (error instanceof SharedStateError && !isForeign) return undefined;
    const isSaid = this.#isSaid;
    this.#isSaid = true;
    if (isForeign) this.#damage ??= error;
    return isSaid ? undefined : isForeign ? error.message : `A replica failed: ${error.stack}`;
  }

  /** The trouble is over. */
  over(): void {
    this.#since = undefined;
    this.#lost = undefined;
    this.#damage = undefined;
    this.#isSaid = false;
  }

  /**
   * As a sentence; undefined if there is no trouble.
   * @param isBehind whether the state is not read
   */
  describe(isBehind: boolean): string | undefined {
    if (this.#damage !== undefined) return this.#damage.message;
    const since = this.#since ?? this.#lateSince;
    if (since === undefined)
      return isBehind ? `This replica does not have the present state of Redis at ${this.#where} yet.` : undefined;
    const what = this.#lost ?? `Redis at ${this.#where} does not answer.`;
    const seconds = Math.round((this.#now() - since) / 1000);
    return `${what} This has lasted for ${seconds} s; this replica answers again once it is over.`;
  }
}
