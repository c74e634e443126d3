import type { Server, Socket } from "node:net";
import type { Clock } from "../clock.js";
import type { AlpnProtocol } from "../connection/alpn.js";
import { answerAndClose } from "../connection/raw-answer.js";
import type { Fetch } from "./application.js";
import { attachConnection, type Connection, type OpenConnection } from "./connection.js";
import type { HandshakeFailure } from "./handshake-failure.js";
import { HttpServer } from "./http-server.js";
import { Http2Server } from "./http2-server.js";
import { defaultLimits, type Limits } from "./limits.js";
import { closeServer, listenOnHosts } from "./listen.js";
import { OpenRequests } from "./open-requests.js";
import { PeerJudge } from "./peer.js";
import { type IdentityFor, TlsListener } from "./tls-listener.js";
import type { ServerCertificate } from "./tls-options.js";
import { type AnswerProblem, neverFailing } from "./unanswered-request.js";

/** A port that serves the same with a certificate of its own. */
export interface FurtherPort {
  /** 0 means a free one. */
  readonly port: number;
  readonly identity: () => Promise<ServerCertificate>;
}

export interface TlsServerOptions extends ServerCertificate {
  /** Addresses to listen on. The first must work; another that this machine does not have is left out. */
  readonly hosts: readonly string[];
  /** 0 means a free port, the same on every host. */
  readonly port: number;
  /** PEM, each with one or more certificates: who may vouch for client certificates. */
  readonly trustedCas: readonly string[];
  readonly identityFor?: IdentityFor;
  /** Ports beside the usual one, on the same hosts. */
  readonly furtherPorts?: readonly FurtherPort[];
  /**
   * `request`: the handshake completes with any certificate and with none, and the application judges. `require`: a missing,
   * untrusted, expired or unfit certificate fails the handshake.
   */
  readonly clientCertificate: "request" | "require";
  /** The versions of HTTP that are spoken, the preferred one first. At least one. */
  readonly alpn: readonly AlpnProtocol[];
  readonly fetch: Fetch;
  /** Makes the answer for what never reaches `fetch`, and for what `fetch` throws. */
  readonly protocolError: AnswerProblem;
  onHandshakeFailure?(failure: HandshakeFailure): void;
  /** Tells whether a new connection is to be reset in the handshake, and by which fault. Asked once for each. */
  injectReset?(): string | undefined | Promise<string | undefined>;
  /** A connection was closed without one request, as clients do that find the server's certificate to be of another host. */
  onUnusedConnection?(connection: Connection): void;
  readonly limits?: Partial<Limits>;
  /** Judges validity in the handshake (`require` only), and dates what is reported. */
  readonly clock: Clock;
  /** Whether it is measured when requests arrive, and when their answers are handed over; it is where it is left out. */
  readonly timesRequests?: boolean;
  /**
   * Names, in lower case, of response headers with another value each time. Over HTTP/2 they are not kept in the table that compresses
   * headers (RFC 7541 §6.2.3): each one would push out another that comes again.
   */
  readonly unindexedHeaders?: readonly string[];
  /** Whether Hono's adapter may replace `Request` and `Response` of the process, which makes it faster. */
  readonly overrideGlobalObjects: boolean;
}

export interface TlsServer {
  readonly port: number;
  /** In the order of the options. */
  readonly furtherPorts: readonly number[];
  /** Of the hosts given, those that are listened on. */
  readonly addresses: readonly string[];
  /** Whether an answer is owed, a handshake is on its way, or a connection is open that has carried no request yet. */
  isBusy(): boolean;
  /** How many connections there are: established since the start, open, and open but still in the handshake. */
  connections(): { readonly total: number; readonly open: number; readonly inHandshake: number };
  /**
   * Stops listening and ends idle connections and unfinished handshakes at once; a request that is being answered gets the grace
   * period (milliseconds, 5000 by default). Resolves when every connection is gone. May be called again.
   */
  close(options?: { readonly gracePeriodMs?: number }): Promise<void>;
}

const DEFAULT_GRACE_PERIOD_MS = 5_000;

