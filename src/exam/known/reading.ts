import { remember } from "../../base/remember.js";
import type { ExchangeObservation } from "../observation.js";
import type { Answered } from "./sending.js";

/** How many connections of a client are remembered. */
const mostConnections = 256;

/**
 * How many answers a client can have given up at most, among equal requests, before it could read them, where nothing
 * shows that they were read.
 */
export const mostUnread = 16;

type Answer = Pick<Answered, "connection" | "stream" | "releasedAt">;

/**
 * Whether answers that were delivered were read. A client may give up while the answer is on its way, and send the
 * request again elsewhere: it does not know the answer. Time proves nothing, because a busy machine makes all of it
 * longer.
 */
export class Reading {
  /** When the newest request of a connection of HTTP/1.1 arrived. */
  private readonly newest = new Map<number, number>();
  /** Whether the client was seen to give up a request. */
  private givesUp = false;
  /** Whether it sends several requests over one connection of HTTP/1.1. */
  private reusesConnections = false;
  private isAlone = true;

  /**
   * A request has arrived.
   * @param isAlone whether the client was never seen to have two requests open at once
   */
  add({ connection, stream, ordinal, arrivedAt, endedByClient }: ExchangeObservation, isAlone: boolean): void {
    this.isAlone = isAlone;
    if (endedByClient) this.givesUp = true;
    if (stream !== undefined) return;
    if (ordinal > 1) this.reusesConnections = true;
    remember(this.newest, connection, Math.max(arrivedAt, this.newest.get(connection) ?? 0), mostConnections);
  }

  /**
   * Whether the client has read an answer. Over HTTP/1.1, it goes on with the connection, and one that gives up closes
   * it. Where nothing could show that, which is over HTTP/2 and with a connection for each request, a client has read
   * its answers that sends one request at a time, and was never seen to give one up.
   */
  isProven({ connection, stream, releasedAt }: Answer): boolean {
    if (stream === undefined && (this.newest.get(connection) ?? 0) > releasedAt) return true;
    const isShown = stream === undefined && this.reusesConnections;
    return this.isAlone && !this.givesUp && !isShown;
  }
}
