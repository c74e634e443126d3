import { createServer } from "node:http";
import { constants, type ServerHttp2Session } from "node:http2";
import { monotonicNow } from "../clock.js";
import { afterRead } from "../connection/after-read.js";
import type { SentGoaway } from "../connection/connection-facts.js";
import { type Http2ErrorCode, http2ErrorNumber } from "../connection/http2-error.js";
import { closeWithin } from "../connection/linger.js";
import type { OpenConnection } from "./connection.js";
import { EndedSessionWatch, endedAfterReads, type NodesEndings } from "./ended-session.js";
import { type Limits, shortestIdleMs } from "./limits.js";

/** An answer that is owed on a stream. */
interface OwedAnswer {
  readonly streamId: number;
  /** Whether the answer has begun. */
  readonly headersSent: boolean;
  /** Whether it is complete, though perhaps still on its way. */
  readonly writableEnded: boolean;
  /** The code of the RST_STREAM that ended the stream. */
  reset: Http2ErrorCode | undefined;
  /** The code of the GOAWAY that follows the answer. */
  readonly goaway: Http2ErrorCode | undefined;
  /**
   * GOAWAY declares that the stream is not processed.
   * @param isReset whether REFUSED_STREAM ends it, because GOAWAY names a later stream
   */
  leaveUnprocessed(isReset: boolean): void;
  /** It is broken on purpose, and writes nothing more. Its listener is not notified. */
  markBroken(): void;
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
  readonly #nodes: NodesEndings;
  readonly #watch: EndedSessionWatch;
  /** Whether the connection ends when its last stream is over. */
  #endsWhenIdle = false;
  /** Whether that is because the client has sent a GOAWAY. */
  #isClientEnding = false;
  /** Whether it ends without a GOAWAY. */
  #endsSilently = false;
  /** Whether a GOAWAY follows one of the answers that are owed. */
  #endsAfterAnswer = false;
  /** The first GOAWAY, sent or about to be sent. */
  #goaway: SentGoaway | undefined = undefined;
  #detached: Promise<void> | undefined = undefined;
  /** Whether nothing is sent any more, and what arrives is discarded. */
  isSilent = false;
  /** Ends the connection when it has been without a stream for too long, or when its end takes too long. */
  #idleTimer: NodeJS.Timeout;

