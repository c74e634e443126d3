import type { ExchangeObservation } from "./observation.js";
import type { Answered, Sent } from "./sending.js";

export const sentAgain = "A token was sent again after it was refused with invalid_token.";

/** How long a request may wait for a connection of a pool, in milliseconds. */
const longestQueue = 1000;

/** How many suspects are remembered. */
const most = 16;

/** A request with a token that was refused before. */
interface Suspect<Token> {
  readonly token: Token;
  readonly refused: Answered;
  readonly id: number;
  readonly arrivedAt: number;
}

/**
 * Whether a request may have waited for a connection when its token was refused: a client with parallel requests gives
 * its pool more of them than the pool has connections.
 */
export function wasQueued({ arrivedAt }: ExchangeObservation, { alone }: Sent, { releasedAt }: Answered): boolean {
  return !alone && arrivedAt >= releasedAt && arrivedAt < releasedAt + longestQueue;
}

/**
 * Requests that arrived soon after their token was refused. If it turns out within a second that the client had other
 * requests then, or a connection for one, they may have waited for a connection.
 */
export class Suspects<Token> {
  all: readonly Suspect<Token>[] = [];

  add(suspect: Suspect<Token>): void {
    this.all = [...this.all, suspect].slice(-most);
  }

  /** Removes and returns those for which the next request decides: sent again, or perhaps queued. */
  settle(
    { arrivedAt, begunAt, ordinal }: ExchangeObservation,
    { alone }: Sent,
  ): { readonly again: readonly Suspect<Token>[]; readonly queued: readonly Suspect<Token>[] } {
    const isSure = (suspect: Suspect<Token>) => suspect.arrivedAt >= suspect.refused.releasedAt + longestQueue;
    const isOver = (suspect: Suspect<Token>) => isSure(suspect) || arrivedAt >= suspect.arrivedAt + longestQueue;
    const again = this.all.filter(isOver);
    const open = this.all.filter((suspect) => !isOver(suspect));
    const wasBusy = (suspect: Suspect<Token>) => !alone && (ordinal === 1 ? begunAt : arrivedAt) <= suspect.arrivedAt;
    this.all = open.filter((suspect) => !wasBusy(suspect));
    return { again, queued: open.filter(wasBusy) };
  }
}
