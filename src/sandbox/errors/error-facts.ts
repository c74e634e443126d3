import type { AssumptionId } from "../assumptions.js";

/** The facts of one error code: its origin, the answer unless an assumption is configured otherwise, and its page. */
export interface ErrorFacts {
  readonly status: number;
  /** The public message. A refusal may have a more exact one. */
  readonly message: string;
  /**
   * The section of the interface that defines the code, the assumption that it is based on, or the sandbox's own
   * controls.
   */
  readonly basis: "§7" | AssumptionId | "sandbox";
  /** The code of RFC 6749 §5.2 that the token endpoint adds. */
  readonly oauth?: OAuthErrorCode;
  /** What causes it at the sandbox. */
  readonly causes: readonly string[];
  /** What to change in the client. */
  readonly fix: string;
  /** The shortest request that causes it; undefined if only a scenario does, or bytes that are not HTTP. */
  readonly request?: ErrorRequest;
}

/** RFC 6749 §5.2, and for the service's own failures the codes of §4.1.2.1. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "server_error"
  | "temporarily_unavailable";

/** A request that is answered with a code. */
export interface ErrorRequest {
  readonly method?: string;
  /** Path and query. */
  readonly path: string;
  /** Whether it carries a good access token. */
  readonly token?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: string;
}
