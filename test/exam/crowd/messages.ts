import type { ServerDefect } from "../../../src/sandbox/connection/server-defect.js";

/** A request as a client sends it. */
export interface SentRequest {
  readonly operation: "token" | "ping" | "list";
  /** Path and query as they are sent. */
  readonly target: string;
  readonly token?: string | undefined;
  readonly correlationId?: string | undefined;
  /** Of a token request. */
  readonly form?: ReadonlyMap<string, readonly string[]>;
  /** Of a list request. */
  readonly walk?: SentWalk;
  readonly hasValues?: boolean;
  /** Whether it asks for the sample error. */
  readonly asksForError?: boolean;
}

interface SentWalk {
  /** Path and filters. */
  readonly name: string;
  readonly pageSize: number;
  readonly cursor: string | undefined;
}

/** An answer as a client reads it. */
export interface ReadAnswer {
  readonly status: number;
  readonly code?: string | undefined;
  /** Whether a 401 says `invalid_token`. */
  readonly invalidToken?: boolean;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly issued?: { readonly token: string; readonly type: string; readonly lifetime: number } | undefined;
  readonly page?: { readonly rows: number; readonly next: string | undefined } | undefined;
  /** The host that it redirects to. */
  readonly redirectsTo?: string | undefined;
  /** Whether the body is not what the operation answers with. */
  readonly isOther?: boolean;
  /** The certificate of the connection that it came on. */
  readonly thumbprint?: string;
}

/** From client to sandbox. */
export type Upward =
  | { readonly kind: "connect" }
  | { readonly kind: "request"; readonly request: SentRequest; readonly stream: number; readonly closes: boolean }
  | { readonly kind: "reset"; readonly stream: number }
  | { readonly kind: "close"; readonly alert?: string };

/** From sandbox to client. */
export type Downward =
  | { readonly kind: "hello"; readonly defect: ServerDefect | undefined }
  | { readonly kind: "answer"; readonly stream: number; readonly answer: ReadAnswer; readonly isLast: boolean }
  | { readonly kind: "reset"; readonly stream: number; readonly isUnprocessed: boolean }
  | { readonly kind: "goaway"; readonly last: number }
  | { readonly kind: "close" };
