import type { ApplicationResponse } from "./application-response.js";

/** The answers that a connection of HTTP/1.1 owes: one at a time, in the order of their requests (RFC 9112 §9.3.2). */
export class Turns {
  #current: ApplicationResponse | undefined = undefined;
  #newest: ApplicationResponse | undefined = undefined;
  /** The answers to what the client sent after the current request, in order. They have not begun. */
  #waiting: ApplicationResponse[] = [];
  #last: (() => void) | undefined = undefined;

  /** The answer that is owed, or on its way. */
  get current(): ApplicationResponse | undefined {
    return this.#current;
  }

  /** The answer to the newest request that was accepted. */
  get newest(): ApplicationResponse | undefined {
    return this.#newest;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Whether the newest request is not the current one. It waits, or it is answered. */
  get isNewestElsewhere(): boolean {
    return this.#newest !== this.#current;
  }

  /** Whether a fault replaces the answer to the newest request. */
  get isWithheld(): boolean {
    return !this.isNewestElsewhere && this.#current?.isWithheld === true;
  }

  /**
   * Accepts a request.
   * @returns whether it is its turn; otherwise it waits
   */
  accept(answer: ApplicationResponse): boolean {
    this.#newest = answer;
    if (this.#current === undefined) return true;
    this.#waiting.push(answer);
    return false;
  }

  begin(answer: ApplicationResponse): void {
    this.#current = answer;
  }

  /**
   * The current answer is over.
   * @returns the next one
   */
  over(): ApplicationResponse | undefined {
    this.#current = undefined;
    return this.#waiting.shift();
  }

  /**
   * Drops the requests that wait, and the last turn.
   * @returns the answers to them
   */
  drop(): readonly ApplicationResponse[] {
    const dropped = this.#waiting;
    this.#waiting = [];
    this.#last = undefined;
    return dropped;
  }

  /** @param last called after the last answer: it answers input that is not a request */
  endWith(last: () => void): void {
    this.#last = last;
  }

  /** Takes the last turn, if there is one. */
  takeLast(): void {
    this.#last?.();
  }
}
