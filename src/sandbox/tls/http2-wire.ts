import { afterRead } from "../connection/after-read.js";
import { type Http2ErrorCode, http2ErrorNumber } from "../connection/http2-error.js";
import { lingerAndClose } from "../connection/linger.js";
import type { Http2Connection } from "./http2-connection.js";
import type { Http2Response } from "./http2-response.js";
import { OutgoingWire, resetConnection, whenRead } from "./outgoing-wire.js";

/**
 * Over HTTP/2, a connection that is broken takes all of its streams with it. A stream can be broken alone (RFC 9113
 * §7).
 */
export class Http2Wire extends OutgoingWire<Http2Response> {
  readonly http = 2;
  readonly #http2: Http2Connection;
  /** Whether the socket has no session any more. */
  #isDetached = false;

  constructor(outgoing: Http2Response, http2: Http2Connection, drainTimeoutMs: number) {
    super(outgoing, http2.connection, drainTimeoutMs);
    this.#http2 = http2;
  }

  override lastAnswer(): never {
    throw new Error("A head of HTTP/2 is not text.");
  }

  override closeAfterAnswer(): void {
    this.#http2.closeSilentlyWhenIdle();
  }

  override resetStream(code: Http2ErrorCode = "INTERNAL_ERROR"): void {
    this.broken();
    if (code === "REFUSED_STREAM") this.outgoing.http2Fault = "refused";
    const end = () => this.outgoing.breakStream(http2ErrorNumber(code));
    // The client gets time to read what was sent: a reset drops a stream with its buffered data.
    if (this.hasHead) whenRead(end);
    else end();
  }

  override goAway(code: Http2ErrorCode, lastStream: "this" | "before"): void {
    if (lastStream === "before") {
      this.broken();
      // Requests that came in the same read are processed: they are known by then.
      afterRead(() => this.#http2.goAwayBefore(code, this.outgoing.streamId));
    } else {
      this.outgoing.http2Fault = "goaway";
      this.outgoing.goaway = code;
      this.#http2.endAfterAnswer();
    }
  }

  protected override beforeRaw(): Promise<void> {
    this.#isDetached = true;
    return new Promise((resolve) => whenRead(() => resolve(this.#http2.detach())));
  }

  /** Bytes that are not HTTP/2 are no answer to it. */
  protected override endRaw(): void {
    this.close();
  }

  protected override silence(): void {
    this.#http2.silence();
  }

  protected override resetNow(): void {
    this.#http2.breakOff();
    resetConnection(this.connection, this.drainTimeoutMs);
  }

  /** Answers of other streams that are complete leave first, as they do before a RST. */
  protected override closeNow(): void {
    if (this.#isDetached) lingerAndClose(this.connection.tlsSocket, this.drainTimeoutMs);
    else whenRead(() => this.#http2.end());
  }
}
