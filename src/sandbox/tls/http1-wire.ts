import { afterRead } from "../connection/after-read.js";
import type { Http2ErrorCode } from "../connection/http2-error.js";
import { discardInput, lingerAndClose } from "../connection/linger.js";
import { lastAnswerOf } from "../connection/raw-answer.js";
import type { WireAnswer } from "../connection/wire-answer.js";
import { connectionOf } from "./connection.js";
import type { Http1Response } from "./http1-response.js";
import { OutgoingWire, resetConnection } from "./outgoing-wire.js";

/**
 * Over HTTP/1.1, an answer that is broken off ends its connection.
 *
 * Earlier requests of the connection are answered by then; what the client sent after this one is dropped. A connection
 * is never broken during a read: Node's parser would continue without the connection's state, and end the process
 * (nodejs/node 62095).
 */
export class Http1Wire extends OutgoingWire<Http1Response> {
  readonly http = 1;

  constructor(outgoing: Http1Response, drainTimeoutMs: number) {
    super(outgoing, connectionOf(outgoing.req.socket), drainTimeoutMs);
  }

  override lastAnswer(answer: WireAnswer) {
    const isOld = this.outgoing.req.httpVersion === "1.0";
    const { headers, head, body } = lastAnswerOf(answer, this.connection.clock.now(), isOld);
    this.outgoing.deliveryListener?.headed?.(headers);
    return { head, body };
  }

  override closeAfterAnswer(): void {
    this.connection.acceptNoMore();
    this.outgoing.endsSilently = true;
  }

  override resetStream(): void {
    this.reset();
  }

  /** RFC 9112 §9.6: the answer is the last one of its connection. */
  override goAway(_code: Http2ErrorCode, lastStream: "this" | "before"): void {
    if (lastStream === "before") {
      this.close();
      return;
    }
    this.connection.acceptNoMore();
    this.outgoing.shouldKeepAlive = false;
  }

  protected override beforeRaw(): Promise<void> {
    return new Promise(afterRead);
  }

  protected override endRaw(isSent: boolean): void {
    this.outgoing.endedBy = this.connection.endedBy;
    this.outgoing.settle(isSent && !this.isGone);
    lingerAndClose(this.connection.tlsSocket, this.drainTimeoutMs);
  }

  protected override silence(): void {
    discardInput(this.connection.tlsSocket);
  }

  protected override resetNow(): void {
    this.outgoing.breakOff();
    resetConnection(this.connection, this.drainTimeoutMs);
  }

  protected override closeNow(): void {
    this.outgoing.breakOff();
    lingerAndClose(this.connection.tlsSocket, this.drainTimeoutMs);
  }
}