/**
 * Starts an HTTPS server for mutual TLS: TLS 1.2 and 1.3, HTTP/2 and HTTP/1.1, no resumption, the peer of each connection judged once.
 *
 * @throws {ListenError} where an address cannot be listened on. Throws OpenSSL's error for a certificate or key that it cannot read.
 */
export async function startTlsServer(options: TlsServerOptions): Promise<TlsServer> {
  const { clock } = options;
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const answerProblem = neverFailing(options.protocolError);
  const { fetch, overrideGlobalObjects, timesRequests = true, unindexedHeaders = [] } = options;
  const parts = {
    fetch,
    answerProblem,
    limits,
    openRequests: new OpenRequests(limits.maxOpenRequests),
    clock,
    overrideGlobalObjects,
    timesRequests,
    unindexedHeaders,
  };
  const http = new HttpServer(parts);
  const http2 = new Http2Server(parts);
  const serverOf = ({ httpVersion }: OpenConnection) => (httpVersion === "HTTP/2" ? http2 : http);
  const sockets = new Set<Socket>();
  const connections = new Set<OpenConnection>();
  let lastId = 0;

  const { certificate, key } = options;
  const listener = new TlsListener({
    identity: { certificate, key },
    // Where the certificate decides over the handshake, the client is told which ones will do, as real services tell it.
    namedIssuers: options.clientCertificate === "require" ? options.trustedCas : [],
    clientCertificate: options.clientCertificate,
    alpn: options.alpn,
    judge: new PeerJudge(options.trustedCas),
    handshakeTimeoutMs: limits.handshakeTimeoutMs,
    clock,
    nextId: () => ++lastId,
    injectReset: () => options.injectReset?.(),
    onConnection(connection) {
      connections.add(connection);
      connection.tlsSocket.once("close", () => {
        connections.delete(connection);
        if (connection.requestCount > 0) return;
        // Node tells an error of HTTP/2 only after this event.
        setImmediate(() => {
          if (!connection.parseErrorSeen) options.onUnusedConnection?.(connection);
        });
      });
      attachConnection(connection);
      serverOf(connection).accept(connection);
    },
    onFailure: (failure) => options.onHandshakeFailure?.(failure),
    onPlainHttp(socket) {
      const reason = "Plain HTTP was sent to a port that speaks HTTPS: use an https:// URL.";
      answerAndClose(socket, answerProblem({ code: "BAD_REQUEST", reason }), clock, limits.drainTimeoutMs);
    },
  });

  const servers: Server[] = [];
  const listen = async (number: number, identityFor: IdentityFor) => {
    const accept = listener.acceptor(identityFor);
    const listening = await listenOnHosts({
      hosts: options.hosts,
      port: number,
      maxConnections: limits.maxConnections,
      onSocket(socket) {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
        accept(socket);
      },
    });
    servers.push(...listening.servers);
    return listening;
  };
  const { port, addresses } = await listen(options.port, options.identityFor ?? (() => undefined));
  const furtherPorts: number[] = [];
  try {
    for (const further of options.furtherPorts ?? []) {
      furtherPorts.push((await listen(further.port, further.identity)).port);
    }
  } catch (error) {
    await shutDown(0);
    throw error;
  }

  async function shutDown(gracePeriodMs: number): Promise<void> {
    const closed = Promise.all(servers.map(closeServer));
    const established = new Set<Socket>();
    for (const connection of connections) {
      established.add(connection.rawSocket);
      serverOf(connection).closeWhenIdle(connection);
    }
    for (const socket of sockets) if (!established.has(socket)) socket.destroy();
    const grace = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, gracePeriodMs);
    await closed;
    clearTimeout(grace);
    http.close();
    http2.close();
  }

  let closing: Promise<void> | undefined;
  return {
    port,
    furtherPorts,
    addresses,
    isBusy: () =>
      sockets.size > connections.size ||
      [...connections].some(
        ({ current, openStreams, requestCount }) => current !== undefined || openStreams > 0 || requestCount === 0,
      ),
    connections: () => ({
      total: lastId,
      open: connections.size,
      inHandshake: sockets.size - connections.size,
    }),
    close({ gracePeriodMs = DEFAULT_GRACE_PERIOD_MS } = {}) {
      closing ??= shutDown(gracePeriodMs);
      return closing;
    },
  };
}
