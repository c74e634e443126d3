import type { Duration } from "../base/text/duration.js";
import type { OperationName } from "../sandbox/operations.js";
import type { ActiveScenario, ClientInfo, ClockState, CountedScenario, Exchange, Report } from "./answers.js";
import type { ScenarioDefinition } from "./definition.js";

/** What `https.request`, `tls.connect` and undici's `new Agent({ connect })` take. All PEM. */
export interface TlsIdentity {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A request to the API. */
export interface RequestOptions {
  /** Default: `GET`. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** `URLSearchParams` are sent as a form. */
  readonly body?: string | Uint8Array | URLSearchParams | undefined;
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string | undefined;
  /** Such as `AbortSignal.timeout(500)`. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer of the API, whatever its status. */
export interface ApiAnswer {
  readonly status: number;
  /** By lower-case name; repeated ones are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. */
  readonly text: string;
  /** The body, parsed. Throws a `SyntaxError` when it is not JSON. */
  json<T = unknown>(): T;
}

/**
 * The clock of one client, or of the whole sandbox. A new client's certificate is valid from one day ago until one year
 * from now: at other times it is refused.
 */
export interface ClockControl {
  read(): Promise<ClockState>;
  /**
   * Moves forward; with a minus, back. A frozen clock stays frozen, at the new time.
   *
   * @example
   * ```ts
   * await client.clock.advance("301s"); // its token of five minutes has expired
   * ```
   */
  advance(by: Duration): Promise<ClockState>;
  /** Runs ahead of the clock that it is based on; with a minus, behind. */
  offset(by: Duration): Promise<ClockState>;
  /** Runs on from this instant. */
  set(to: Date | string): Promise<ClockState>;
  /** Stops at this instant, or now. */
  freeze(at?: Date | string): Promise<ClockState>;
  /** Returns to real time. */
  reset(): Promise<ClockState>;
}

/** An exchange must match all of them. */
export interface RequestFilters {
  /** A query, such as `-op:ping status:5xx "some words"`: docs/reference/admin-api.md, Queries. */
  readonly q?: string | undefined;
  /** The client of the token, or of the certificate. */
  readonly client?: string | undefined;
  readonly operation?: OperationName | undefined;
  /** The name of a list. */
  readonly list?: string | undefined;
  /** A status such as `401`, or a class such as `"4xx"`. */
  readonly status?: number | `${number}` | `${1 | 2 | 3 | 4 | 5}xx` | undefined;
  /** An error code. */
  readonly code?: string | undefined;
  /** Only exchanges at or after this instant, on the clock of their client. */
  readonly since?: Date | string | undefined;
}

/** Options of a report. */
export interface ReportOptions {
  /** Ids of checks that do not count. */
  readonly ignore?: readonly string[] | undefined;
  /**
   * Codes of errors that the client provoked on purpose. A check that failed only for requests that got these does not
   * count, and `failed` has each code that was never delivered.
   */
  readonly expected?: readonly string[] | undefined;
  /** Whether the client has finished without an error: then its walks have to be complete. */
  readonly finished?: boolean | undefined;
}

/** A report, and its failures as texts. */
export interface ClientReport extends Report {
  /**
   * A text for each check that failed and is not ignored: what happened, what to change, the ids of the requests.
   *
   * @example
   * ```ts
   * const report = await client.report({ ignore: ["tls.reuse"] });
   * expect(report.failed).toEqual([]);
   * ```
   */
  readonly failed: readonly string[];
}

/** Options of a new client. */
export interface NewClientOptions {
  /** Generated when left out. */
  readonly clientId?: string | undefined;
  /** The scopes that it may request; `["read"]` when left out. */
  readonly scopes?: readonly string[] | undefined;
  /** The seed of its random decisions; derived from the sandbox's seed and its id when left out. */
  readonly seed?: string | undefined;
  /** Codes of errors that it provokes on purpose: {@link ClientHandle.expect} changes them. */
  readonly expected?: readonly string[] | undefined;
  /** `ec` (P-256) when left out, which takes milliseconds; or `rsa` (RSA-2048). */
  readonly keyType?: "ec" | "rsa" | undefined;
  /** How long the certificate is valid from now on, on its clock, up to `398d`; about a year when left out. */
  readonly validFor?: Duration | undefined;
  /**
   * Who issues the certificate: the CA itself (`root`) when left out, or an `intermediate` CA below it; `certificate`
   * is then leaf and intermediate, in this order.
   */
  readonly issuer?: "root" | "intermediate" | undefined;
  /** A certificate of your own, PEM, which is registered instead of a new one. */
  readonly certificate?: string | undefined;
  /**
   * The key of your own certificate, for {@link ClientHandle.tls} and {@link ClientHandle.request}. It is not sent to
   * the sandbox.
   */
  readonly key?: string | undefined;
}

/** Options of a certificate that is registered for a client. */
export type NewCertificateOptions = Pick<NewClientOptions, "keyType" | "validFor" | "issuer" | "certificate" | "key">;

/** Options of a rotation. */
export interface RotateOptions extends Pick<NewClientOptions, "validFor"> {
  /** How long the previous certificate stays valid; `0s` when left out. */
  readonly overlap?: Duration | undefined;
  /** The type of the new key; that of the previous one when left out. */
  readonly keyType?: "ec" | "rsa" | undefined;
  /** Whether the key stays, and only the certificate is renewed. */
  readonly sameKey?: boolean | undefined;
  /** The file that stays old: the rotation is held half done. For a client with files, such as demo. */
  readonly hold?: "key" | "certificate" | undefined;
  /** How long, at most `1h`; when left out, until `finishRotation`. */
  readonly holdFor?: Duration | undefined;
  /** The CA itself, or a CA below it; that of the previous certificate if it is left out. */
  readonly issuer?: "root" | "intermediate" | undefined;
}

/**
 * One client, with one of its certificates: that with which the handle was made, until this handle rotates it. Tests
 * with different clients do not affect each other.
 *
 * @example
 * ```ts
 * const client = await sandbox.createClient();
 * await client.useScenario("cursor-refused-once");
 * await walkAllPages({ ...client.tls, baseUrl: client.url, clientId: client.clientId });
 * expect(await client.countRequests({ operation: "token" })).toBe(1);
 * ```
 */
export interface ClientHandle {
  readonly clientId: string;
  /** PEM, with its chain if an intermediate CA issued it. Throws `NO_KEY` if the sandbox does not have it. */
  readonly certificate: string;
  /** PKCS#8 PEM. Throws `NO_KEY` for your own certificate if you did not give the key. */
  readonly key: string;
  /** The CA to trust, PEM. */
  readonly ca: string;
  /** SHA-256 of the certificate, base64url. */
  readonly thumbprint: string;
  readonly scopes: readonly string[];
  readonly seed: string;
  /** Base URL of the API. */
  readonly url: string;
  /**
   * What an HTTPS client needs.
   *
   * @example
   * ```ts
   * https.request(`${client.url}/v1/ping`, { ...client.tls, headers });
   * new undici.Agent({ connect: client.tls });
   * ```
   */
  readonly tls: TlsIdentity;
  readonly clock: ClockControl;

