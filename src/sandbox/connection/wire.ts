import type { Http2ErrorCode } from "./http2-error.js";
import type { WireAnswer } from "./wire-answer.js";

/**
 * How a fault sends an answer, or breaks its connection. The connection implements it once for each version of HTTP.
 * Whatever is done here is known to the record of the exchange: what was sent, whether it arrived, and whether it was
 * broken on purpose. A connection is broken after the current read, so that requests that came with this one are
 * entered.
 */
export interface Wire {
  readonly http: 1 | 2;
  /** Whether nothing can be sent any more. */
  readonly isGone: boolean;
  /** Whether the answer has ended, or its stream or connection was broken. Otherwise, the usual answer follows. */
  readonly isOver: boolean;
  /**
   * Sends status and headers, with the length of the body unless it comes in chunks. What `write` sends may be another
   * body: then the announced length is wrong.
   */
  writeHead(answer: WireAnswer): void;
  /** Sends a part of the body, if the answer has one. Resolves when it was passed to the network, or can no longer be. */
  write(part: Uint8Array): Promise<void>;
  /**
   * Ends the answer, which is whole: everything that its head announces was sent. Another one is ended by `close`,
   * `reset` or `resetStream`.
   */
  end(): void;
  /**
   * Sends bytes inside TLS that are not written by the HTTP server. The connection cannot carry another request after
   * that. Over HTTP/2, all streams are broken. Resolves as `write` does.
   */
  writeRaw(bytes: Uint8Array): Promise<void>;
  /**
   * The bytes of an answer for `writeRaw`, as the last one of its connection. Not over HTTP/2, where a head is not text.
   */
  lastAnswer(answer: WireAnswer): { readonly head: Buffer; readonly body: Buffer };
  /**
   * Waits for this time, in milliseconds, or until the client is gone. Before the head is sent, no other answer is
   * given meanwhile.
   * @returns whether the client is gone
   */
  clientGone(longest: number): Promise<boolean>;
  /**
   * Sends nothing more on the connection, and reads and discards what the client sends: for this time, in milliseconds,
   * or until the client has closed it. Over HTTP/2, all streams are broken. No head was sent before; `close` follows.
   */
  goSilent(longest: number): Promise<void>;
  /** Breaks the connection with a TCP RST, after the client had time to read what was sent. */
  reset(): void;
  /** Breaks the connection in an orderly way: a close_notify and a FIN. */
  close(): void;
  /**
   * The usual answer follows as if the connection stayed open; then it is closed, over HTTP/2 when the answers to other
   * open requests have left. Requests that come later are not processed.
   */
  closeAfterAnswer(): void;
  /** Breaks the stream with RST_STREAM (RFC 9113 §6.4). Over HTTP/1.1, as `reset`. */
  resetStream(code?: Http2ErrorCode): void;
  /**
   * Announces that the connection takes no further request (RFC 9113 §6.8). Over HTTP/1.1, the answer has `Connection:
   * close`.
   * @param lastStream `this`: the answer follows, and those to other open requests. `before`: this request is not
   *   processed; over HTTP/1.1, as `close`
   */
  goAway(code: Http2ErrorCode, lastStream: "this" | "before"): void;
}

/** What the application returns if the wire has sent the answer. */
export interface ApplicationWire extends Wire {
  readonly alreadySent: Response;
}
