import type { Duration } from "../base/text/duration.js";
import type { RefusalAssumptionId } from "../sandbox/assumptions.js";
import type { Http2ErrorCode } from "../sandbox/connection/http2-error.js";
import type { ServerRenewal } from "../sandbox/connection/server-certificate.js";
import type { ServerDefect } from "../sandbox/connection/server-defect.js";
import type { ErrorCode } from "../sandbox/errors.js";
import type { OperationName } from "../sandbox/operations.js";
import type { CertificateCondition } from "../sandbox/scenarios/certificate-condition.js";
import type { CheckId } from "../sandbox/scenarios/expectation.js";

// Generated from the schema of scenarios by `npm run generate`.

/**
 * A scenario, with the keys of its YAML file. The description may be left out.
 *
 * @example
 * ```ts
 * await client.useScenario({
 *   rules: [{ when: { operation: "list", page: 3 }, limit: 1, then: { error: "INVALID_CURSOR" } }],
 * });
 * ```
 */
export interface ScenarioDefinition {
  /** What the scenario does, in one sentence, and then what a correct client does when it meets it. */
  readonly description?: string | undefined;
  /** The certificate of the server in the TLS handshake. It acts only while the scenario is active for all. */
  readonly server?:
    | {
        /**
         * The defect of the server certificate that every new connection gets: one of those in docs/connections.md. Or a
         * good one, for connections that begin after the first request: `renewed`, a new one of the same CA, or `next-ca`,
         * one of the next CA, which `ca.pem` has from the activation on. The answers on older connections end them.
         */
        readonly certificate: ServerDefect | ServerRenewal;
      }
    | undefined;
  /** What a correct client does under this scenario, so that a machine can read it. The exam uses it. */
  readonly expect?:
    | {
        /**
         * How a program with a correct client ends: `succeeds` (exit status 0), `fails`, or `any` if giving up and
         * succeeding are both correct.
         */
        readonly outcome?: "succeeds" | "fails" | "any" | undefined;
        /**
         * Checks of the exam that must be exercised, and pass. Those about repetitions (`retry.*`) are required only if
         * the client repeated what failed; a program that gives up, where that is correct too, needs none.
         */
        readonly checks?: readonly CheckId[] | undefined;
        /**
         * Checks of the exam of which one must be exercised, whether it passes or fails: otherwise the drill is not
         * exercised.
         */
        readonly exercises?: readonly CheckId[] | undefined;
        /** How many requests the client sends, by operation. */
        readonly requests?:
          | {
              /** How many requests of the operation `token` the client sends. */
              readonly token?:
                | {
                    /** The smallest number. */
                    readonly min?: number | undefined;
                    /** The largest number. */
                    readonly max?: number | undefined;
                  }
                | undefined;
              /** How many requests of the operation `ping` the client sends. */
              readonly ping?:
                | {
                    /** The smallest number. */
                    readonly min?: number | undefined;
                    /** The largest number. */
                    readonly max?: number | undefined;
                  }
                | undefined;
              /** How many requests of the operation `list` the client sends. */
              readonly list?:
                | {
                    /** The smallest number. */
                    readonly min?: number | undefined;
                    /** The largest number. */
                    readonly max?: number | undefined;
                  }
                | undefined;
            }
          | undefined;
      }
    | undefined;
  /** The rules, at most 1000. Only the first rule whose conditions all hold acts. */
  readonly rules?: readonly ScenarioRule[] | undefined;
}

