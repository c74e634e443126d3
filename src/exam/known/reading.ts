import { remember } from "../../base/remember.js";
import type { ExchangeObservation } from "../observation.js";
import type { Answered } from "./sending.js";

/** How many connections of a client are remembered. */
const mostConnections = 256;

/**
 * No client gives up sooner than this after it has sent a request, in milliseconds. So an answer was read if the same
 * request follows it within this time.
 */
export const shortestTimeout = 100;

/**
 * How many answers a client can have given up at most, among equal requests, before it could read them. Over HTTP/2
 * nothing shows that an answer was read.
 */
export const mostUnread = 16;

type Answer = Pick<Answered, "connection" | "stream" | "notBefore" | "releasedAt">;

/**
 * Whether answers that were delivered were read. A client may give up while the answer is on its way, and send the
 * request again elsewhere: it does not know the answer.
 */
export class Reading {
  /** When the newest request of a connection of HTTP/1.1 arrived. */
  private readonly newest = new Map<number, number>();

  /** A request has arrived. */
  add({ connection, stream, arrivedAt }: ExchangeObservation): void {
    if (stream !== undefined) return;
    remember(this.newest, connection, Math.max(arrivedAt, this.newest.get(connection) ?? 0), mostConnections);
  }

  /**
   * Whether the client has read an answer for certain: it went on with the connection, or no time-out could have been so
   * short.
   * @param later when the same request arrived again
   */
  isProven({ connection, stream, notBefore, releasedAt }: Answer, later?: number): boolean {
    if (stream === undefined && (this.newest.get(connection) ?? 0) > releasedAt) return true;
    return later !== undefined && later < notBefore + shortestTimeout;
  }
}
