import type { Socket } from "node:net";
import type { Limits } from "./limits.js";

/** What an event costs beyond its bytes, in bytes. */
const costs = {
  /**
   * A request was answered. It pays for its headers, of 16 KiB at most, and for what a client sends while it reads the
   * answer.
   */
  answered: -32 * 1024,
  /** A request was given up before it was answered. */
  givenUp: 2 * 1024,
  /** A request was refused, because too many are open. */
  refused: 512,
  /** SETTINGS, PING or GOAWAY. Node calls JavaScript for each of them, and answers the first two. */
  control: 512,
} as const;

/** The head of a DATA frame, and the TLS record around it, in bytes. */
const aroundData = 64;

export type OverheadEvent = keyof typeof costs;

/**
 * Counts what a client sends on a connection of HTTP/2 beside its requests and their bodies, in bytes. nghttp2 reads
 * PRIORITY, WINDOW_UPDATE and unknown frames without an event, so bytes are what can be counted for all of them. What
 * costs more than its bytes counts as more.
 */
export class Overhead {
  readonly #limit: Limits["overhead"];
  readonly #socket: Pick<Socket, "bytesRead">;
  #left: number;
  #at: number;
  #counted: number;

  /** @param now in milliseconds on the monotonic clock */
  constructor(limit: Limits["overhead"], socket: Pick<Socket, "bytesRead">, now: number) {
    this.#limit = limit;
    this.#socket = socket;
    this.#left = limit.burst;
    this.#at = now;
    this.#counted = socket.bytesRead;
  }

  /**
   * Counts what has been read, and what it costs beyond its bytes.
   * @returns whether it is within the limit
   */
  allows(now: number, event?: OverheadEvent): boolean {
    const { burst, perSecond } = this.#limit;
    const { bytesRead } = this.#socket;
    this.#left += ((now - this.#at) / 1000) * perSecond - (bytesRead - this.#counted);
    if (event !== undefined) this.#left -= costs[event];
    this.#left = Math.min(burst, this.#left);
    this.#at = now;
    this.#counted = bytesRead;
    return this.#left >= 0;
  }

  /** A part of a body, in bytes. It was counted when it was read. */
  addBody(length: number): void {
    this.#left += length + aroundData;
  }
}
