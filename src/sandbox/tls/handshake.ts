import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { printable, quote } from "../../base/text/printable.js";
import { type Clock, monotonicNow } from "../clock.js";
import type { AlpnProtocol } from "../connection/alpn.js";
import type { HandshakeFault } from "../connection/handshake-fault.js";
import type { Peer } from "../connection/peer.js";
import type { PresentedCertificate } from "../connection/server-certificate.js";
import type { PresentedDefect } from "../connection/server-defect.js";
import type { OfferedVersions, TlsVersionRange } from "../connection/tls-version.js";
import { hasFirstRecord, readHello, readVersions } from "./client-hello.js";
import { OpenConnection } from "./connection.js";
import { classifyHandshakeError, type HandshakeFailure } from "./handshake-failure.js";
import { type PeerJudge, presentedBy } from "./peer.js";

export interface HandshakeOptions {
  readonly clientCertificate: "request" | "require";
  /** The versions of HTTP that are spoken. */
  readonly alpn: readonly AlpnProtocol[];
  /** The versions of TLS that are spoken. */
  readonly versions: TlsVersionRange;
  readonly judge: PeerJudge;
  readonly handshakeTimeoutMs: number;
  readonly clock: Clock;
  /** The fault that acts once the client's first record is there; undefined if none does. */
  injectFault(): HandshakeFault | undefined | Promise<HandshakeFault | undefined>;
  /**
   * Why a certificate that has ended is refused in the handshake, as a sentence; undefined if it is not. Left out if
   * none is refused there.
   */
  readonly refusesEnded?: ((thumbprint: string) => string | undefined) | undefined;
  /** Numbers the connections. */
  nextId(): number;
  /** Starts TLS on a socket from which the client's first record can be read again. */
  startTls(handshake: Handshake): void;
  onConnection(connection: OpenConnection): void;
  onFailure(failure: HandshakeFailure): void;
  /** Must answer and close the socket. The failure is reported as well. */
  onPlainHttp(socket: Socket): void;
}

const none = Buffer.alloc(0);

/** What is explained with the versions of TLS of both sides. */
const areNeeded: ReadonlySet<string> = new Set(["no-common-version", "no-common-cipher"]);

/** How many protocols of a client a message names. */
const mostShown = 8;

/** How HTTP begins: a method, or the preface of HTTP/2. A TLS record begins with the byte 22. */
const PLAIN_HTTP = /^[A-Z]{3,16} /;

/** The TLS handshake on a TCP connection. Ends with either a connection or a failure. */
export class Handshake {
  readonly socket: Socket;
  /** The host name that the client requests (SNI). */
  serverName: string | undefined;
  /** What is wrong on purpose with the certificate that the server presents, once it is chosen. */
  serverDefect: PresentedDefect | undefined;
  /** The certificate that the server presents, once it is chosen. */
  serverCertificate: PresentedCertificate | undefined;
  /** Whether CAs were named to the client. */
  namesCas = false;
  readonly #begunAt = monotonicNow();
  readonly #options: HandshakeOptions;
  readonly #timer: NodeJS.Timeout;
  // Unknown once the socket is closed.
  readonly #remoteAddress: string;
  readonly #remotePort: number;
  #first: Buffer = none;
  /** What the client offers by ALPN. */
  #offered: readonly string[] = [];
  /** The versions of TLS that the client offers. */
  #offeredVersions: OfferedVersions | undefined;
  #done = false;

