import { Finding } from "./finding.js";
import { type Judge, remember } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";

/** So many requests are remembered that were not processed, and not sent again yet. */
const mostPending = 128;

/** A request that was not processed. */
interface Unprocessed {
  readonly id: number;
  readonly connection: number;
}

/** Checks `h2.*`: how a client goes on when the sandbox ends a stream or a connection of HTTP/2. */
export class Http2Judge implements Judge {
  readonly #retried = new Finding("h2.refused-retried");
  readonly #goaway = new Finding("h2.goaway");
  /** By method and target. */
  readonly #refused = new Map<string, Unprocessed>();
  readonly #leftOut = new Map<string, Unprocessed>();
  /** The newest connection that ended with GOAWAY, and the exchange that it came with. */
  #ended: { readonly connection: number; readonly id: number } | undefined;

  exchange(observed: ExchangeObservation): void {
    const { id, connection, method, target, http2Fault } = observed;
    const key = `${method} ${target}`;
    if (this.#ended !== undefined && this.#ended.connection !== connection) {
      this.#goaway.exercise(this.#ended.id);
      this.#ended = undefined;
    }
    const refused = this.#refused.get(key);
    if (refused !== undefined) this.#retried.exercise(refused.id);
    this.#refused.delete(key);
    const leftOut = this.#leftOut.get(key);
    if (leftOut !== undefined && leftOut.connection !== connection) this.#leftOut.delete(key);
    if (http2Fault === "refused") remember(this.#refused, key, { id, connection }, mostPending);
    if (http2Fault === "goaway-before") remember(this.#leftOut, key, { id, connection }, mostPending);
    if (http2Fault === "goaway" || http2Fault === "goaway-before") this.#ended = { connection, id };
  }

  findings(): readonly Finding[] {
    return [
      withPending(this.#retried, this.#refused, "A request whose stream was refused was never sent again."),
      withPending(this.#goaway, this.#leftOut, "A request that GOAWAY left out was never sent on another connection."),
    ];
  }

  giveUp(): void {
    this.#refused.clear();
    this.#leftOut.clear();
  }
}

/** A finding as it is now: what is still to be done counts as not done. */
function withPending(finding: Finding, pending: ReadonlyMap<string, Unprocessed>, message: string): Finding {
  const now = new Finding(finding.id);
  now.add(finding);
  for (const { id } of pending.values()) now.fail(message, [id]);
  return now;
}
