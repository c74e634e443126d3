import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type Clock, monotonicNow, systemClock } from "../clock.js";
import {
  type AnswerEnder,
  type ConnectionEnd,
  type ConnectionFacts,
  isEndedByServer,
  type SentGoaway,
} from "../connection/connection-facts.js";
import type { Peer } from "../connection/peer.js";
import type { Http1Response } from "./http1-response.js";

/** One TLS connection after its handshake: facts for the journal, and the sockets for faults. */
export interface Connection {
  readonly facts: ConnectionFacts;
  readonly peer: Peer;
  /** Requests so far, the present one included. */
  readonly requestCount: number;
  /** Carries HTTP. `end()` closes with a close_notify and a FIN, `destroy()` without a close_notify. */
  readonly tlsSocket: TLSSocket;
  /** Carries TLS. Its `resetAndDestroy()` sends a RST, which the TLS socket's own cannot. */
  readonly rawSocket: Socket;
}

type Draft<T> = { -readonly [Name in keyof T]: T[Name] };

/** A connection as the HTTP side of this folder keeps it. Only this class writes the connection's record. */
export class OpenConnection implements Connection {
  readonly peer: Peer;
  readonly tlsSocket: TLSSocket;
  readonly rawSocket: Socket;
  /** For the header `Date` of its answers. */
  clock: Clock = systemClock;
  /** HTTP/1.1 only: the answer to the newest request that was accepted. */
  newest: Http1Response | undefined = undefined;
  /** HTTP/1.1 only: how many bytes were read when the newest answer had left. */
  readWhenIdle = 0;
  /** HTTP/1.1 only: the requests that were read, are not processed, and are not reported yet. */
  readonly dropped: IncomingMessage[] = [];
  readonly #facts: Draft<ConnectionFacts>;
  /**
   * - `accepting`: requests are accepted.
   * - `ending`: the last one was accepted. What comes after it is not processed (RFC 9112 §9.6, RFC 9113 §6.8).
   * - `malformed`: the client sent what is not HTTP. What comes after it is not read.
   */
  #state: "accepting" | "ending" | "malformed" = "accepting";
  #requestCount = 0;
  /** Who ended it; undefined if it is open, or broke without an end of either side. */
  endedBy: Exclude<AnswerEnder, "scenario"> | undefined = undefined;
  /** When it ended, on the monotonic clock. */
  endedAt = 0;

  constructor({ facts, peer, tlsSocket, rawSocket }: Omit<Connection, "requestCount">) {
    this.#facts = { ...facts, end: undefined, goaway: undefined };
    this.peer = peer;
    this.tlsSocket = tlsSocket;
    this.rawSocket = rawSocket;
    tlsSocket.once("end", () => this.#endedBy(tlsSocket.writableEnded ? "server-closed" : "client-closed"));
    tlsSocket.once("finish", () => this.#endedBy("server-closed"));
    tlsSocket.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNRESET" || code === "EPIPE") this.#endedBy("client-reset");
      // A fatal alert (RFC 8446 §6.2): some clients judge the server's certificate only after the handshake.
      else if (code?.includes("_ALERT_")) this.#endedBy("client-closed");
      // The network failed, for example: neither side ended it.
      else this.#endedBy("server-closed", "unknown");
    });
    tlsSocket.once("close", () => {
      this.#endedBy("server-closed");
      Object.freeze(this.#facts);
    });
  }

  get facts(): ConnectionFacts {
    return this.#facts;
  }

  get requestCount(): number {
    return this.#requestCount;
  }

  get isAccepting(): boolean {
    return this.#state === "accepting";
  }

  get isMalformed(): boolean {
    return this.#state === "malformed";
  }

  /**
   * HTTP/1.1 only. The parser reports the same error again for each packet that follows. A fault answers a body that
   * breaks later.
   */
  get ignoresParseErrors(): boolean {
    return this.isMalformed || (this.newest?.req.complete === false && this.newest.isWithheld);
  }

  /** HTTP/1.1 only: whether it was opened in advance and never used. */
  get isUnused(): boolean {
    return this.newest === undefined && this.tlsSocket.bytesRead === 0;
  }

  /**
   * An answer begins.
   * @returns the number of its request on the connection
   */
  begin(): number {
    return ++this.#requestCount;
  }

  /** The last request was accepted. */
  acceptNoMore(): void {
    if (this.#state === "accepting") this.#state = "ending";
  }

  /** The client sent what is not HTTP. */
  malformed(): void {
    this.#state = "malformed";
  }

  /** A GOAWAY was sent on purpose. The record has the first one. */
  sentGoaway(goaway: SentGoaway): void {
    if (!Object.isFrozen(this.#facts)) this.#facts.goaway ??= goaway;
  }

  /** It ends now, because the client has announced its end by a GOAWAY. */
  endedByClient(): void {
    this.#endedBy("client-closed");
  }

  /** It is inactive for too long, and is ended. */
  timedOut(): void {
    this.#endedBy("server-closed", "time-limit");
    this.tlsSocket.destroy();
  }

  /** Sends a RST. */
  reset(): void {
    if (this.rawSocket.destroyed) return;
    this.#endedBy("server-reset");
    this.rawSocket.resetAndDestroy();
  }

  #endedBy(
    end: ConnectionEnd,
    by: "client" | "sandbox" | "time-limit" | "unknown" = isEndedByServer(end) ? "sandbox" : "client",
  ): void {
    if (Object.isFrozen(this.#facts) || this.#facts.end !== undefined) return;
    this.#facts.end = end;
    this.endedBy = by === "unknown" ? undefined : by;
    this.endedAt = monotonicNow();
  }
}

const connectionKey = Symbol("connection");

interface ConnectionSocket extends Socket {
  [connectionKey]?: OpenConnection;
}

/** Links a connection to its TLS socket: each request finds it by reading one property. */
export function attachConnection(connection: OpenConnection): void {
  (connection.tlsSocket as ConnectionSocket)[connectionKey] = connection;
}

/** The connection of a socket that this folder has accepted. */
export function connectionOf(socket: Socket): OpenConnection {
  return (socket as ConnectionSocket)[connectionKey] as OpenConnection;
}
