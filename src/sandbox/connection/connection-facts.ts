import type { Http2ErrorCode } from "./http2-error.js";
import type { PresentedCertificate } from "./server-certificate.js";
import type { PresentedDefect } from "./server-defect.js";

/** As in a request line; HTTP/1.1 also includes HTTP/1.0. */
type HttpVersion = "HTTP/1.1" | "HTTP/2";

/**
 * Who ended a connection first: with a FIN, with a RST, or a client of HTTP/2 with a GOAWAY. What ends without any of
 * these counts as closed by the server.
 */
export const connectionEnds = ["server-closed", "server-reset", "client-closed", "client-reset"] as const;

export type ConnectionEnd = (typeof connectionEnds)[number];

/**
 * Who ended an answer before the whole of it was passed to the network: the client, a scenario, the sandbox (because it
 * stopped, or had failed), or a time limit of the sandbox.
 */
export const answerEnders = ["client", "scenario", "sandbox", "time-limit"] as const;

export type AnswerEnder = (typeof answerEnders)[number];

/** Whether the sandbox ended a connection, and not the client; false if that is not known. */
export function isEndedByServer(end: ConnectionEnd | undefined): boolean {
  return end === "server-closed" || end === "server-reset";
}

/** A GOAWAY that the sandbox sent (RFC 9113 §6.8). */
export interface SentGoaway {
  readonly code: Http2ErrorCode;
  readonly lastStream: number;
}

/**
 * The record of a TLS connection: only facts, so that an entry of the journal does not keep a socket in memory. All its
 * requests share it. `OpenConnection` writes it, and freezes it when the connection is closed.
 */
export interface ConnectionFacts {
  /** Counts from 1 for each sandbox. */
  readonly id: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** The host name that the client requested (SNI); clients send none for an IP address. */
  readonly serverName: string | undefined;
  /** `TLSv1.2` or `TLSv1.3`. */
  readonly protocol: string;
  /** By its IANA name, such as `TLS_AES_256_GCM_SHA384`. */
  readonly cipher: string;
  /** The version that client and server agreed on (ALPN); HTTP/1.1 if the client offered nothing. */
  readonly httpVersion: HttpVersion;
  /** The intended defect of the certificate that the server presented. */
  readonly serverDefect: PresentedDefect | undefined;
  /** The certificate that the server presented. */
  readonly serverCertificate?: PresentedCertificate | undefined;
  /** Whether the server named the CAs whose certificates it accepts. */
  readonly namesCas?: boolean | undefined;
  /** When the TCP connection was accepted, in milliseconds on the monotonic clock. */
  readonly begunAt: number;
  /** How it ended; undefined as long as it is open. */
  readonly end?: ConnectionEnd | undefined;
  /** The first GOAWAY that the sandbox sent on purpose. */
  readonly goaway?: SentGoaway | undefined;
}
