import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ConnectionFacts } from "../connection-facts.js";
import type { Peer } from "../peer.js";
import type { ApplicationResponse } from "./application-response.js";
import type { PlainUrl } from "./plain-request.js";
import type { SentHeaders } from "./shared-headers.js";

/** One TLS connection whose handshake is done: facts for the journal, and the sockets for whoever breaks it on purpose. */
export interface Connection {
  /** Counts from 1 for each server. */
  readonly id: number;
  /** When the handshake was done, in milliseconds since the epoch. */
  readonly openedAt: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  /** The host name that the client asked for (SNI); clients send none for an IP address. */
  readonly serverName: string | undefined;
  /** `TLSv1.2` or `TLSv1.3`. */
  readonly protocol: string;
  /** By its IANA name, such as `TLS_AES_256_GCM_SHA384`. */
  readonly cipher: string;
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
  /** The answer to the newest request. Answers leave in order, so when it is gone, all before it are. */
  newestResponse: ApplicationResponse | undefined;
  /** The last `Host` that was found valid: clients repeat theirs, and comparing is cheaper than checking. */
  validHost: string | undefined;
  /** The headers that were found to have one valid `Host` under HTTP/1.1, for the same reason. */
  validHeaders: readonly string[] | undefined;
  /** What later requests have in common with the newest. */
  sentHeaders: SentHeaders | undefined;
  /** The last plain URL, for the same reason. */
  plainUrl: PlainUrl | undefined;
  /** Whether the client was told of a broken request. Nothing that comes after it is looked at. */
  refused: boolean;
}

const connectionKey = Symbol("connection");

interface ConnectionSocket extends Socket {
  [connectionKey]?: OpenConnection;
}

/** Links a connection to its TLS socket, where each request finds it at the cost of one property. */
export function attachConnection(connection: OpenConnection): void {
  (connection.tlsSocket as ConnectionSocket)[connectionKey] = connection;
}

/** The connection of a socket that came from this folder. */
export function connectionOf(socket: Socket): OpenConnection {
  return (socket as ConnectionSocket)[connectionKey] as OpenConnection;
}

/** Whether an answer is still owed, or on its way. */
export function isAnswering(connection: OpenConnection): boolean {
  return connection.newestResponse !== undefined && !connection.newestResponse.destroyed;
}

const factsKey = Symbol("connection facts");

/** What the journal keeps of a connection: made once, and without its sockets. */
export function factsOf(connection: Connection & { [factsKey]?: ConnectionFacts }): ConnectionFacts {
  const { id, remoteAddress, remotePort, serverName, protocol, cipher } = connection;
  connection[factsKey] ??= { id, remoteAddress, remotePort, serverName, protocol, cipher };
  return connection[factsKey];
}
