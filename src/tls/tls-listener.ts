import { AsyncLocalStorage } from "node:async_hooks";
import type { Socket } from "node:net";
import { createServer, type Server } from "node:tls";
import { Handshake, type HandshakeOptions } from "./handshake.js";
import { type ServerCertificate, tlsOptions } from "./tls-options.js";

export interface TlsListenerOptions extends Omit<HandshakeOptions, "startTls"> {
  readonly identity: ServerCertificate;
  /** Another certificate for a host name, or for clients that name none; undefined where the usual one serves. */
  identityFor?(serverName: string | undefined): Promise<ServerCertificate> | undefined;
  /** PEM, each. */
  readonly namedIssuers: readonly string[];
}

/**
 * Makes TLS connections of TCP sockets.
 *
 * The sockets come from servers of ours, and are handed to Node's TLS servers, which listen nowhere: so the TCP socket, which can send
 * a RST, stays at hand. There is one TLS server for each certificate.
 */
export class TlsListener {
  readonly #options: TlsListenerOptions;
  readonly #handshakeOptions: HandshakeOptions;
  readonly #servers = new WeakMap<ServerCertificate, Server>();
  readonly #usual: Server;
  /** Whose handshake an event of a TLS server is about: Node does not tell. */
  readonly #current = new AsyncLocalStorage<Handshake>();

  constructor(options: TlsListenerOptions) {
    this.#options = options;
    this.#handshakeOptions = { ...options, startTls: (handshake) => this.#startTls(handshake) };
    this.#usual = this.#serverOf(options.identity);
  }

  /** Begins the handshake on a new TCP socket. */
  accept(socket: Socket): void {
    new Handshake(socket, this.#handshakeOptions);
  }

  #startTls(handshake: Handshake): void {
    const { serverName, socket } = handshake;
    const start = (server: Server) => this.#current.run(handshake, () => server.emit("connection", socket));
    const other = this.#options.identityFor?.(serverName);
    if (other === undefined) start(this.#usual);
    else
      other
        .then((identity) => {
          handshake.serverDefect = identity.defect;
          if (!socket.destroyed) start(this.#serverOf(identity));
        })
        .catch((error) => socket.destroy(error));
  }

  #serverOf(identity: ServerCertificate): Server {
    let server = this.#servers.get(identity);
    if (server === undefined) {
      server = createServer(tlsOptions(identity, this.#options.namedIssuers));
      server.on("secureConnection", (socket) => this.#current.getStore()?.succeed(socket));
      server.on("tlsClientError", (error, socket) => this.#current.getStore()?.fail(error, socket));
      this.#servers.set(identity, server);
    }
    return server;
  }
}
