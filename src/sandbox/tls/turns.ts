import type { Http1Response } from "./http1-response.js";

/** What a client gets after the last answer of a connection. */
interface LastTurn {
  readonly take: () => void;
  /** Called instead, if the connection ends before that. */
  readonly drop: (() => void) | undefined;
}

/** The answers that a connection of HTTP/1.1 owes: one at a time, in the order of their requests (RFC 9112 §9.3.2). */
export class Turns {
  #current: Http1Response | undefined = undefined;
  #newest: Http1Response | undefined = undefined;
  /** The answers to what the client sent after the current request, in order. They have not begun. */
  #waiting: Http1Response[] = [];
  #last: LastTurn | undefined = undefined;

  /** The answer that is owed, or on its way. */
  get current(): Http1Response | undefined {
    return this.#current;
  }

  /** The answer to the newest request that was accepted. */
  get newest(): Http1Response | undefined {
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
    const state = this.#current?.state;
    return !this.isNewestElsewhere && (state === "withheld" || state === "broken");
  }

  /**
   * Accepts a request.
   * @returns whether it is its turn; otherwise it waits
   */
  accept(answer: Http1Response): boolean {
    this.#newest = answer;
    if (this.#current === undefined) return true;
    this.#waiting.push(answer);
    return false;
  }

  begin(answer: Http1Response): void {
    this.#current = answer;
  }

  /**
   * The current answer is over.
   * @returns the next one
   */
  over(): Http1Response | undefined {
    this.#current = undefined;
    return this.#waiting.shift();
  }

  /**
   * Drops the requests that wait, and the last turn.
   * @returns the answers to them, and the last turn
   */
  drop(): { readonly waiting: readonly Http1Response[]; readonly last: LastTurn | undefined } {
    const dropped = { waiting: this.#waiting, last: this.#last };
    this.#waiting = [];
    this.#last = undefined;
    return dropped;
  }

  /** @param last answers what the application does not: CONNECT, and input that is not a request */
  endWith(last: LastTurn): void {
    this.#last = last;
  }

  /** Takes the last turn, if there is one. */
  takeLast(): void {
    const last = this.#last;
    this.#last = undefined;
    last?.take();
  }
}
