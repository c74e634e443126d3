import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { afterRead } from "../connection/after-read.js";
import { type Http2ErrorCode, http2ErrorNumber } from "../connection/http2-error.js";
import { closeWithin } from "../connection/linger.js";
import type { Limits } from "./limits.js";

/** After this many checks that find a PING unsent, the session counts as ended. */
const checksUntilEnd = 3;

/** The ACK of a PING and its TLS record have at most this many bytes. */
const longestAck = 64;

/**
 * Ensures that a connection does not outlive its session (RFC 9113 §5.4.1).
 *
 * nghttp2 may end a session by a GOAWAY of its own. Node 22 and 24 report an error then. Node 20 reports nothing,
 * leaves the connection open, and its streams wait forever. Such a session sends nothing any more: a PING stays in its
 * queue. One is sent when the client has become quiet. A destroyed session closes its socket once its GOAWAY is sent.
 * If the client is gone, that never happens.
 */
export class EndedSessionWatch {
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;
  readonly #drainTimeoutMs: number;
  #bytesRead = 0;
  #bytesWritten = 0;
  #isPinged = true;
  #unsentChecks = 0;

  constructor(session: ServerHttp2Session, socket: Socket, { checkingIntervalMs, drainTimeoutMs }: Limits) {
    this.#session = session;
    this.#socket = socket;
    this.#drainTimeoutMs = drainTimeoutMs;
    this.#timer = setInterval(() => this.#check(), checkingIntervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    if (this.#session.destroyed) {
      this.stop();
      closeWithin(this.#socket, this.#drainTimeoutMs);
      return;
    }
    const { bytesRead, bytesWritten } = this.#socket;
    const isRead = bytesRead !== this.#bytesRead;
    const isWritten = bytesWritten !== this.#bytesWritten;
    this.#bytesRead = bytesRead;
    this.#bytesWritten = bytesWritten;
    if (isRead) this.#isPinged = false;
    if (isRead || isWritten) {
      this.#unsentChecks = 0;
    } else if (!this.#isPinged) {
      this.#isPinged = true;
      this.#session.ping(() => this.#acknowledged());
    } else if (this.#session.state.outboundQueueSize) {
      this.#unsentChecks += 1;
      // What Node 22 reports, with its code.
      if (this.#unsentChecks >= checksUntilEnd)
        this.#session.destroy(Object.assign(new Error("Protocol error"), { code: "ERR_HTTP2_ERROR" }));
    }
  }

  /** The ACK alone does not count as activity of the client. Otherwise one PING would follow another. */
  #acknowledged(): void {
    const { bytesRead } = this.#socket;
    if (bytesRead - this.#bytesRead <= longestAck) this.#bytesRead = bytesRead;
  }
}

/** What Node reports of a GOAWAY with another code than NO_ERROR. */
function isGoawayOfClient(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_HTTP2_SESSION_ERROR";
}

/** What Node does to end a session. Not during a read. */
export interface NodesEndings {
  /** Ends it without open streams: what is written leaves, then a GOAWAY with this code, a close_notify and a FIN. */
  finish(code: Http2ErrorCode): void;
  destroy(): void;
}

/**
 * Takes from Node the decision when a session ends. While it reads a GOAWAY, Node closes the session (NO_ERROR) or
 * destroys it (other codes), and requests may follow in the same read. A closed session resets them during the read,
 * and Node 20 frees their streams with it. For a destroyed session, Node 22 does not create a stream, and still
 * delivers its data. Both end the process. Node 22.23 and 24.21 survive the first, so only `destroy` is needed when
 * Node 20 is no longer supported.
 * @param clientEnds is called while a GOAWAY of the client is read, and when the socket is closed
 */
export function endedAfterReads(session: ServerHttp2Session, clientEnds: () => void): NodesEndings {
  const nodes = { close: session.close.bind(session), destroy: session.destroy.bind(session) };
  session.close = clientEnds;
  session.destroy = (error, code) => {
    if (isGoawayOfClient(error)) clientEnds();
    else afterRead(() => nodes.destroy(error, code));
  };
  return {
    finish(code) {
      // Both send a GOAWAY. But a session that is not closed destroys its socket.
      session.goaway = () => {};
      nodes.close();
      // In the same turn: a request that comes between the two would be refused during its read. Node takes a code only
      // with an error.
      nodes.destroy(
        code === "NO_ERROR" ? undefined : new Error(`The session ends with ${code}.`),
        http2ErrorNumber(code),
      );
    },
    destroy: () => nodes.destroy(),
  };
}
