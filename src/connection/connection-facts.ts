import type { PresentedDefect } from "./server-defect.js";

/** As it stands in a request line; HTTP/1.1 stands for HTTP/1.0 as well. */
type HttpVersion = "HTTP/1.1" | "HTTP/2";

/** What the journal keeps of a TLS connection: facts only, so that no entry keeps a socket alive. Shared by all its requests. */
export interface ConnectionFacts {
  /** Counts from 1 for each sandbox. */
  readonly id: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** The host name that the client asked for (SNI); clients send none for an IP address. */
  readonly serverName: string | undefined;
  /** `TLSv1.2` or `TLSv1.3`. */
  readonly protocol: string;
  /** By its IANA name, such as `TLS_AES_256_GCM_SHA384`. */
  readonly cipher: string;
  /** What client and server agreed on (ALPN); HTTP/1.1 where the client offered nothing. */
  readonly httpVersion: HttpVersion;
  /** What was wrong on purpose with the certificate that the server presented. */
  readonly serverDefect: PresentedDefect | undefined;
  /** When the TCP connection was accepted, in milliseconds on the monotonic clock. */
  readonly begunAt: number;
}
