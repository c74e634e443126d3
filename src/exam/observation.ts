import type { AssumptionId } from "../sandbox/assumptions.js";
import type { ServerDefect } from "../sandbox/connection/server-defect.js";

/**
 * The input of the judges: plain facts of one exchange, once it is over.
 *
 * Times are milliseconds on the monotonic clock of this process, so that a moved clock does not matter. A judge keeps
 * only ids, times, hashes, and texts of bounded length.
 */
export interface ExchangeObservation {
  /** The id in the journal. */
  readonly id: number;
  /** The client of the token, or of the certificate, as a unique text; empty if there is none. */
  readonly client: string;
  /** Changes whenever the scenario or the clock of the client changes. */
  readonly epoch: number;
  /** The scenario that the request selects by its header. */
  readonly scenario: string | undefined;

  /** The id of the connection; 0 if it is not known. */
  readonly connection: number;
  /** When the TCP connection was accepted. */
  readonly begunAt: number;
  /** The stream of HTTP/2 that the request came on. Streams of a connection run at the same time. */
  readonly stream: number | undefined;
  /** How many requests the connection carried until now, this one included. */
  readonly ordinal: number;
  /**
   * Whether the sandbox kept the connection open after the answer, or would have if the client had not requested to
   * close it.
   */
  readonly keptOpen: boolean;
  /** How a scenario ended the stream, or the connection, by means of HTTP/2. */
  readonly http2Fault: "refused" | "goaway" | "goaway-before" | undefined;
  /** `TLSv1.2` or `TLSv1.3`. */
  readonly protocol: string;
  /** The highest version of TLS that the sandbox offers. `TLSv1.3` when left out. */
  readonly highestProtocol?: string;
  /** The intended defect of the server certificate that the connection got. */
  readonly serverDefect: ServerDefect | undefined;
  /** The certificate that the client presented. */
  readonly thumbprint: string | undefined;
  /** What becomes of it; undefined without one. */
  readonly certificate?: CertificateObservation | undefined;

  /** When the head of the request was read. */
  readonly arrivedAt: number;
  /** When the whole answer was written to the socket, or the connection was broken. */
  readonly releasedAt: number;
  /** Whether the client closed the connection before it had an answer. The sandbox does not know when it gave up. */
  readonly endedByClient: boolean;
  /** When the exchange was over: not before `releasedAt`. */
  readonly overAt: number;

  readonly method: string;
  /** As it was sent. */
  readonly target: string;
  /** `token`, `ping` or `list`; undefined for a request that is not an operation. */
  readonly operation: string | undefined;
  /** A hash of the body, if it is known. */
  readonly body: string | undefined;

  /** 0 if no answer was given. */
  readonly status: number;
  /** The error code on the wire. */
  readonly code: string | undefined;
  /** The same, if the client said that it expects it: then it fails no check. */
  readonly expected?: string | undefined;
  /** `broken`: by the sandbox, on purpose. `abandoned`: the client did not wait for the answer. */
  readonly ending: "delivered" | "broken" | "abandoned";
  /** Why the sandbox itself refused the request. Undefined if a scenario did. */
  readonly refusal: ObservedRefusal | undefined;
  /** Whether the answer is a 401 whose challenge says `invalid_token` (RFC 6750 §3.1). */
  readonly invalidToken: boolean;
  /** The host and port of the header Host, or of `:authority`. */
  readonly host: string;
  /** The host and port that the answer redirects to, if they are others. */
  readonly redirectsTo: string | undefined;
  /** How long `Retry-After` requires to wait from `releasedAt` on. */
  readonly retryAfter: { readonly wait: number; readonly grace: number } | undefined;

