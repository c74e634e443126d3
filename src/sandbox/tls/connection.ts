import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ConnectionEnd, ConnectionFacts, SentGoaway } from "../connection/connection-facts.js";
import type { Peer } from "../connection/peer.js";
import type { ApplicationResponse } from "./application-response.js";

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

/**
 * A connection as the HTTP side of this folder keeps it. It accepts requests, until the last one is accepted; it is
 * ended when its socket says so. It also writes the connection's record, and is the only one that does.
 */
export class OpenConnection implements Connection {
  readonly peer: Peer;
  readonly tlsSocket: TLSSocket;
  readonly rawSocket: Socket;
  readonly #facts: Draft<ConnectionFacts>;
  #accepts = true;
  #requestCount = 0;
  #openStreams = 0;
  #current: ApplicationResponse | undefined = undefined;
  #newest: ApplicationResponse | undefined = undefined;
  /** The answers to what the client sent after the current request, in order. They have not begun. */
  #waiting: ApplicationResponse[] = [];
  #lastTurn: (() => void) | undefined = undefined;
  #parseErrorSeen = false;

  constructor({ facts, peer, tlsSocket, rawSocket }: Omit<Connection, "requestCount">) {
    this.#facts = { ...facts, end: undefined, goaway: undefined };
    this.peer = peer;
    this.tlsSocket = tlsSocket;
    this.rawSocket = rawSocket;
    tlsSocket.once("end", () => this.#endedBy(tlsSocket.writableEnded ? "server-closed" : "client-closed"));
    tlsSocket.once("finish", () => this.#endedBy("server-closed"));
    tlsSocket.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNRESET" || code === "EPIPE") this.#endedBy("client-reset");
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

  /**
   * Whether further requests are accepted. What comes after the last one is not processed (RFC 9112 §9.6, RFC 9113
   * §6.8).
   */
  get accepts(): boolean {
    return this.#accepts;
  }

  /** The last request was accepted. */
  acceptNoMore(): void {
    this.#accepts = false;
  }

  /**
   * An answer begins.
   * @returns the number of its request on the connection
   */
  begin(): number {
    return ++this.#requestCount;
  }

  /** The first GOAWAY was sent on purpose: the last request was accepted. */
  announcedEnd(goaway: SentGoaway): void {
    this.#accepts = false;
    if (!Object.isFrozen(this.#facts)) this.#facts.goaway ??= goaway;
  }

  /** Sends a RST. */
  reset(): void {
    if (this.rawSocket.destroyed) return;
    this.#endedBy("server-reset");
    this.rawSocket.resetAndDestroy();
  }

  /** The parser has reported an error. It reports the same one again for each packet that follows. */
  parserFailed(): void {
    this.#parseErrorSeen = true;
  }

  get parseErrorSeen(): boolean {
    return this.#parseErrorSeen;
  }

  /** HTTP/2 only: the number of streams whose answer is owed, or on its way. */
  get openStreams(): number {
    return this.#openStreams;
  }

  streamsAre(count: number): void {
    this.#openStreams = count;
  }

  /** The answer that is owed, or on its way. Requests of HTTP/1.1 are answered one at a time. */
  get current(): ApplicationResponse | undefined {
    return this.#current;
  }

  /** The answer to the newest request that was accepted. */
  get newest(): ApplicationResponse | undefined {
    return this.#newest;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /**
   * Accepts a request.
   * @returns whether it is its turn; otherwise it waits
   */
  accept(answer: ApplicationResponse): boolean {
    this.#newest = answer;
    if (this.#current === undefined) return true;
    this.#waiting.push(answer);
    return false;
  }

  /** It is the turn of an answer. */
  turnOf(answer: ApplicationResponse): void {
    this.#current = answer;
  }

  /**
   * The current answer is over.
   * @returns the next one
   */
  over(): ApplicationResponse | undefined {
    this.#current = undefined;
    return this.#waiting.shift();
  }

  /**
   * Drops the last turn, and the requests that wait.
   * @returns them
   */
  dropWaiting(): readonly ApplicationResponse[] {
    const dropped = this.#waiting;
    this.#waiting = [];
    this.#lastTurn = undefined;
    return dropped;
  }

  /** @param lastTurn called after the last answer: it answers input that is not a request */
  endWith(lastTurn: () => void): void {
    this.#accepts = false;
    this.#lastTurn = lastTurn;
  }

  /** Takes the last turn, if there is one. */
  takeLastTurn(): void {
    this.#lastTurn?.();
  }

  /** Whether a fault replaces the answer to the newest request. */
  get isWithheld(): boolean {
    return this.#newest === this.#current && this.#current?.isWithheld === true;
  }

  /**
   * The parser reports the same error again for each packet that follows. What follows a last request is ignored as
   * well.
   */
  get ignoresParseErrors(): boolean {
    return this.#parseErrorSeen || this.isWithheld || (!this.#accepts && this.#newest !== this.#current);
  }

  /** Whether it was opened in advance and never used. */
  get isUnused(): boolean {
    return this.#newest === undefined && this.tlsSocket.bytesRead === 0;
  }

  #endedBy(end: ConnectionEnd): void {
    if (!Object.isFrozen(this.#facts)) this.#facts.end ??= end;
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
