import { constants, type ServerHttp2Session } from "node:http2";
import { monotonicNow } from "../clock.js";
import { afterRead } from "../connection/after-read.js";
import { type Http2ErrorCode, http2ErrorName, http2ErrorNumber } from "../connection/http2-error.js";
import { closeWithin } from "../connection/linger.js";
import type { OpenConnection } from "./connection.js";
import { destroyedAfterReads, EndedSessionWatch } from "./ended-session.js";
import type { Limits } from "./limits.js";
import { Overhead, type OverheadEvent } from "./overhead.js";

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

/** The highest number of a stream: a GOAWAY that names it leaves out no request (RFC 9113 §6.8). */
const highestStream = 2 ** 31 - 1;

/** The state of one connection of HTTP/2: its session, its streams, and how it ends. */
export class Http2Connection {
  readonly connection: OpenConnection;
  readonly #session: ServerHttp2Session;
  readonly #limits: Limits;
  readonly #streams = new Set<OwedAnswer>();
  /** The newest stream that came, and the newest that is over. */
  #newest = 0;
  #newestOver = 0;
  readonly #overhead: Overhead;
  readonly #destroySession: () => void;
  /** Ends the connection when its last stream is over; undefined as long as it accepts streams. */
  #end: (() => void) | undefined = undefined;
  /** Whether a GOAWAY follows one of the answers. */
  #isEnding = false;
  #isNoticeSent = false;
  #detached: Promise<void> | undefined = undefined;
  /** Whether the connection ends with ENHANCE_YOUR_CALM. */
  #isCalmed = false;
  /** Ends the connection when it has been without a stream for too long, or when its end takes too long. */
  #idleTimer: NodeJS.Timeout;

