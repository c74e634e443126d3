import { AsyncLocalStorage } from "node:async_hooks";
import type { Socket } from "node:net";
import { createServer, type Server } from "node:tls";
import { Handshake, type HandshakeOptions } from "./handshake.js";
import { type ServerCertificate, tlsOptions } from "./tls-options.js";

/** Another certificate for a host name, or for clients that name none; undefined where the usual one serves. */
export type IdentityFor = (serverName: string | undefined) => Promise<ServerCertificate> | undefined;

export interface TlsListenerOptions extends Omit<HandshakeOptions, "startTls"> {
  readonly identity: ServerCertificate;
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
  readonly #servers = new WeakMap<ServerCertificate, Server>();
  /** Whose handshake an event of a TLS server is about: Node does not tell. */
  readonly #current = new AsyncLocalStorage<Handshake>();

  constructor(options: TlsListenerOptions) {
    this.#options = options;
    // What OpenSSL cannot read is reported now, and not to the first client.
    this.#serverOf(options.identity);
  }

  /** What begins the handshake on each new TCP socket of a port. */
  acceptor(identityFor: IdentityFor): (socket: Socket) => void {
    const options = {
      ...this.#options,
      startTls: (handshake: Handshake) => this.#startTls(handshake, identityFor(handshake.serverName)),
    };
    return (socket) => {
      new Handshake(socket, options);
    };
  }

  #startTls(handshake: Handshake, other: Promise<ServerCertificate> | undefined): void {
    const { socket } = handshake;
    const start = (identity: ServerCertificate) => {
      handshake.serverDefect = identity.defect;
      this.#current.run(handshake, () => this.#serverOf(identity).emit("connection", socket));
    };
    if (other === undefined) start(this.#options.identity);
    else
      other
        .then((identity) => {
          if (!socket.destroyed) start(identity);
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