/** One rule: what a request must be like, and what happens to it. */
export interface ScenarioRule {
  /** The name of the rule in `Sandbox-Fault`; by default `rule-1`, `rule-2` and so on, by its place. */
  readonly name?: string | undefined;
  /** The number of matching requests that pass first. */
  readonly skip?: number | undefined;
  /** Of the matching requests after these, only each n-th: 2 is every second one. */
  readonly every?: number | undefined;
  /** The largest number of faults that the rule makes; without it, there is no limit. */
  readonly limit?: number | undefined;
  /** How likely the rule acts, from 0 (never) to 1 (always). Drawn from the client's seed. */
  readonly probability?: number | undefined;
  /**
   * `all`: the rule counts the requests of all clients together. So `skip`, `every`, `limit`, a `rateLimit` and a
   * `concurrency` are common to all clients; a bucket fills on the sandbox's clock. Without it, each client has its
   * own.
   */
  readonly share?: "all" | undefined;
  /** What a request must be like. All given conditions must hold; without `when`, the rule holds for every request. */
  readonly when?: ScenarioCondition | undefined;
  /**
   * What happens: one fault, or several that change different things. One of `error`, `respond`, `redirect`,
   * `rateLimit`, `concurrency`, `token` or `page` makes the answer, or the two limits together; `alter` changes it;
   * `connection` breaks it, or changes how it is sent; `clock`, `certificate` and `delay` can be combined with any
   * of them.
   */
  readonly then: ScenarioFault;
}

/** What a request must be like. All given conditions must hold; without `when`, the rule holds for every request. */
export interface ScenarioCondition {
  /** The operation, or several: `[ping, list]`. Every list endpoint is the operation `list`. */
  readonly operation?: OperationName | readonly OperationName[] | undefined;
  /** The method of the request. Only the token endpoint takes `POST`. */
  readonly method?: "GET" | "POST" | undefined;
  /**
   * The version of HTTP: 1 for HTTP/1.1, 2 for HTTP/2. A rule with a fault for one version only matches requests
   * over that version.
   */
  readonly http?: 1 | 2 | undefined;
  /** The name of a list, such as `payments`. */
  readonly list?: string | undefined;
  /** The `client_id` for which the certificate of the connection is registered. */
  readonly client?: string | undefined;
  /**
   * What the client presented: `registered` for a certificate of any client, `none`, `replaced` for one that a newer
   * one replaces, or a misfit by the name of its folder. Clients without a registered certificate get only the
   * scenario for all.
   */
  readonly certificate?: CertificateCondition | undefined;
  /** The number of the page in its walk, from 1. A cursor that is not genuine has no page. */
  readonly page?: number | undefined;
  /** Whether the request sends a cursor. */
  readonly cursor?: boolean | undefined;
  /**
   * Parameters of the query, each with its exact value, several of them in a list, `{ like: … }` with `*` for any
   * characters, or `true` for sent, `false` for not sent.
   */
  readonly query?: Readonly<Record<string, ScenarioValue>> | undefined;
  /** Headers of the request, in the same way. Names are compared without regard to case. */
  readonly headers?: Readonly<Record<string, ScenarioValue>> | undefined;
  /** Fields of the form of a token request, in the same way. Only the operation `token` has a form. */
  readonly form?: Readonly<Record<string, ScenarioValue>> | undefined;
  /**
   * For how many times in a row the client sends the same request (method, path, query and, for a token, body): 2 is
   * the first repetition. A different request of the same operation starts the count again at 1; requests of other
   * operations do not.
   */
  readonly attempt?: number | undefined;
  /**
   * The rule begins this long after the scenario was activated, on the client's clock. For the header
   * `Sandbox-Scenario`, after the client's first request under the scenario.
   */
  readonly after?: Duration | undefined;
  /** The rule holds for this long, from `after` or else from the activation on. On the client's clock. */
  readonly for?: Duration | undefined;
}

/** An exact value, a pattern with `*`, a list of which one must match, or `true` for sent and `false` for not sent. */
export type ScenarioValue =
  | string
  | boolean
  | {
      /** A pattern: `*` stands for any characters, also for none. Without `like`, a `*` is a `*`. */
      readonly like: string;
    }
  | readonly (
      | string
      | {
          /** A pattern: `*` stands for any characters, also for none. Without `like`, a `*` is a `*`. */
          readonly like: string;
        }
    )[];

