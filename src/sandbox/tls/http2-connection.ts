import { constants, type ServerHttp2Session } from "node:http2";
import { monotonicNow } from "../clock.js";
import { closeWithin } from "../connection/linger.js";
import type { OpenConnection } from "./connection.js";
import { EndedSessionWatch } from "./ended-session.js";
import type { Limits } from "./limits.js";
import { RateGuard } from "./rate-guard.js";

/** An answer that is owed on a stream. */
interface OwedAnswer {
  readonly streamId: number;
  /** Whether the answer has begun. */
  readonly headersSent: boolean;
  /** Whether GOAWAY declared that the stream is not processed. */
  isLeftOut: boolean;
  breakOff(): void;
  /** Ends the stream with an error code (RFC 9113 §7). */
  resetStream(code: number): void;
  /** Ends a stream that the client has given up. Node does not report that. */
  endGivenUp(now: number, timeoutMs: number): void;
}

/** The state of one connection of HTTP/2: its session, its streams, and how it ends. */
export class Http2Connection {
  readonly connection: OpenConnection;
  readonly #session: ServerHttp2Session;
  readonly #limits: Limits;
  readonly #streams = new Set<OwedAnswer>();
  /** The newest stream that came, and the newest that is over. */
  #newest = 0;
  #newestOver = 0;
  readonly #resets: RateGuard;
  readonly #destroySession: () => void;
  /** Whether the connection ends as soon as its streams are over. */
  #isEnding = false;
  /** Whether the connection ends with ENHANCE_YOUR_CALM. */
  #isCalmed = false;
  /** Ends the connection when it has been without a stream for too long, or when its end takes too long. */
  #idleTimer: NodeJS.Timeout;

