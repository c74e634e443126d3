import type { Socket } from "node:net";
import { createServer, type Server } from "node:tls";
import { Handshake, type HandshakeOptions } from "./handshake.js";
import { type ServerCertificate, tlsOptions } from "./tls-options.js";

/** Another certificate for a host name, or for clients that name none; undefined for the usual one. */
export type IdentityFor = (serverName: string | undefined) => Promise<ServerCertificate> | undefined;

export interface TlsListenerOptions extends Omit<HandshakeOptions, "startTls"> {
  readonly identity: ServerCertificate;
  /** Each in PEM. OpenSSL trusts these, and no others. */
  readonly namedIssuers: readonly string[];
}

/**
 * How many servers of a certificate wait for handshakes at most. More are made while more handshakes run at the same
 * time.
 */
const mostIdleServers = 32;

/**
 * Turns TCP sockets into TLS connections.
 *
 * The sockets come from `listenOnHosts` and are passed to Node's TLS servers, which do not listen. So the TCP socket,
 * which can send a RST, stays available. The events of a TLS server do not name their TCP socket, so each server has
 * one handshake at a time.
 */
export class TlsListener {
  readonly #options: TlsListenerOptions;
  readonly #namedIssuers: string[];
  /** Those that may change. */
  #furtherIssuers: readonly string[] = [];
  /** The servers of a certificate that have no handshake. */
  #idle = new WeakMap<ServerCertificate, Server[]>();

  constructor(options: TlsListenerOptions) {
    this.#options = options;
    this.#namedIssuers = [...options.namedIssuers];
    // A certificate that OpenSSL cannot read is reported now, and not at the first client.
    this.#idleServersOf(options.identity).push(this.#createServer(options.identity));
  }

  /** Names one more issuer, PEM, from the next handshake on. */
  nameTrusted(caPem: string): void {
    this.#namedIssuers.push(caPem);
    // OpenSSL trusts what it was given when a server was made.
    this.#idle = new WeakMap();
  }

  /** Names these issuers, PEM, in place of those of the call before. */
  nameIssuers(pems: readonly string[]): void {
    this.#furtherIssuers = pems;
    this.#idle = new WeakMap();
  }

  /** A function that begins the handshake on each new TCP socket of a port. */
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
      handshake.serverCertificate = identity.presented;
      handshake.namesCas = this.#namedIssuers.length > 0;
      this.#passToServer(handshake, identity);
    };
    if (other === undefined) start(this.#options.identity);
    else
      other
        .then((identity) => {
          if (!socket.destroyed) start(identity);
        })
        .catch((error) => socket.destroy(error));
  }

  /** Every handshake ends with one of the two events, also when its TCP connection breaks. */
  #passToServer(handshake: Handshake, identity: ServerCertificate): void {
    const idle = this.#idleServersOf(identity);
    const server = idle.pop() ?? this.#createServer(identity);
    const release = () => {
      server.removeAllListeners("secureConnection").removeAllListeners("tlsClientError");
      if (idle.length < mostIdleServers) idle.push(server);
    };
    server.on("secureConnection", (socket) => {
      release();
      handshake.succeed(socket);
    });
    server.on("tlsClientError", (error, socket) => {
      release();
      handshake.fail(error, socket);
    });
    server.emit("connection", handshake.socket);
  }

  #idleServersOf(identity: ServerCertificate): Server[] {
    let idle = this.#idle.get(identity);
    if (idle === undefined) {
      idle = [];
      this.#idle.set(identity, idle);
    }
    return idle;
  }

  #createServer(identity: ServerCertificate): Server {
    const { alpn, versions } = this.#options;
    return createServer(tlsOptions(identity, [...this.#namedIssuers, ...this.#furtherIssuers], alpn, versions));
  }
}