  /** A hash of the access token, if exactly one was sent. */
  readonly token: string | undefined;
  /** Where access tokens were sent. */
  readonly tokenSent: "nowhere" | "header" | "url" | "twice";
  /** A hash of the correlation ID, if one was sent. */
  readonly correlationId: string | undefined;
  /** Query parameters that the operation does not know: at most eight. */
  readonly unknown: readonly UnknownParameter[];
  /** Whether a date, a filter or produceError was sent. */
  readonly hasValues: boolean;

  /** For the operation `token`. */
  readonly tokenRequest: TokenRequestObservation | undefined;
  /** For the operation `list`. */
  readonly page: PageObservation | undefined;
}

/** The certificate of a connection, at one request. */
export interface CertificateObservation {
  /** Whether it replaces another one of the client. */
  readonly replaces: boolean;
  /** Whether the request was refused because it has ended. */
  readonly hasEnded: boolean;
  /** The same, because another one replaces it, and the time in which both were good is over. */
  readonly hasOverlapEnded: boolean;
  /** Whether its intermediate CA was sent along; undefined if no intermediate CA of the sandbox has issued it. */
  readonly chain: "sent" | "missing" | undefined;
  /** The time until the end of its dates, in milliseconds. */
  readonly left: number;
}

/** A refusal by its code before any override, and the kind of its cause. */
export interface ObservedRefusal {
  readonly code: string;
  readonly kind: string;
  /** The assumption that decides that such a request is refused; left out where the interface says that it is wrong. */
  readonly assumption?: AssumptionId | undefined;
}

/** A name that is safe to print, without secrets. */
export interface UnknownParameter {
  readonly name: string;
  /** The most similar known parameter. */
  readonly near: string | undefined;
}

export interface TokenRequestObservation {
  /**
   * The decoded form; null means a value that cannot be decoded. Undefined if the form was not read. No judge keeps it.
   */
  readonly form: ReadonlyMap<string, readonly (string | null)[]> | undefined;
  /** Whether the body was refused because it is not a form. */
  readonly otherMediaType: boolean;
  /** The same because it is a form with a content coding, or in another charset than UTF-8. */
  readonly isCoded?: boolean;
  /** Whether Basic authentication was sent. */
  readonly basic: boolean;
  /** The names of the parameters in the URL. */
  readonly inUrl: readonly string[];
  /** The token in the answer, if it has one. */
  readonly issued: IssuedObservation | undefined;
}

export interface IssuedObservation {
  /** A hash of the token. */
  readonly token: string;
  /** Undefined if the answer has none. */
  readonly type: string | undefined;
  /** The announced lifetime in milliseconds. */
  readonly lifetime: number | undefined;
}

export interface PageObservation {
  /** A hash of the cursor that was sent. */
  readonly cursor: string | undefined;
  /** Whether all parameters were read and accepted. */
  readonly understood: boolean;
  /** How many rows the answer has; undefined if it is not a page. */
  readonly rows: number | undefined;
  /** A hash of the cursor in the answer. */
  readonly next: string | undefined;
  /**
   * The place of the page in its walk, as a text: a loop returns to a place, although its cursors may have other texts.
   */
  readonly place: string | undefined;
  /** The walk that it belongs to, as a unique text: its path and its filters. */
  readonly walk: string;
  /** Whether the next link has lost the filters of the walk. */
  readonly losesFilters?: boolean;
  /** Whether the cursor was refused because of its age, or because it is of another time. */
  readonly isOld: boolean;
}

/** A handshake that failed, or a connection that was closed without a request. */
export interface HandshakeObservation {
  /** The id in the journal. */
  readonly id: number;
  /** The client of the certificate, in the same form; empty if there is none. */
  readonly client: string;
  /** As in the journal, such as `client-refused-our-certificate`, `plain-http` or `no-request`. */
  readonly cause: string;
  /** The alert that the client sent, such as `unknown_ca`. */
  readonly alert: string | undefined;
  /** Whether the sandbox ended the connection, and not the client. */
  readonly endedByServer: boolean;
  readonly protocol: string | undefined;
  readonly serverDefect: ServerDefect | undefined;
}