  constructor(connection: OpenConnection, session: ServerHttp2Session, limits: Limits) {
    this.connection = connection;
    this.#session = session;
    this.#limits = limits;
    this.#resets = new RateGuard(limits.streamResets, monotonicNow());
    this.#destroySession = destroyedBetweenReads(session);
    // The client begins with its settings (RFC 9113 §3.4).
    this.#idleTimer = setTimeout(() => this.#endIdle(), limits.headersTimeoutMs);
    const controls = new RateGuard(limits.controlFrames, monotonicNow());
    const count = () => {
      if (!controls.allows(monotonicNow())) this.calmDown();
    };
    session.once("remoteSettings", () => {
      clearTimeout(this.#idleTimer);
      this.#idleTimer = setTimeout(() => this.#endIdle(), limits.keepAliveTimeoutMs);
      session.on("remoteSettings", count);
    });
    session.on("ping", count);
    session.on("goaway", () => {
      connection.lastTaken = true;
      count();
    });
    const watch = new EndedSessionWatch(session, connection.tlsSocket, limits);
    const looks = setInterval(() => {
      for (const answer of this.#streams) answer.endGivenUp(monotonicNow(), limits.drainTimeoutMs);
    }, limits.checkingIntervalMs).unref();
    connection.tlsSocket.once("close", () => {
      clearTimeout(this.#idleTimer);
      clearInterval(looks);
      watch.stop();
    });
  }

  /** A request came. */
  begin(answer: OwedAnswer): void {
    this.#newest = answer.streamId;
    this.#streams.add(answer);
    this.connection.openStreams = this.#streams.size;
  }

  /** A stream is over. @param isReset whether the client gave it up before it had the answer */
  over(answer: OwedAnswer, isReset: boolean): void {
    this.#streams.delete(answer);
    this.#newestOver = Math.max(this.#newestOver, answer.streamId);
    this.connection.openStreams = this.#streams.size;
    if (this.#streams.size === 0) {
      if (this.#isEnding) setImmediate(() => this.#finish());
      else this.#idleTimer.refresh();
    }
    // CVE-2023-44487: a stream that is reset no longer counts as open, although its request caused work.
    if (isReset && !this.#session.destroyed && !this.#resets.allows(monotonicNow())) this.calmDown();
  }

  /** Marks all answers that are owed as broken on purpose. */
  breakOff(): void {
    for (const answer of this.#streams) answer.breakOff();
  }

  /** Ends the connection at once and without a GOAWAY: a close_notify and a FIN. */
  end(): void {
    this.breakOff();
    this.#finish();
  }

  /**
   * Removes the session from its socket, so that something else can be written there. Node does not survive that while a write of the
   * session is under way, so a PING first checks that the client has received everything. Without an ACK, the connection is ended.
   * @param then called when the socket has no session any more
   */
  detach(then: () => void): void {
    this.breakOff();
    const session = this.#session;
    if (session.destroyed) return;
    const timer = setTimeout(() => this.end(), this.#limits.drainTimeoutMs);
    session.once("close", () => clearTimeout(timer));
    session.removeAllListeners("ping");
    session.ping((error) => {
      clearTimeout(timer);
      if (error) return;
      // Not during a read, and only after what was written during it has left.
      setImmediate(() =>
        setImmediate(() => {
          if (session.destroyed) return;
          this.#destroyAlone();
          setImmediate(then);
        }),
      );
    });
  }

  /**
   * Announces the end of the connection (RFC 9113 §6.8). The newest stream is the last one, and the connection is closed when all are over.
   * nghttp2 ignores new requests that the client sends after that.
   */
  goAway(code: number): void {
    this.#announceEnd(code, this.#newest);
  }

  /** The same, but this request and those after it are not processed. */
  goAwayBefore(code: number, streamId: number): void {
    // RFC 9113 §8.7: a request that has its answer, or a part of it, was processed.
    const leftOut = [...this.#streams].filter((answer) => answer.streamId >= streamId && !answer.headersSent);
    for (const answer of leftOut) {
      answer.isLeftOut = true;
      answer.breakOff();
    }
    // RFC 9113 §6.8: not below a processed stream. If there is none before, Node can only name this one, and RST_STREAM says the rest.
    this.#announceEnd(code, Math.max(this.#newestOver, streamId - 2));
    for (const answer of leftOut) answer.resetStream(constants.NGHTTP2_REFUSED_STREAM);
  }

  #announceEnd(code: number, lastStream: number): void {
    if (this.connection.lastTaken || this.#session.destroyed) return;
    this.connection.lastTaken = true;
    this.#isEnding = true;
    this.#session.goaway(code, lastStream);
    if (this.#streams.size === 0) this.#finish();
  }

  /** Ends the connection when its streams are over. GOAWAY names the last one (RFC 9113 §6.8). */
  closeWhenIdle(): void {
    this.connection.lastTaken = true;
    if (!this.#session.closed) this.#session.close();
    if (this.#streams.size === 0) closeWithin(this.connection.tlsSocket, this.#limits.drainTimeoutMs);
  }

  /** Ends the connection of a client that exceeds its limits. */
  calmDown(): void {
    if (this.#isCalmed) return;
    this.#isCalmed = true;
    this.connection.lastTaken = true;
    // Not during a read, because the parser is running then.
    setImmediate(() => {
      if (this.#session.destroyed) return;
      this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      // Node writes it in the next turn.
      setImmediate(() => setImmediate(() => this.#finish()));
    });
  }

  #finish(): void {
    const { tlsSocket } = this.connection;
    tlsSocket.end();
    closeWithin(tlsSocket, this.#limits.drainTimeoutMs);
  }

  #endIdle(): void {
    // If there are streams, the timer is set again when the last one is over.
    if (this.#streams.size === 0) this.closeWhenIdle();
  }

  /** Destroys the session and keeps its socket: a session whose socket seems closed writes nothing, and releases it. */
  #destroyAlone(): void {
    const { tlsSocket } = this.connection;
    Object.defineProperty(tlsSocket, "destroyed", { value: true, configurable: true });
    try {
      this.#destroySession();
    } finally {
      Reflect.deleteProperty(tlsSocket, "destroyed");
    }
  }
}

/**
 * Delays the end of a session until no read is under way. Node destroys it during the read of a GOAWAY with an error code. A request with
 * a body after that, in the same read, ends the process (Node 22): its stream is not created, but still gets data.
 * @returns a function that destroys it at once
 */
function destroyedBetweenReads(session: ServerHttp2Session): () => void {
  const destroy = session.destroy.bind(session);
  session.destroy = (...given) => {
    setImmediate(() => destroy(...given));
  };
  return destroy;
}