  constructor(connection: OpenConnection, session: ServerHttp2Session, limits: Limits) {
    this.connection = connection;
    this.#session = session;
    this.#limits = limits;
    this.#nodes = endedAfterReads(session, () => connection.acceptNoMore());
    // The client begins with its settings (RFC 9113 §3.4).
    this.#idleTimer = setTimeout(() => this.#endIdle(), limits.headersTimeoutMs);
    session.once("remoteSettings", () => {
      clearTimeout(this.#idleTimer);
      this.#idleTimer = setTimeout(() => this.#endIdle(), limits.keepAliveTimeoutMs);
    });
    session.on("goaway", () => this.#clientEnds());
    this.#watch = new EndedSessionWatch(session, connection.tlsSocket, limits);
    const regularCheck = setInterval(() => {
      for (const answer of this.#streams) answer.endGivenUp(monotonicNow(), limits.drainTimeoutMs);
    }, limits.checkingIntervalMs).unref();
    connection.tlsSocket.once("close", () => {
      clearTimeout(this.#idleTimer);
      clearInterval(regularCheck);
      this.#watch.stop();
    });
  }

  /** Whether no answer is owed, or on its way. */
  get isIdle(): boolean {
    return this.#streams.size === 0;
  }

  /** Whether nothing can be sent any more, on any stream. */
  get isGone(): boolean {
    return this.#session.destroyed;
  }

  /** Whether open requests are still answered, and further ones are refused. */
  get isDraining(): boolean {
    return this.#endsWhenIdle;
  }

  /** Whether nothing has decided yet that the connection ends. */
  get staysOpen(): boolean {
    const isIdleLong = this.#limits.keepAliveTimeoutMs >= shortestIdleMs;
    return isIdleLong && this.connection.isAccepting && !this.#endsAfterAnswer;
  }

  /** A request came. */
  begin(answer: OwedAnswer): void {
    this.#newest = answer.streamId;
    this.#streams.add(answer);
  }

  /** A stream is over. */
  over(answer: OwedAnswer): void {
    this.#streams.delete(answer);
    this.#newestOver = Math.max(this.#newestOver, answer.streamId);
    const { goaway } = answer;
    if (goaway !== undefined) afterRead(() => this.#announceEnd(goaway, this.#newest));
    if (this.isIdle) {
      if (this.#endsSilently) afterRead(() => this.end());
      else if (this.#endsWhenIdle) afterRead(() => this.#finish());
      else this.#idleTimer.refresh();
    }
  }

  /**
   * Marks all answers that are owed as broken on purpose. Of those that are complete, only Node knows whether they still
   * leave.
   */
  breakOff(): void {
    for (const answer of this.#unfinished) answer.breakOff();
  }

  get #unfinished(): readonly OwedAnswer[] {
    return [...this.#streams].filter(({ writableEnded }) => !writableEnded);
  }

  /** Ends the connection at once and without a GOAWAY: a close_notify and a FIN. */
  end(): void {
    this.breakOff();
    this.#afterFrames(() => this.#hangUp());
  }

  /**
   * Removes the session from its socket, so that something else can be written there. Node does not survive that while
   * a write of the session is under way, so a PING first checks that the client has received everything. Without an
   * ACK, the connection is ended.
   * @returns the same for all streams; resolves when the socket has no session any more, or is closed
   */
  detach(): Promise<void> {
    this.#detached ??= new Promise((resolve) => {
      this.connection.tlsSocket.once("close", resolve);
      afterRead(() => this.#detach(resolve));
    });
    return this.#detached;
  }

  /**
   * Sends nothing more, and reads and discards what the client sends: no PING and no SETTINGS are acknowledged. The end
   * of the client is still noticed.
   *
   * A session that is destroyed no longer reads. So this one stays, and a parser of HTTP/1.1 gets its input: Node gives
   * that to what was attached to the socket last. A zero byte is no HTTP/1.1, and after it the parser refuses
   * everything, so that it keeps nothing and answers nothing.
   */
  silence(): void {
    const { tlsSocket } = this.connection;
    if (this.isSilent || this.isGone || tlsSocket.destroyed) return;
    this.isSilent = true;
    this.connection.acceptNoMore();
    this.#watch.stop();
    for (const answer of this.#unfinished) answer.markBroken();
    createServer()
      .on("clientError", () => {})
      .emit("connection", tlsSocket);
    tlsSocket.emit("data", Buffer.alloc(1));
  }

  #detach(then: () => void): void {
    for (const answer of this.#unfinished) answer.markBroken();
    const session = this.#session;
    if (session.destroyed) return;
    const timer = setTimeout(() => this.end(), this.#limits.drainTimeoutMs);
    session.once("close", () => clearTimeout(timer));
    session.ping((error) => {
      clearTimeout(timer);
      if (error) return;
      // What was written during the read leaves in the next turn.
      afterRead(() =>
        setImmediate(() => {
          if (session.destroyed) return;
          this.#breakOffAlone();
          this.#destroyAlone();
          setImmediate(then);
        }),
      );
    });
  }

  /** A GOAWAY follows an answer, which has its code. */
  endAfterAnswer(): void {
    this.#endsAfterAnswer = true;
  }

  /** Announces the end of the connection at once: this request and those after it are not processed. */
  goAwayBefore(code: Http2ErrorCode, streamId: number): void {
    const owed = [...this.#streams];
    // RFC 9113 §8.7: a request that has its answer, or a part of it, was processed.
    const unprocessed = owed.filter((answer) => answer.streamId >= streamId && !answer.headersSent);
    const answered = owed.filter((answer) => answer.headersSent).map((answer) => answer.streamId);
    // RFC 9113 §6.8: not below a stream that was processed. If there is none before, Node can only name this one.
    const last = Math.max(this.#newestOver, streamId - 2, ...answered);
    // GOAWAY ends the streams after the one that it names; RST_STREAM ends the others, and all if there is no GOAWAY.
    const isNamed = this.#canAnnounce && last > 0;
    const isReset = (answer: OwedAnswer) => !isNamed || answer.streamId <= last;
    for (const answer of unprocessed) answer.leaveUnprocessed(isReset(answer));
    this.#announceEnd(code, last);
    for (const answer of unprocessed.filter(isReset)) answer.resetStream(constants.NGHTTP2_REFUSED_STREAM);
  }

  /** Not after a GOAWAY of either side. */
  get #canAnnounce(): boolean {
    return this.connection.isAccepting && !this.#session.destroyed;
  }

  /**
   * Announces the end of the connection (RFC 9113 §6.8), and closes it when all streams are over. nghttp2 ignores requests
   * that come later: they are not processed.
   * @param lastStream the newest one that Node knows, if it is 0
   */
  #announceEnd(code: Http2ErrorCode, lastStream: number): void {
    if (!this.#canAnnounce) return;
    const session = this.#session;
    session.goaway(http2ErrorNumber(code), lastStream);
    const noted = this.#noteGoaway(code, lastStream);
    this.#afterFrames(() => {
      // It waits if the client does not read.
      if (!session.destroyed && !session.state.outboundQueueSize) this.connection.sentGoaway(noted);
    });
    this.closeWhenIdle();
  }

  #noteGoaway(code: Http2ErrorCode, lastStream = 0): SentGoaway {
    const newest = this.#session.state.lastProcStreamID ?? this.#newest;
    this.#goaway ??= { code, lastStream: lastStream || newest };
    return this.#goaway;
  }

  /** Ends the connection when its streams are over. Requests that come meanwhile are refused. */
  closeWhenIdle(): void {
    this.connection.acceptNoMore();
    if (this.#endsWhenIdle) return;
    this.#endsWhenIdle = true;
    if (this.isIdle) afterRead(() => this.#finish());
  }

  /** Ends the connection when its streams are over, without a GOAWAY. Requests that come meanwhile get no answer. */
  closeSilentlyWhenIdle(): void {
    this.connection.acceptNoMore();
    this.#endsSilently = true;
    if (this.isIdle) afterRead(() => this.end());
  }

  #finish(): void {
    if (this.#session.destroyed) return;
    const { tlsSocket } = this.connection;
    if (this.#isClientEnding) this.connection.endedByClient();
    const goaway = this.#noteGoaway("NO_ERROR");
    // The FIN leaves after the GOAWAY. If the client does not read, neither leaves. After a FIN, no GOAWAY can leave.
    if (!tlsSocket.writableEnded) tlsSocket.once("finish", () => this.connection.sentGoaway(goaway));
    this.#nodes.finish(goaway.code);
    closeWithin(tlsSocket, this.#limits.drainTimeoutMs);
  }

  /** The client has sent a GOAWAY: it ends the connection when it has its answers, or at once. */
  #clientEnds(): void {
    if (this.#endsWhenIdle) return;
    this.#isClientEnding = true;
    this.#endsWhenIdle = true;
    this.connection.acceptNoMore();
    afterRead(() => {
      if (this.isIdle) this.#followClient();
    });
  }

  /**
   * Ends the connection after a client that is owed nothing. It gets no GOAWAY (RFC 9113 §6.8 recommends one): most
   * clients close at once, so that it would not arrive.
   */
  #followClient(): void {
    if (this.#session.destroyed) return;
    this.connection.endedByClient();
    // Node releases the socket, and cannot send a GOAWAY after the close_notify.
    this.connection.tlsSocket.once("finish", () => afterRead(() => this.#nodes.finish("NO_ERROR")));
    this.#hangUp();
  }

  /** Calls back after the frames of this turn, which Node writes in the next one. */
  #afterFrames(action: () => void): void {
    setImmediate(() => setImmediate(action));
  }

  /** A close_notify and a FIN. What still arrives is read, and has no effect. */
  #hangUp(): void {
    const { tlsSocket } = this.connection;
    tlsSocket.end();
    closeWithin(tlsSocket, this.#limits.drainTimeoutMs);
  }

  #endIdle(): void {
    // If there are streams, the timer is set again when the last one is over.
    if (!this.isIdle) return;
    if (this.#limits.announcesIdleEnd) this.closeWhenIdle();
    else this.closeSilentlyWhenIdle();
  }

  /**
   * Breaks off all answers that are owed, before the session alone is destroyed: Node ends its streams one by one, and
   * sends what is pending before it ends the next one. So the RST_STREAM of the first one leaves, and those of the
   * others do not.
   */
  #breakOffAlone(): void {
    const [first, second] = this.#unfinished;
    if (first !== undefined && second !== undefined) first.reset = "NO_ERROR";
    this.breakOff();
  }

  /** Destroys the session and keeps its socket: a session whose socket seems closed writes nothing, and releases it. */
  #destroyAlone(): void {
    const { tlsSocket } = this.connection;
    Object.defineProperty(tlsSocket, "destroyed", { value: true, configurable: true });
    try {
      this.#nodes.destroy();
    } finally {
      Reflect.deleteProperty(tlsSocket, "destroyed");
    }
  }
}
