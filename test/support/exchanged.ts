import type { IncomingHttpHeaders } from "node:http";

/** What a client presents. */
export interface ClientIdentity {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

export interface HttpsRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export interface HttpsResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The bytes as UTF-8. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of bodies whose shape is what they check
  readonly json: any;
}
