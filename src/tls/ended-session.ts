import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/** So many looks in a row find a PING unsent before it is taken for one that never will be. */
const looksUntilEnd = 3;

/**
 * Ends a connection whose session nghttp2 has ended by a GOAWAY of its own, as RFC 9113 §5.4.1 asks for. Node 22 and 24 report an error
 * then. Node 20 reports nothing, leaves the connection open, and its streams wait forever. Such a session sends nothing any more: a
 * PING stays in its queue. One is sent when the client has become quiet.
 */
export class EndedSessionWatch {
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;
  #bytesRead = 0;
  #bytesWritten = 0;
  #isPinged = true;
  #looksUnsent = 0;

  /** @param intervalMs from one look to the next, in milliseconds */
  constructor(session: ServerHttp2Session, socket: Socket, intervalMs: number) {
    this.#session = session;
    this.#socket = socket;
    this.#timer = setInterval(() => this.#look(), intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#session.destroyed) {
      this.stop();
      return;
    }
    const { bytesRead, bytesWritten } = this.#socket;
    const isQuiet = bytesRead === this.#bytesRead && bytesWritten === this.#bytesWritten;
    this.#bytesRead = bytesRead;
    this.#bytesWritten = bytesWritten;
    if (!isQuiet) {
      this.#isPinged = false;
      this.#looksUnsent = 0;
    } else if (!this.#isPinged) {
      this.#isPinged = true;
      this.#session.ping(() => {});
    } else if (this.#session.state.outboundQueueSize) {
      this.#looksUnsent += 1;
      if (this.#looksUnsent >= looksUntilEnd) this.#session.destroy(new EndedSessionError());
    }
  }
}

/** What Node 22 reports, with its code. */
class EndedSessionError extends Error {
  readonly code = "ERR_HTTP2_ERROR";

  constructor() {
    super("Protocol error");
  }
}
