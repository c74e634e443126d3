import { Finding } from "./finding.js";
import { type Judge, remember } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";
import { type Answered, answeredBy, isSentAfter, type Sent } from "./sending.js";

/** How many requests are remembered that were not processed, and not sent again yet. */
const mostPending = 128;

/** Checks `h2.*`: how a client goes on when the sandbox ends a stream or a connection of HTTP/2. */
export class Http2Judge implements Judge {
  readonly #retried = new Finding("h2.refused-retried");
  readonly #goaway = new Finding("h2.goaway");
  /** By method and target: the exchanges whose requests were not sent again yet. */
  readonly #refused = new Map<string, Answered>();
  readonly #leftOut = new Map<string, Answered>();
  /** The newest answer that came with a GOAWAY. */
  #ended: Answered | undefined;

  exchange(observed: ExchangeObservation, sent: Sent): void {
    const { connection, method, target, http2Fault } = observed;
    const isWaiting = this.#ended !== undefined || this.#refused.size > 0 || this.#leftOut.size > 0;
    if (http2Fault === undefined && !isWaiting) return;
    const key = `${method} ${target}`;
    // What came before, and ended later, is no repetition.
    const follows = (answer: Answered) => isSentAfter(observed, sent, answer) !== false;
    if (this.#ended !== undefined && this.#ended.connection !== connection && follows(this.#ended)) {
      this.#goaway.exercise(this.#ended.id);
      this.#ended = undefined;
    }
    const refused = this.#refused.get(key);
    if (refused !== undefined && follows(refused)) {
      this.#retried.exercise(refused.id);
      this.#refused.delete(key);
    }
    const leftOut = this.#leftOut.get(key);
    if (leftOut !== undefined && leftOut.connection !== connection && follows(leftOut)) this.#leftOut.delete(key);
    const answered = answeredBy(observed);
    if (http2Fault === "refused") remember(this.#refused, key, answered, mostPending);
    if (http2Fault === "goaway-before") remember(this.#leftOut, key, answered, mostPending);
    if (http2Fault === "goaway" || http2Fault === "goaway-before") this.#ended = answered;
  }

  findings(): readonly Finding[] {
    const idsOf = (answers: ReadonlyMap<string, Answered>) => [...answers.values()].map(({ id }) => id);
    return [
      this.#retried.withPending(idsOf(this.#refused), "A request whose stream was refused was never sent again."),
      this.#goaway.withPending(
        idsOf(this.#leftOut),
        "A request that GOAWAY left out was never sent on another connection.",
      ),
    ];
  }

  giveUp(): void {
    this.#refused.clear();
    this.#leftOut.clear();
  }
}
