import { createServer, type Server, type Socket } from "node:net";
import type { Clock } from "../clock.js";
import type { AlpnProtocol } from "../connection/alpn.js";
import type { HandshakeFault } from "../connection/handshake-fault.js";
import { closeServer, listenOnHosts } from "../connection/listen.js";
import type { Peer } from "../connection/peer.js";
import { answerAndClose } from "../connection/raw-answer.js";
import { everyVersion, type TlsVersionRange } from "../connection/tls-version.js";
import type { Fetch } from "./adapter.js";
import { attachConnection, type Connection, type OpenConnection } from "./connection.js";
import type { HandshakeFailure } from "./handshake-failure.js";
import { Http1Server } from "./http1-server.js";
import { Http2Server } from "./http2-server.js";
import { defaultLimits, type Limits } from "./limits.js";
import { PeerJudge } from "./peer.js";
import { type IdentityFor, TlsListener } from "./tls-listener.js";
import type { ServerCertificate } from "./tls-options.js";
import { type AnswerProblem, neverFailing, type UnprocessedRequest } from "./unanswered-request.js";

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
  /** PEM, each with one or more certificates: the trusted issuers of client certificates. */
  readonly trustedCas: readonly string[];
  readonly identityFor?: IdentityFor;
  /** Ports in addition to the usual one, on the same hosts. */
  readonly furtherPorts?: readonly FurtherPort[];
  /**
   * `request`: the handshake completes with any certificate and with none, and the application judges. `require`: a
   * missing, untrusted, expired or unfit certificate fails the handshake.
   */
  readonly clientCertificate: "request" | "require";
  /** With `request`: whether the trusted issuers are named all the same. */
  readonly namesCas?: boolean;
  /** The versions of HTTP that are spoken, the preferred one first. At least one. */
  readonly alpn: readonly AlpnProtocol[];
  /** The versions of TLS that are spoken; 1.2 and 1.3 when left out. */
  readonly tlsVersions?: TlsVersionRange;
  readonly fetch: Fetch;
  /** Answers what never reaches `fetch`, and what `fetch` throws. */
  readonly protocolError: AnswerProblem;
  onHandshakeFailure(failure: HandshakeFailure): void;
  /** The fault that acts on the handshake of a new connection; undefined if none does. Called once for each connection. */
  injectFault?(): HandshakeFault | undefined | Promise<HandshakeFault | undefined>;
  /** Why a certificate that has ended is refused in the handshake. Left out if none is refused there. */
  readonly refusesEnded?: ((thumbprint: string) => string | undefined) | undefined;
  /** A connection was closed without a request. Clients do so if the server's certificate is for another host. */
  onUnusedConnection(connection: Connection): void;
  /** A request was read, and is not processed. */
  onUnprocessed?(request: UnprocessedRequest): void;
  readonly limits?: Partial<Limits>;
  /** Judges validity in the handshake (`require` only), and dates what is reported. */
  readonly clock: Clock;
  /** The instant for the header `Date` of an answer to this peer, in milliseconds since the epoch; by default, `clock`. */
  dateFor?(peer: Peer): number;
  /**
   * Names, in lower case, of response headers with another value each time. Over HTTP/2 they are not kept in the table
   * that compresses headers (RFC 7541 §6.2.3): each value would displace another one that is sent repeatedly.
   */
  readonly unindexedHeaders?: readonly string[];
  /** Whether Hono's adapter may replace `Request` and `Response` of the process, which makes it faster. */
  readonly overrideGlobalObjects: boolean;
}

export interface TlsServer {
  readonly port: number;
  /** In the order of the options. */
  readonly furtherPorts: readonly number[];
  /** Of the hosts given, those on which the server listens. */
  readonly addresses: readonly string[];
  /** Trusts a further issuer of client certificates, PEM. */
  trust(caPem: string): void;
  /** Names these issuers, the subjects of certificates in PEM, besides those that it trusts, which these are not. */
  nameIssuers(pems: readonly string[]): void;
  /** Whether an answer is owed, a handshake is on its way, or a connection is open that has carried no request yet. */
  isBusy(): boolean;
  /** How many connections there are: established since the start, open, and open but still in the handshake. */
  connections(): { readonly total: number; readonly open: number; readonly inHandshake: number };
  /**
   * Stops listening and ends idle connections and unfinished handshakes at once; a request that is being answered gets
   * the grace period (milliseconds, 5000 by default). Resolves when every connection is gone. May be called again.
   */
  close(options?: { readonly gracePeriodMs?: number }): Promise<void>;
}

const DEFAULT_GRACE_PERIOD_MS = 5_000;

/**
 * Starts an HTTPS server for mutual TLS: HTTP/2 and HTTP/1.1, no resumption, the peer of each
 * connection judged once.
 *
 * @throws {ListenError} if the server cannot listen on an address. Throws OpenSSL's error for a certificate or key that
 *   it cannot read.
 */
export async function startTlsServer(options: TlsServerOptions): Promise<TlsServer> {
  const server = new MutualTlsServer(options);
  try {
    await server.listen();
  } catch (error) {
    await server.close({ gracePeriodMs: 0 });
    throw error;
  }
  return server;
}

class MutualTlsServer implements TlsServer {
  port = 0;
  addresses: readonly string[] = [];
  readonly furtherPorts: number[] = [];
  readonly #options: TlsServerOptions;
  readonly #limits: Limits;
  readonly #answerProblem: AnswerProblem;
  readonly #http: Http1Server;
  readonly #http2: Http2Server;
  readonly #listener: TlsListener;
  readonly #judge: PeerJudge;
  readonly #servers: Server[] = [];
  /** TCP connections, those in the handshake included. */
  readonly #sockets = new Set<Socket>();
  /** Those whose handshake has succeeded. */
  readonly #connections = new Set<OpenConnection>();
  /** Those on which a request was read, and not processed. */
  readonly #unprocessed = new WeakSet<Connection>();
  #lastId = 0;
  #closing: Promise<void> | undefined;