/** The header `Retry-After`: a duration, sent in seconds, or `{ in: 5s, format: date }`. */
export type ScenarioRetryAfter =
  | Duration
  | {
      /** How long the client is told to wait; at most a day. */
      readonly in: Duration;
      /**
       * `seconds`, as by default, or `date`: an HTTP date. It is computed from real time, because the client reads its
       * own clock.
       */
      readonly format?: "seconds" | "date" | undefined;
    };

/**
 * What happens: one fault, or several that change different things. One of `error`, `respond`, `redirect`,
 * `rateLimit`, `concurrency`, `token` or `page` makes the answer, or the two limits together; `alter` changes it;
 * `connection` breaks it, or changes how it is sent; `clock`, `certificate` and `delay` can be combined with any
 * of them.
 */
export interface ScenarioFault {
  /**
   * Move the client's clock, from this request on: a token expires in the middle of a walk without any waiting. The
   * clock stays moved until it is reset. It can be combined with any other fault.
   */
  readonly clock?:
    | {
        /** How far the clock moves forward; at most 366 days. */
        readonly advance: Duration;
      }
    | undefined;
  /**
   * Change the certificate of the client. `renew`: a new key and certificate replace the newest one, and the files
   * in the certificates folder follow; the request is answered, and the answer ends its connection (`Connection:
   * close`, GOAWAY), so that the client meets the change on the next one. `expire` and `revoke`: the certificate of
   * this request ends, and the request is refused. It can be combined with any other fault.
   */
  readonly certificate?:
    | "expire"
    | "revoke"
    | {
        /** Replace the newest certificate of the client. */
        readonly renew: {
          /** How long the old certificate stays valid, on the client's clock; 0s when left out. */
          readonly overlap?: Duration | undefined;
          /** How long the new certificate is valid; about a year when left out. */
          readonly validFor?: Duration | undefined;
        };
      }
    | undefined;
  /**
   * Hold the answer back: a fixed time, a uniform draw between two bounds, or a lognormal one. At most 2 minutes. It
   * can be combined with any other fault.
   */
  readonly delay?:
    | Duration
    | {
        /** The shortest delay. */
        readonly min: Duration;
        /** The longest delay. */
        readonly max: Duration;
      }
    | {
        /** Half of the delays are shorter than this. */
        readonly median: Duration;
        /** How far they spread: 0.3 is a steady service, 1 is a service with a long tail. */
        readonly sigma: number;
        /** No delay is longer than this; by default 20 times the median, at most 2 minutes. */
        readonly max?: Duration | undefined;
      }
    | undefined;
  /**
   * Answer with an error as the sandbox itself would give it: status, code, message, headers and the named
   * assumption, as they are configured; `TOO_MANY_REQUESTS` has `Retry-After: 1`. A code that the operation never
   * gives by itself names no assumption. Give a code of the table or the id of an assumption, alone or with another
   * status, message, headers and `Retry-After`. On every operation except token it acts after certificate, token and
   * scope were accepted; on the token endpoint it acts at once.
   */
  readonly error?:
    | ErrorCode
    | RefusalAssumptionId
    | {
        /** A code of the error table, or the id of an assumption, such as `bearer.invalid-token`. */
        readonly code: ErrorCode | RefusalAssumptionId;
        /** The status, instead of the code's own. */
        readonly status?: number | undefined;
        /** The message, instead of the code's own. */
        readonly message?: string | undefined;
        /** Further headers of the answer, or other values instead of its own. */
        readonly headers?: Readonly<Record<string, string>> | undefined;
        /** The header `Retry-After`: a duration, sent in seconds, or `{ in: 5s, format: date }`. */
        readonly retryAfter?: ScenarioRetryAfter | undefined;
      }
    | undefined;
  /** Answer with exactly this: any status, headers and body. It acts where `error` does. */
  readonly respond?:
    | {
        /** The status. */
        readonly status: number;
        /** The headers. Without a `Content-Type`, it is derived from the body. */
        readonly headers?: Readonly<Record<string, string>> | undefined;
        /** The header `Retry-After`: a duration, sent in seconds, or `{ in: 5s, format: date }`. */
        readonly retryAfter?: ScenarioRetryAfter | undefined;
        /** The body: a text is sent as it is, anything else as JSON. */
        readonly body?: unknown;
        /**
         * Send the body in two chunks, without its length: over HTTP/1.1 with `Transfer-Encoding: chunked`, over HTTP/2
         * without `content-length`. An answer without a body stays as it is.
         */
        readonly chunked?: true | undefined;
      }
    | undefined;
  /**
   * Redirect to the same path at another host, with this status: to `127.0.0.1` if the request was sent to
   * `localhost`, otherwise to `localhost`. It is the same sandbox, so that it sees whether the token comes along. It
   * acts where `error` does.
   */
  readonly redirect?: 301 | 302 | 307 | 308 | undefined;
  /**
   * Answer 429 `TOO_MANY_REQUESTS` with `Retry-After` beyond a rate: a token bucket for each client, on the client's
   * clock. It acts where `error` does.
   */
  readonly rateLimit?:
    | {
        /** The number of requests that fit into the bucket. */
        readonly limit: number;
        /** An empty bucket is full again after this time; at most a day. */
        readonly per: Duration;
        /** How `Retry-After` is given: by default in seconds, until the bucket has room. */
        readonly retryAfter?:
          | Duration
          | {
              /** The wait, instead of the time until the bucket has room. */
              readonly in?: Duration | undefined;
              /**
               * `seconds`, as by default, or `date`: an HTTP date. It is computed from real time, because the client reads its
               * own clock.
               */
              readonly format?: "seconds" | "date" | undefined;
            }
          | undefined;
      }
    | undefined;
  /**
   * Answer 429 `TOO_MANY_REQUESTS` with `Retry-After` while this many requests of the rule are open: those of the
   * client, or with `share: all` those of all clients. A `delay` in the same rule holds requests open; a request
   * that is refused does not wait. It acts where `error` does: a request without a good token is refused for that
   * reason, and does not count as open.
   */
  readonly concurrency?:
    | {
        /** The number of requests that may be open at the same time. */
        readonly limit: number;
        /** The header `Retry-After`: a duration, or `{ in: 5s, format: date }`. Without it: 1 second. */
        readonly retryAfter?: ScenarioRetryAfter | undefined;
      }
    | undefined;
  /**
   * Issue a token with a defect, or several: this acts on the operation `token` only. Or revoke one: this acts on
   * every other operation, where `error` does.
   */
  readonly token?:
    | {
        /** The token expires after this time, though the answer announces the usual lifetime; at most a day. */
        readonly expiresIn?: Duration | undefined;
        /** `other`: the token is bound to a certificate that does not exist. */
        readonly certificate?: "other" | undefined;
        /** The `token_type` of the answer, instead of `bearer`. */
        readonly tokenType?: string | undefined;
        /**
         * Refuse the token of this request with 401, now and from now on; a token that is issued later is good. It acts
         * where a token is used, so it cannot be combined with the others.
         */
        readonly revoke?: true | undefined;
      }
    | undefined;
  /** Change a page of a list: one of these. It acts on the operation `list` only. */
  readonly page?:
    | {
        /**
         * The number of rows that were inserted since the page before: this many of its rows come again at the start of
         * this page.
         */
        readonly insert?: number | undefined;
        /** The number of rows that were removed since the page before: this many are missed between the two pages. */
        readonly remove?: number | undefined;
        /** The number of first rows that appear twice on this page. The page keeps its size; at most half of it. */
        readonly duplicate?: number | undefined;
        /** No rows, but a cursor: the next page has the rows that belong here. */
        readonly empty?: true | undefined;
        /** The last page has a cursor, too. It leads to an empty page, which has none. */
        readonly deadEnd?: true | undefined;
        /** The page has at most this many rows, whatever page size was requested; the others come on the next page. */
        readonly rows?: number | undefined;
        /**
         * Another cursor. `same` and `first` lead in a circle: `same` is the cursor that was sent, and on page 1 leads to
         * page 1; `first` leads to page 1. `reserved` leads on, and has characters that a client has to percent-encode.
         */
        readonly cursor?: "same" | "first" | "reserved" | undefined;
      }
    | undefined;
  /**
   * Change the real answer. It acts on every answer after certificate, token and scope were accepted, refusals
   * included; on the token endpoint, it acts on every answer.
   */
  readonly alter?:
    | {
        /** The status, instead of the real one. */
        readonly status?: number | undefined;
        /** Headers to set, or with `null` to remove. */
        readonly headers?: Readonly<Record<string, string | null>> | undefined;
        /** A JSON Merge Patch (RFC 7396) of the body: members to set, or with `null` to remove. To set null, use `setNull`. */
        readonly body?: unknown;
        /** A JSON Merge Patch of each row of a page. Only lists have rows. */
        readonly rows?: unknown;
        /**
         * Members that become null, by their path. A path leads through every element of an array: `items.reference` is
         * the reference of every row. A member that is missing is not added.
         */
        readonly setNull?: readonly string[] | undefined;
        /**
         * Send the body in two chunks, without its length: over HTTP/1.1 with `Transfer-Encoding: chunked`, over HTTP/2
         * without `content-length`. An answer without a body stays as it is.
         */
        readonly chunked?: true | undefined;
      }
    | undefined;
  /** Break the connection, or send the answer on it in an unusual way: one of these. */
  readonly connection?:
    | "reset"
    | "close"
    | "hang"
    | "truncate"
    | "garbage"
    | "drip"
    | "stall"
    | "slowHeaders"
    | "goaway"
    | {
        /** The kind. */
        readonly kind: "reset";
        /**
         * `handshake`: instead of the server's first byte of TLS. The rule then counts new connections of all clients,
         * acts only while the scenario is active for all, and has no conditions except `after` and `for`.
         */
        readonly when?: "handshake" | undefined;
      }
    | {
        /** The kind. */
        readonly kind: "hang";
        /** How long at most; then the connection is closed. */
        readonly duration?: Duration | undefined;
      }
    | {
        /** The kind. */
        readonly kind: "truncate";
        /** The number of bytes of the body that arrive, at most all but one; by default half of them. */
        readonly after?: number | undefined;
      }
    | {
        /** The kind. */
        readonly kind: "drip";
        /** How long the body takes. */
        readonly duration?: Duration | undefined;
      }
    | {
        /** The kind. */
        readonly kind: "stall";
        /** How long nothing comes. */
        readonly duration?: Duration | undefined;
      }
    | {
        /** The kind. */
        readonly kind: "slowHeaders";
        /** How long the headers take. */
        readonly duration?: Duration | undefined;
      }
    | {
        /** The kind. */
        readonly kind: "goaway";
        /** The error code of GOAWAY. */
        readonly code?: Http2ErrorCode | undefined;
        /**
         * `this`: open requests are still answered, and no further one. `before`: the request is not processed, and can be
         * sent again on another connection; over HTTP/1.1 the connection is closed before any byte.
         */
        readonly lastStream?: "this" | "before" | undefined;
      }
    | undefined;
  /** End the stream of HTTP/2 without an answer, in one of these ways. Other streams of the connection go on. */
  readonly stream?:
    | "refused"
    | "reset"
    | {
        /** The kind. */
        readonly kind: "reset";
        /** Its error code. */
        readonly code?: Http2ErrorCode | undefined;
      }
    | undefined;
}