  constructor(socket: Socket, options: HandshakeOptions) {
    this.socket = socket;
    this.#options = options;
    this.#remoteAddress = socket.remoteAddress ?? "";
    this.#remotePort = socket.remotePort ?? 0;
    this.#timer = setTimeout(() => {
      this.#report({ cause: "time-out" });
      socket.destroy();
    }, options.handshakeTimeoutMs);
    socket.on("error", (error) => this.fail(error));
    socket.on("close", () => this.fail(undefined));
    socket.on("data", this.#read);
  }

  /** Waits for the first record. It shows whether the client speaks plain HTTP or TLS, and has the server name. */
  readonly #read = (bytes: Buffer): void => {
    const first = Buffer.concat([this.#first, bytes]);
    this.#first = first;
    if (!hasFirstRecord(first)) return;
    this.socket.off("data", this.#read);
    if (PLAIN_HTTP.test(first.toString("latin1", 0, 20))) {
      this.#report({ cause: "plain-http" });
      this.#options.onPlainHttp(this.socket);
      return;
    }
    const fault = this.#options.injectFault();
    if (fault instanceof Promise) {
      this.socket.pause();
      // If it cannot be found out whether a scenario acts, none acts.
      void fault.catch(() => undefined).then((known) => this.#proceed(first, known));
    } else this.#proceed(first, fault);
  };

  #proceed(first: Buffer, fault: HandshakeFault | undefined): void {
    if (this.#done) return;
    if (fault !== undefined) {
      this.#break(fault);
      return;
    }
    const { serverName, alpn } = readHello(first);
    this.serverName = serverName === undefined ? undefined : printable(serverName);
    this.#offered = alpn;
    this.#offeredVersions = readVersions(first);
    this.socket.pause();
    this.socket.unshift(first);
    this.#first = none;
    this.#options.startTls(this);
  }

  #break({ handle, does }: HandshakeFault): void {
    const { socket } = this;
    if (does.kind === "reset") {
      this.#report({ cause: "reset-by-scenario", reason: handle });
      socket.resetAndDestroy();
      return;
    }
    this.#report({ cause: "held-by-scenario", reason: handle });
    if (does.kind === "stall") socket.write(beginningOfServerHello());
    const timer = setTimeout(() => socket.destroy(), does.duration);
    socket.once("close", () => clearTimeout(timer));
    // Otherwise it is not noticed that the client is gone.
    socket.resume();
  }

  /** The TLS handshake is complete. */
  succeed(tls: TLSSocket): void {
    if (this.#done) {
      tls.destroy();
      return;
    }
    const peer = this.#options.judge.judge(presentedBy(tls));
    const refusal = this.#refusalOf(peer, tls);
    if (refusal !== undefined) {
      this.#report({ ...refusal, tls });
      tls.destroy();
      return;
    }
    this.#done = true;
    clearTimeout(this.#timer);
    this.#options.onConnection(
      new OpenConnection({
        facts: {
          id: this.#options.nextId(),
          remoteAddress: this.#remoteAddress,
          remotePort: this.#remotePort,
          serverName: this.serverName,
          protocol: tls.getProtocol() ?? "",
          cipher: tls.getCipher().standardName,
          httpVersion: tls.alpnProtocol === "h2" ? "HTTP/2" : "HTTP/1.1",
          serverDefect: this.serverDefect,
          serverCertificate: this.serverCertificate,
          ...(this.namesCas && { namesCas: true }),
          begunAt: this.#begunAt,
        },
        peer,
        tlsSocket: tls,
        rawSocket: this.socket,
      }),
    );
  }

  /** Why a connection is refused although OpenSSL has completed the handshake. */
  #refusalOf(peer: Peer, tls: TLSSocket): FailureFacts | undefined {
    const { alpn, clientCertificate, clock, refusesEnded } = this.#options;
    // A client that offers nothing speaks HTTP/1.1.
    if (tls.alpnProtocol === false && !alpn.includes("http/1.1"))
      return { cause: "no-common-application-protocol", reason: this.#noCommonProtocol() };
    const refusal = clientCertificate === "require" ? findRefusal(peer, clock.now(), tls) : undefined;
    if (refusal !== undefined || peer.kind === "none") return refusal;
    const { certificate } = peer;
    const ended = refusesEnded?.(certificate.thumbprint);
    return ended === undefined ? undefined : { cause: "client-certificate-ended", reason: ended, certificate };
  }

  /** The TLS handshake has failed, or the connection is gone. No error means that the client closed it. */
  fail(error: Error | undefined, tls?: TLSSocket): void {
    const found = classifyHandshakeError(error);
    const reason = found.cause === "no-common-application-protocol" ? this.#noCommonProtocol() : "";
    const versions = { offered: this.#offeredVersions, spoken: this.#options.versions };
    this.#report({ ...found, reason, ...(areNeeded.has(found.cause) && { versions }), tls });
  }

  #noCommonProtocol(): string {
    const shown = this.#offered.slice(0, mostShown).map((name) => quote(name));
    if (shown.length < this.#offered.length) shown.push("more");
    const offers = shown.length === 0 ? "nothing" : shown.join(", ");
    return `By ALPN the client offers ${offers}; the sandbox offers ${this.#options.alpn.map((name) => quote(name)).join(", ")}`;
  }

  #report({ tls, ...facts }: FailureFacts): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#timer);
    // What is not TLS gets no answer: no version was chosen, and no certificate presented.
    const isTls = facts.cause !== "not-tls" && facts.cause !== "plain-http";
    this.#options.onFailure({
      at: this.#options.clock.now(),
      code: undefined,
      alert: undefined,
      reason: "",
      certificate: undefined,
      ...facts,
      remoteAddress: this.#remoteAddress,
      remotePort: this.#remotePort,
      serverName: this.serverName,
      // Node frees OpenSSL's state with the TCP connection. Reading the version after that ends the process.
      protocol: this.socket.destroyed || !isTls ? undefined : (tls?.getProtocol() ?? undefined),
      serverDefect: isTls ? this.serverDefect : undefined,
      serverCertificate: isTls ? this.serverCertificate : undefined,
      bytesRead: this.socket.bytesRead,
    });
  }
}