  constructor(options: TlsServerOptions) {
    const { fetch, overrideGlobalObjects, unindexedHeaders = [] } = options;
    const limits: Limits = { ...defaultLimits, ...options.limits };
    const answerProblem = neverFailing(options.protocolError);
    const onUnprocessed = (request: UnprocessedRequest) => {
      this.#unprocessed.add(request.connection);
      options.onUnprocessed?.(request);
    };
    const shared = { fetch, answerProblem, onUnprocessed, limits, overrideGlobalObjects, unindexedHeaders };
    this.#options = options;
    this.#limits = limits;
    this.#answerProblem = answerProblem;
    this.#http = new Http1Server(shared);
    this.#http2 = new Http2Server(shared);
    this.#judge = new PeerJudge(options.trustedCas);
    this.#listener = new TlsListener({
      identity: options,
      // If the certificate decides the outcome of the handshake, the client learns which issuers are accepted, as with
      // real services.
      namedIssuers: this.#namesCas ? options.trustedCas : [],
      clientCertificate: options.clientCertificate,
      alpn: options.alpn,
      versions: options.tlsVersions ?? everyVersion,
      judge: this.#judge,
      handshakeTimeoutMs: limits.handshakeTimeoutMs,
      clock: options.clock,
      nextId: () => ++this.#lastId,
      injectFault: () => options.injectFault?.(),
      refusesEnded: options.refusesEnded,
      onConnection: (connection) => this.#serve(connection),
      onFailure: (failure) => options.onHandshakeFailure(failure),
      onPlainHttp: (socket) => this.#refusePlainHttp(socket),
    });
  }

  /**
   * Listens on the port and the further ports, on every host.
   * @throws ListenError
   */
  async listen(): Promise<void> {
    const { port, identityFor = () => undefined, furtherPorts = [] } = this.#options;
    const { port: bound, addresses } = await this.#listenOn(port, identityFor);
    this.port = bound;
    this.addresses = addresses;
    for (const further of furtherPorts)
      this.furtherPorts.push((await this.#listenOn(further.port, further.identity)).port);
  }

  trust(caPem: string): void {
    this.#judge.trust(caPem);
    if (this.#namesCas) this.#listener.nameTrusted(caPem);
  }

  nameIssuers(pems: readonly string[]): void {
    this.#listener.nameIssuers(pems);
  }

  get #namesCas(): boolean {
    return this.#options.namesCas === true || this.#options.clientCertificate === "require";
  }

  isBusy(): boolean {
    const owesOrIsNew = (connection: OpenConnection) =>
      connection.requestCount === 0 || !this.#serverOf(connection).isIdle(connection);
    const hasHandshakes = this.#sockets.size > this.#connections.size;
    return hasHandshakes || [...this.#connections].some(owesOrIsNew);
  }

  connections(): { readonly total: number; readonly open: number; readonly inHandshake: number } {
    const open = this.#connections.size;
    return { total: this.#lastId, open, inHandshake: this.#sockets.size - open };
  }

  close({ gracePeriodMs = DEFAULT_GRACE_PERIOD_MS } = {}): Promise<void> {
    this.#closing ??= this.#shutDown(gracePeriodMs);
    return this.#closing;
  }

  async #listenOn(port: number, identityFor: IdentityFor) {
    const accept = this.#listener.acceptor(identityFor);
    const onSocket = (socket: Socket) => {
      if (this.#sockets.size >= this.#limits.maxConnections) {
        socket.destroy();
        return;
      }
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      accept(socket);
    };
    const create = () => createServer({ noDelay: true }, onSocket);
    const listening = await listenOnHosts({ hosts: this.#options.hosts, port, create });
    this.#servers.push(...listening.servers);
    return listening;
  }

  /** Serves HTTP on a connection whose handshake has succeeded. */
  #serve(connection: OpenConnection): void {
    this.#connections.add(connection);
    connection.tlsSocket.once("close", () => {
      this.#connections.delete(connection);
      if (connection.requestCount > 0) return;
      // Node reports an error of HTTP/2 only after this event.
      setImmediate(() => {
        if (!connection.isMalformed && !this.#unprocessed.has(connection)) this.#options.onUnusedConnection(connection);
      });
    });
    attachConnection(connection);
    const { clock, dateFor = () => clock.now() } = this.#options;
    connection.clock = { now: () => dateFor(connection.peer) };
    this.#serverOf(connection).accept(connection);
  }

  #serverOf({ facts }: OpenConnection): Http1Server | Http2Server {
    return facts.httpVersion === "HTTP/2" ? this.#http2 : this.#http;
  }

  #refusePlainHttp(socket: Socket): void {
    const reason = "Plain HTTP was sent to a port that speaks HTTPS: use an https:// URL.";
    const answer = this.#answerProblem({ code: "BAD_REQUEST", reason });
    answerAndClose(socket, answer, this.#options.clock, this.#limits.drainTimeoutMs);
  }

  async #shutDown(gracePeriodMs: number): Promise<void> {
    const closed = Promise.all(this.#servers.map(closeServer));
    const established = new Set<Socket>();
    for (const connection of this.#connections) {
      established.add(connection.rawSocket);
      this.#serverOf(connection).closeWhenIdle(connection);
    }
    for (const socket of this.#sockets) if (!established.has(socket)) socket.destroy();
    const grace = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, gracePeriodMs);
    await closed;
    clearTimeout(grace);
    this.#http.close();
    this.#http2.close();
  }
}
