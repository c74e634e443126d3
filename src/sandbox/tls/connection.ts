import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ConnectionFacts } from "../connection/connection-facts.js";
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

/** A connection as the HTTP side of this folder keeps it. */
export interface OpenConnection extends Connection {
  requestCount: number;
  /** HTTP/2 only: the number of streams whose answer is owed, or on its way. */
  openStreams: number;
  /** The answer that is owed, or on its way. Requests of HTTP/1.1 are answered one at a time. */
  current: ApplicationResponse | undefined;
  /** The answers to what the client sent after the current request, in order. They have not begun. */
  readonly waiting: ApplicationResponse[];
  /** Called after the last of them: it answers input that is not a request. */
  lastTurn: (() => void) | undefined;
  /** The answer to the newest request that was accepted. */
  newest: ApplicationResponse | undefined;
  /** The headers of the newest request, names and values in turn. */
  rawHeaders: readonly string[];
  /** Whether the last request of this connection has been accepted. What comes after it is ignored (RFC 9112 §9.6). */
  lastTaken: boolean;
  /** Whether the parser has reported an error. It reports the same one again for each packet that follows. */
  parseErrorSeen: boolean;
}

/** Whether a fault replaces the answer to the newest request. */
export function isWithheld({ current, newest }: OpenConnection): boolean {
  return newest === current && current?.isWithheld === true;
}

/** The parser reports the same error again for each packet that follows. What follows a last request is ignored as well. */
export function ignoresParseErrors(connection: OpenConnection): boolean {
  const { current, newest, lastTaken, parseErrorSeen } = connection;
  return parseErrorSeen || isWithheld(connection) || (lastTaken && newest !== current);
}

/** Whether a connection was opened in advance and never used. */
export function isUnused({ newest, tlsSocket }: OpenConnection): boolean {
  return newest === undefined && tlsSocket.bytesRead === 0;
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
