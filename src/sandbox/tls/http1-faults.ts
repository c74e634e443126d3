import { lingerAndClose } from "../connection/linger.js";
import type { ApplicationResponse } from "./application-response.js";
import { beforeReset, resetConnection, WireFaults } from "./wire-faults.js";

/**
 * Faults over HTTP/1.1, where an answer that is broken off ends its connection.
 *
 * Earlier requests of the connection are answered by then; what the client sent after this one is dropped. A connection is never
 * broken during a read: Node's parser would continue without the connection's state, and end the process (nodejs/node 62095).
 */
export class Http1Faults extends WireFaults<ApplicationResponse> {
  override reset(): Response {
    const reset = () => {
      this.outgoing.breakOff();
      resetConnection(this.connection, this.drainTimeoutMs);
    };
    return this.breakConnection(() => beforeReset(reset));
  }

  override close(): Response {
    return this.breakConnection(() => this.#end());
  }

  override garbage(bytes: Uint8Array): Response {
    const { tlsSocket } = this.connection;
    return this.breakConnection(() => {
      if (tlsSocket.writable) tlsSocket.write(bytes);
      this.#end();
    });
  }

  protected override endUnanswered(): Response {
    return this.close();
  }

  protected override cut(): Response {
    return this.reset();
  }

  /** The nearest equivalent in HTTP/1.1: a client repeats a request if the server closes the connection before it sends a byte. */
  override refuseStream(): Response {
    return this.close();
  }

  override resetStream(): Response {
    return this.reset();
  }

  /** RFC 9112 §9.6: the answer is the last one of its connection. */
  override goAway(): void {
    this.connection.lastTaken = true;
    this.outgoing.shouldKeepAlive = false;
  }

  override goAwayBefore(): Response {
    return this.close();
  }

  #end(): void {
    this.outgoing.breakOff();
    lingerAndClose(this.connection.tlsSocket, this.drainTimeoutMs);
  }
}