  /** PKCS#12 (AES-256, password `sandbox`) of its newest certificate. */
  p12(): Promise<Uint8Array>;
  /** Its `client.env`. */
  env(): Promise<string>;
  info(): Promise<ClientInfo>;

  /**
   * Activates a scenario for this client. `null`: none, even if one is active for all. Counters start from zero.
   *
   * @example
   * ```ts
   * await client.useScenario("rate-limited");
   * await client.useScenario({ rules: [{ when: { operation: "ping" }, then: { delay: "2s" } }] });
   * ```
   */
  useScenario(scenario: string | ScenarioDefinition | null): Promise<ActiveScenario>;
  /** Returns to the scenario that is active for all. */
  clearScenario(): Promise<ActiveScenario>;
  /** The one that is active for it, and how often its rules matched and acted on its requests. */
  scenario(): Promise<CountedScenario>;

  /** Newest first. */
  requests(filters?: Omit<RequestFilters, "client">): Promise<Exchange[]>;
  countRequests(filters?: Omit<RequestFilters, "client">): Promise<number>;
  /**
   * Waits until a request matches, and resolves with the newest that does. One that is in the journal already counts,
   * from the last reset on, or from `since`. Rejects with `NOTHING_MATCHED`, which says what came instead, after
   * `timeout`: `5s` by default, `50s` at most.
   *
   * @example
   * ```ts
   * worker.start();
   * await client.waitForRequest({ operation: "list", status: 200 });
   * ```
   */
  waitForRequest(
    filters?: Omit<RequestFilters, "client">,
    options?: { readonly timeout?: Duration | undefined },
  ): Promise<Exchange>;
  /**
   * The verdict of every check on what it has sent. It waits up to one second for requests and connections that are
   * about to end. Rejects with `REPORT_OFF` if the setting `report` is `off`.
   */
  report(options?: ReportOptions): Promise<ClientReport>;
  /**
   * Declares the errors that it provokes on purpose from now on, in place of those before: they fail no check, and the
   * report shows them.
   *
   * @example
   * ```ts
   * await client.expect(["INVALID_PAGE_SIZE"]);
   * await expect(sdk.payments({ pageSize: 0 })).rejects.toThrow();
   * await client.expect([]);
   * ```
   */
  expect(codes: readonly string[]): Promise<void>;
  /** As `POST /reset`, for this client. Tokens stay valid. */
  reset(): Promise<void>;

  /**
   * Sends a request with this certificate, exactly as given. Rejects when the connection breaks, after five minutes,
   * and for an answer of more than 64 MiB.
   */
  request(path: string, options?: RequestOptions): Promise<ApiAnswer>;
  /**
   * Requests a new token; nothing is cached. Rejects with `TOKEN_REFUSED` and the journal's reason.
   */
  token(options?: { readonly scope?: string | undefined }): Promise<string>;

  /**
   * Registers one more certificate: a new one, or your own.
   * @returns a handle with it; this handle keeps its own
   */
  addCertificate(options?: NewCertificateOptions): Promise<ClientHandle>;
  /** Removes this certificate; tokens bound to it are refused from now on. */
  removeCertificate(): Promise<void>;
  /**
   * Makes a new key and certificate; the previous certificate is refused after the overlap, on the client's clock. The
   * files of `demo`, `other` and `chained` in a certificates folder are replaced. This handle has the new certificate
   * from then on. A `tls` that was read before, and other handles of the client, keep theirs; `sandbox.client(clientId)`
   * gives a handle with the newest one.
   *
   * @example
   * ```ts
   * const old = client.tls;
   * await client.rotate({ overlap: "30s" }); // client.tls is the new identity
   * await client.clock.advance("30s"); // the old one is refused from now on
   * ```
   */
  rotate(options?: RotateOptions): Promise<void>;
  /** Writes the files that a rotation with `hold` held back. */
  finishRotation(): Promise<void>;
  /** Removes the client; its certificates and tokens are refused from now on. */
  delete(): Promise<void>;
}
