import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import type { Clock } from "../clock.js";
import type { Peer, PeerCertificate } from "../peer.js";
import type { OpenConnection } from "./connection.js";
import { classifyHandshakeError, type HandshakeFailure, type HandshakeFailureCause } from "./handshake-failure.js";
import type { PeerJudge } from "./peer.js";
import { printable } from "./printable.js";

export interface HandshakeOptions {
  readonly context: SecureContext;
  /** Another context for a host name, or for clients that name none; undefined where the usual one serves. */
  contextFor(serverName: string | undefined): Promise<SecureContext> | undefined;
  readonly clientCertificate: "request" | "require";
  readonly judge: PeerJudge;
  readonly handshakeTimeoutMs: number;
  readonly clock: Clock;
  /** Numbers the connections. */
  nextId(): number;
  onConnection(connection: OpenConnection): void;
  onFailure(failure: HandshakeFailure): void;
  /** The failure is reported besides. The socket is the callee's to answer and to close. */
  onPlainHttp(socket: Socket): void;
}

/** How HTTP begins: a method, or the preface of HTTP/2. A TLS record begins with the byte 22. */
const PLAIN_HTTP = /^[A-Z]{3,16} /;

/**
 * One TCP connection on its way to a TLS connection. Ends with exactly one of a connection or a failure.
 *
 * The TLS socket is made here and not by `https.Server`, for two reasons: the raw socket, its address and the TLS socket stay
 * together without a search, and a certificate that is refused can still be looked at.
 */
export class Handshake {
  readonly #options: HandshakeOptions;
  readonly #raw: Socket;
  readonly #timer: NodeJS.Timeout;
  // Unknown once the socket is closed.
  readonly #remoteAddress: string;
  readonly #remotePort: number;
  readonly #localAddress: string;
  readonly #localPort: number;
  #tls: TLSSocket | undefined;
  #serverName: string | undefined;
  #done = false;

  constructor(raw: Socket, options: HandshakeOptions) {
    this.#raw = raw;
    this.#options = options;
    this.#remoteAddress = raw.remoteAddress ?? "";
    this.#remotePort = raw.remotePort ?? 0;
    this.#localAddress = raw.localAddress ?? "";
    this.#localPort = raw.localPort ?? 0;
    this.#timer = setTimeout(() => {
      this.#fail({ cause: "time-out" });
      raw.destroy();
    }, options.handshakeTimeoutMs);
    raw.on("error", (error) => this.#failWith(error));
    raw.on("close", () => this.#failWith(undefined));
    raw.once("data", (first: Buffer) => this.#begin(first));
  }

  /** The first bytes tell plain HTTP from TLS. OpenSSL could do it, but closes the connection before a long request is read. */
  #begin(first: Buffer): void {
    if (PLAIN_HTTP.test(first.toString("latin1", 0, 20))) {
      this.#fail({ cause: "plain-http" });
      this.#options.onPlainHttp(this.#raw);
      return;
    }
    this.#raw.pause();
    this.#raw.unshift(first);
    const other = this.#options.contextFor(undefined);
    if (other === undefined) this.#secure(this.#options.context);
    else other.then((context) => this.#secure(context)).catch((error) => this.#raw.destroy(error));
  }

  #secure(context: SecureContext): void {
    if (this.#done) return;
    const tls = new TLSSocket(this.#raw, {
      isServer: true,
      secureContext: context,
      requestCert: true,
      // In the handshake this refuses only a missing certificate; a bad one is judged when the handshake is done.
      rejectUnauthorized: this.#options.clientCertificate === "require",
      ALPNProtocols: ["http/1.1"],
      SNICallback: (serverName, callback) => {
        this.#serverName = printable(serverName);
        const other = this.#options.contextFor(serverName);
        if (other === undefined) callback(null);
        else other.then((named) => callback(null, named)).catch((error) => callback(error));
      },
    });
    this.#tls = tls;
    tls.once("secure", () => this.#finish(tls));
    tls.on("error", (error) => this.#failWith(error));
    tls.on("close", () => this.#failWith(undefined));
    // After the handshake, a TLS error (a damaged record) comes by this event only.
    tls.on("_tlsError", () => {
      if (this.#done) tls.destroy();
    });
  }

  #finish(tls: TLSSocket): void {
    const { clientCertificate, clock, judge } = this.#options;
    if (this.#done || tls.destroyed) return;
    const peer = judge.judge(tls.getPeerX509Certificate());
    const refusal = clientCertificate === "require" ? findRefusal(peer, clock.now()) : undefined;
    if (refusal !== undefined) {
      this.#fail(refusal);
      tls.destroy();
      return;
    }
    this.#done = true;
    clearTimeout(this.#timer);
    this.#options.onConnection({
      id: this.#options.nextId(),
      openedAt: clock.now(),
      remoteAddress: this.#remoteAddress,
      remotePort: this.#remotePort,
      localAddress: this.#localAddress,
      localPort: this.#localPort,
      serverName: this.#serverName,
      protocol: tls.getProtocol() ?? "",
      cipher: tls.getCipher().standardName,
      peer,
      tlsSocket: tls,
      rawSocket: this.#raw,
      requestCount: 0,
      newestResponse: undefined,
      validHost: undefined,
      validHeaders: undefined,
      sentHeaders: undefined,
      plainUrl: undefined,
      refused: false,
    });
  }

  #failWith(error: Error | undefined): void {
    this.#fail(classifyHandshakeError(error));
  }

  #fail(failure: FailureFacts): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#timer);
    this.#options.onFailure({
      at: this.#options.clock.now(),
      cause: failure.cause,
      code: failure.code,
      alert: failure.alert,
      reason: failure.reason ?? "",
      remoteAddress: this.#remoteAddress,
      remotePort: this.#remotePort,
      serverName: this.#serverName,
      protocol: this.#tls?.getProtocol() ?? undefined,
      certificate: failure.certificate,
      bytesRead: this.#raw.bytesRead,
    });
  }
}

interface FailureFacts {
  readonly cause: HandshakeFailureCause;
  readonly code?: string | undefined;
  readonly alert?: string | undefined;
  readonly reason?: string;
  readonly certificate?: PeerCertificate;
}

/** What OpenSSL would refuse a client certificate for, by the same codes, with the sandbox's own clock. */
function findRefusal(peer: Peer, now: number): FailureFacts | undefined {
  if (peer.kind === "none") return { cause: "no-client-certificate" };
  const { certificate } = peer;
  if (peer.chain === "untrusted") {
    return { cause: "client-certificate-untrusted", reason: peer.chainReason, certificate };
  }
  if (now > certificate.notAfter) {
    return { cause: "client-certificate-expired", code: "CERT_HAS_EXPIRED", reason: "It has expired.", certificate };
  }
  if (now < certificate.notBefore) {
    const reason = "Its validity has not begun yet.";
    return { cause: "client-certificate-not-yet-valid", code: "CERT_NOT_YET_VALID", reason, certificate };
  }
  if (!certificate.clientUsage) {
    const reason = "Its key usage or extended key usage does not permit client authentication.";
    return { cause: "client-certificate-wrong-usage", code: "INVALID_PURPOSE", reason, certificate };
  }
  return undefined;
}
