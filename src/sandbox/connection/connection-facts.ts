import type { PresentedDefect } from "./server-defect.js";

/** As in a request line; HTTP/1.1 also includes HTTP/1.0. */
type HttpVersion = "HTTP/1.1" | "HTTP/2";

/**
 * What the journal keeps of a TLS connection: only facts, so that an entry does not keep a socket in memory. All its
 * requests share them.
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
  /** When the TCP connection was accepted, in milliseconds on the monotonic clock. */
  readonly begunAt: number;
}