  constructor(connection: OpenConnection, session: ServerHttp2Session, limits: Limits) {
    this.connection = connection;
    this.#session = session;
    this.#limits = limits;
    this.#overhead = new Overhead(limits.overhead, connection.tlsSocket, monotonicNow());
    // The client has sent GOAWAY, and knows that the connection ends.
    this.#destroySession = destroyedAfterReads(session, () => this.#endWhenIdle(() => this.#hangUp()));
    // The client begins with its settings (RFC 9113 §3.4).
    this.#idleTimer = setTimeout(() => this.#endIdle(), limits.headersTimeoutMs);
    const count = () => this.#count("control");
    session.once("remoteSettings", () => {
      clearTimeout(this.#idleTimer);
      this.#idleTimer = setTimeout(() => this.#endIdle(), limits.keepAliveTimeoutMs);
      session.on("remoteSettings", count);
    });
    session.on("ping", count);
    session.on("goaway", () => {
      connection.acceptNoMore();
      count();
    });
    const watch = new EndedSessionWatch(session, connection.tlsSocket, limits);
    const regularCheck = setInterval(() => {
      this.#count();
      for (const answer of this.#streams) answer.endGivenUp(monotonicNow(), limits.drainTimeoutMs);
    }, limits.checkingIntervalMs).unref();
    connection.tlsSocket.once("close", () => {
      clearTimeout(this.#idleTimer);
      clearInterval(regularCheck);
      watch.stop();
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

  /** Whether nothing has decided yet that the connection ends. */
  get staysOpen(): boolean {
    return this.connection.isAccepting && !this.#isEnding;
  }

  /** A request came. */
  begin(answer: OwedAnswer): void {
    this.#newest = answer.streamId;
    this.#streams.add(answer);
  }

  /**
   * A stream is over.
   * @param isReset whether the client gave it up before it had the answer
   */
  over(answer: OwedAnswer, isReset: boolean): void {
    this.#streams.delete(answer);
    this.#newestOver = Math.max(this.#newestOver, answer.streamId);
    const { goaway } = answer;
    if (goaway !== undefined) afterRead(() => this.#giveNotice(http2ErrorNumber(goaway)));
    if (this.isIdle) {
      if (this.#end !== undefined) afterRead(this.#end);
      else this.#idleTimer.refresh();
    }
    // CVE-2023-44487: a stream that is reset no longer counts as open, although its request caused work.
    this.#count(isReset ? "givenUp" : "answered");
  }

  /** A request came that is refused, because too many are open. */
  refused(): void {
    this.#count("refused");
  }

  /** A part of a request's body, in bytes. */
  receivedBody(length: number): void {
    this.#overhead.addBody(length);
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
    // After the frames of this turn, which Node writes in the next one.
    setImmediate(() => setImmediate(() => this.#hangUp()));
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

  #detach(then: () => void): void {
    for (const answer of this.#unfinished) answer.markBroken();
    const session = this.#session;
    if (session.destroyed) return;
    session.removeAllListeners("ping");
    this.#afterRoundTrip((isAcknowledged) => {
      if (!isAcknowledged) {
        this.end();
        return;
      }
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

  /**
   * Sends a PING, and waits until the client acknowledges it: it has then received everything before it. Does not call
   * back if the session ends first.
   * @param then gets whether the client has acknowledged it in time
   */
  #afterRoundTrip(then: (isAcknowledged: boolean) => void): void {
    const timer = setTimeout(() => then(false), this.#limits.drainTimeoutMs);
    this.#session.once("close", () => clearTimeout(timer));
    this.#session.ping((error) => {
      clearTimeout(timer);
      if (!error) then(true);
    });
  }

  /** A GOAWAY will follow an answer, which has its code. */
  endsAfterAnswer(): void {
    this.#isEnding = true;
  }

  /**
   * Ends the connection without losing a request (RFC 9113 §6.8). The first GOAWAY leaves out no request: those that the
   * client sent before it read the GOAWAY are still answered. They are known when the client has acknowledged a PING.
   */
  #giveNotice(code: number): void {
    if (!this.#canAnnounce || this.#isNoticeSent) return;
    this.#isNoticeSent = true;
    // nghttp2 would send the PING before a GOAWAY of the same turn.
    this.#sendGoaway(code, highestStream, () => {
      if (!this.#session.destroyed) this.#afterRoundTrip(() => this.closeWhenIdle(code));
    });
  }

  /** Ends the connection with a GOAWAY that leaves out this request and those after it: they are not processed. */
  goAwayBefore(code: number, streamId: number): void {
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
    if (this.#canAnnounce) {
      this.connection.acceptNoMore();
      this.#end = () => this.#hangUp();
      this.#sendGoaway(code, last);
    }
    for (const answer of unprocessed.filter(isReset)) answer.resetStream(constants.NGHTTP2_REFUSED_STREAM);
  }

  /** Not after a GOAWAY of either side. */
  get #canAnnounce(): boolean {
    return this.connection.isAccepting && !this.#session.destroyed;
  }

  /**
   * @param lastStream 0 for the newest one that Node knows
   * @param then called when it was written, or cannot be at present
   */
  #sendGoaway(code: number, lastStream: number, then = () => {}): void {
    const session = this.#session;
    session.goaway(code, lastStream);
    const { lastProcStreamID = this.#newest } = session.state;
    const sent = { code: http2ErrorName(code), lastStream: lastStream || lastProcStreamID };
    // Node writes the frames of this turn in the next one.
    setImmediate(() =>
      setImmediate(() => {
        if (!session.destroyed && !session.state.outboundQueueSize) this.connection.sentGoaway(sent);
        then();
      }),
    );
  }

  /** Ends the connection when its streams are over, with a GOAWAY that names the newest request (RFC 9113 §6.8). */
  closeWhenIdle(code: number = constants.NGHTTP2_NO_ERROR): void {
    this.#endWhenIdle(() => {
      if (!this.#session.destroyed) this.#sendGoaway(code, this.#newest, () => this.#hangUp());
    });
  }

  #endWhenIdle(end: () => void): void {
    this.connection.acceptNoMore();
    if (this.#end !== undefined) return;
    this.#end = end;
    if (this.isIdle) afterRead(end);
  }

  #count(event?: OverheadEvent): void {
    if (!this.#isCalmed && !this.#session.destroyed && !this.#overhead.allows(monotonicNow(), event)) this.#calmDown();
  }

  /** Ends the connection of a client that exceeds its limits. */
  #calmDown(): void {
    this.#isCalmed = true;
    this.connection.acceptNoMore();
    // Node then makes no request of a stream that comes in the same read. That is half of the work.
    this.#session.removeAllListeners("stream");
    // Node refuses these streams, and reports that as an error of each. Without a listener it would end the process.
    this.#session.on("stream", (stream) => stream.on("error", () => {}));
    afterRead(() => {
      if (this.#session.destroyed) return;
      this.#sendGoaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, () => this.#hangUp());
    });
  }

  /** A close_notify and a FIN. What still arrives is read, and has no effect. */
  #hangUp(): void {
    const { tlsSocket } = this.connection;
    tlsSocket.end();
    closeWithin(tlsSocket, this.#limits.drainTimeoutMs);
  }

  #endIdle(): void {
    // If there are streams, the timer is set again when the last one is over.
    if (this.isIdle) this.closeWhenIdle();
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
      this.#destroySession();
    } finally {
      Reflect.deleteProperty(tlsSocket, "destroyed");
    }
  }
}