/** The first 43 of 127 bytes of a record with a ServerHello: its version and its random (RFC 8446 §4.1.3, §5.1). */
function beginningOfServerHello(): Buffer {
  const record = Buffer.from([0x16, 3, 3, 0, 122]);
  const hello = Buffer.from([2, 0, 0, 118, 3, 3]);
  return Buffer.concat([record, hello, randomBytes(32)]);
}

/** Facts that are left out do not apply. */
type FailureFacts = Pick<HandshakeFailure, "cause"> &
  Partial<Pick<HandshakeFailure, "code" | "alert" | "reason" | "versions" | "certificate">> & {
    readonly tls?: TLSSocket | undefined;
  };

/** What OpenSSL finds wrong with the CAs above a certificate that is good by itself, by its codes. */
const chainProblems: Readonly<Record<string, string>> = {
  PATH_LENGTH_EXCEEDED: "There are more CAs in its chain than one of them permits (path length).",
  INVALID_PURPOSE: "A CA of its chain does not permit TLS client authentication (extended key usage).",
  CERT_HAS_EXPIRED: "A certificate of its chain has expired.",
  CERT_NOT_YET_VALID: "A certificate of its chain is not valid yet.",
};

/**
 * What OpenSSL says of chains that end at a trusted certificate all the same. This is not a root: one of `tls.clientCa`
 * may be an intermediate CA or the client's certificate itself, and Node passes OpenSSL's option for it to no server. Or
 * two trusted CAs have one name and no key identifiers, and OpenSSL tries only the first one.
 */
const endsAtTrusted = new Set([
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_SIGNATURE_FAILURE",
]);

const otherProblem =
  "Its chain breaks a rule that Node.js does not name, such as the name constraints of a CA. OpenSSL does: openssl verify -purpose sslclient -CAfile ca.pem -untrusted chain.pem cert.pem.";

/**
 * The refusals of OpenSSL, with its codes. What is wrong with the certificate itself comes first, by the sandbox's
 * clock, because Node says less of it.
 */
function findRefusal(peer: Peer, now: number, { authorized, authorizationError }: TLSSocket): FailureFacts | undefined {
  if (peer.kind === "none") return { cause: "no-client-certificate" };
  const { certificate, chain, chainReason } = peer;
  if (chain === "untrusted") return { cause: "client-certificate-untrusted", reason: chainReason, certificate };
  if (now > certificate.notAfter)
    return { cause: "client-certificate-expired", code: "CERT_HAS_EXPIRED", reason: "It has expired.", certificate };
  if (now < certificate.notBefore) {
    const reason = "Its validity has not begun yet.";
    return { cause: "client-certificate-not-yet-valid", code: "CERT_NOT_YET_VALID", reason, certificate };
  }
  if (!certificate.clientUsage) {
    const reason = "Its key usage or extended key usage does not permit client authentication.";
    return { cause: "client-certificate-wrong-usage", code: "INVALID_PURPOSE", reason, certificate };
  }
  const code = String(authorizationError);
  if (authorized || endsAtTrusted.has(code)) return undefined;
  return { cause: "client-certificate-untrusted", code, reason: chainProblems[code] ?? otherProblem, certificate };
}
