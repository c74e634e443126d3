import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Http2ErrorCode, http2ErrorNumber } from "../connection/http2-error.js";
import { lingerAndClose } from "../connection/linger.js";
import type { Http2Connection } from "./http2-connection.js";
import type { StreamResponse } from "./stream-response.js";
import { beforeReset, resetConnection, WireFaults } from "./wire-faults.js";

/**
 * Faults over HTTP/2. A connection that is broken takes all of its streams with it; an answer that is broken off ends its stream
 * alone, with RST_STREAM and INTERNAL_ERROR (RFC 9113 §7).
 */
export class Http2Faults extends WireFaults<StreamResponse> {
  readonly #http2: Http2Connection;

  constructor(outgoing: StreamResponse, http2: Http2Connection, drainTimeoutMs: number) {
    super(outgoing, http2.connection, drainTimeoutMs);
    this.#http2 = http2;
  }

  override reset(): Response {
    const reset = () => {
      this.#http2.breakOff();
      resetConnection(this.connection, this.drainTimeoutMs);
    };
    return this.breakConnection(() => beforeReset(reset));
  }

  override close(): Response {
    return this.breakConnection(() => this.#http2.end());
  }

  override garbage(bytes: Uint8Array): Response {
    const { tlsSocket } = this.connection;
    return this.breakConnection(() =>
      this.#http2.detach(() => {
        if (tlsSocket.writable) tlsSocket.write(Buffer.concat([brokenFrame, bytes]));
        lingerAndClose(tlsSocket, this.drainTimeoutMs);
      }),
    );
  }

  override refuseStream(): Response {
    return this.resetStream("REFUSED_STREAM");
  }

  override resetStream(code: Http2ErrorCode): Response {
    this.outgoing.breakStream(http2ErrorNumber(code));
    return RESPONSE_ALREADY_SENT;
  }

  override goAway(code: Http2ErrorCode): void {
    this.#http2.goAway(http2ErrorNumber(code));
  }

  override goAwayBefore(code: Http2ErrorCode): Response {
    this.#http2.goAwayBefore(http2ErrorNumber(code), this.outgoing.streamId);
    return RESPONSE_ALREADY_SENT;
  }

  protected override endUnanswered(): Response {
    return this.cut();
  }

  protected override cut(): Response {
    // The client gets time to read what was sent: a reset drops a stream with its buffered data.
    beforeReset(() => this.outgoing.breakStream());
    return RESPONSE_ALREADY_SENT;
  }
}

/**
 * RFC 9113 §6.5: settings that belong to a stream, which every client must reject. Other bytes may look like the beginning of a frame,
 * and the client would wait for its rest.
 */
const brokenFrame = Buffer.of(0, 0, 0, 0x04, 0, 0, 0, 0, 1);
