import { Finding } from "./finding.js";
import { type Judge, remember } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";

/** How many requests are remembered that were not processed, and not sent again yet. */
const mostPending = 128;

/** A connection that GOAWAY ended, and the exchange that it came with. */
interface EndedBy {
  readonly connection: number;
  readonly id: number;
}

/** Checks `h2.*`: how a client goes on when the sandbox ends a stream or a connection of HTTP/2. */
export class Http2Judge implements Judge {
  readonly #retried = new Finding("h2.refused-retried");
  readonly #goaway = new Finding("h2.goaway");
  /** By method and target: the exchanges whose requests were not sent again yet. */
  readonly #refused = new Map<string, number>();
  readonly #leftOut = new Map<string, EndedBy>();
  /** The newest one. */
  #ended: EndedBy | undefined;

  exchange(observed: ExchangeObservation): void {
    const { id, connection, method, target, http2Fault } = observed;
    const isWaiting = this.#ended !== undefined || this.#refused.size > 0 || this.#leftOut.size > 0;
    if (http2Fault === undefined && !isWaiting) return;
    const key = `${method} ${target}`;
    if (this.#ended !== undefined && this.#ended.connection !== connection) {
      this.#goaway.exercise(this.#ended.id);
      this.#ended = undefined;
    }
    const refused = this.#refused.get(key);
    if (refused !== undefined) this.#retried.exercise(refused);
    this.#refused.delete(key);
    const leftOut = this.#leftOut.get(key);
    if (leftOut !== undefined && leftOut.connection !== connection) this.#leftOut.delete(key);
    if (http2Fault === "refused") remember(this.#refused, key, id, mostPending);
    if (http2Fault === "goaway-before") remember(this.#leftOut, key, { id, connection }, mostPending);
    if (http2Fault === "goaway" || http2Fault === "goaway-before") this.#ended = { connection, id };
  }

  findings(): readonly Finding[] {
    const leftOut = [...this.#leftOut.values()].map(({ id }) => id);
    return [
      this.#retried.withPending(this.#refused.values(), "A request whose stream was refused was never sent again."),
      this.#goaway.withPending(leftOut, "A request that GOAWAY left out was never sent on another connection."),
    ];
  }

  giveUp(): void {
    this.#refused.clear();
    this.#leftOut.clear();
  }
}
