import type { ServerIssuer } from "../sandbox/connection/server-certificate.js";
import type { DefectUrls } from "../sandbox/connection/server-defect.js";
import type {
  ActiveScenario,
  Assumption,
  ClientInfo,
  Exchange,
  ExchangeDetail,
  Handshake,
  Health,
  NextCa,
  ScenarioSummary,
  ServerCertificate,
} from "./answers.js";
import type {
  ClientHandle,
  ClientReport,
  ClockControl,
  NewClientOptions,
  ReportOptions,
  RequestFilters,
} from "./client-handle.js";
import type { ScenarioDefinition } from "./definition.js";

/** A sandbox, for a test suite. Everything uses the admin API, so a test in another language can do the same. */
export interface SandboxHandle {
  /** Base URL of the API. */
  readonly url: string;
  /**
   * Base URLs of the same API with a server certificate that is expired, for a wrong host, untrusted: a client must
   * refuse each. Every other defect has one, too, if `defectPorts` is `all`. Throws `NO_DEFECT_PORTS` if the sandbox
   * was started without `--defect-ports`.
   *
   * @example
   * ```ts
   * await expect(ping({ ...client.tls, baseUrl: sandbox.defectUrls.expired })).rejects.toThrow(/expired/);
   * expect(await client.countRequests()).toBe(0);
   * ```
   */
  readonly defectUrls: DefectUrls;
  /** Base URL of the admin API. */
  readonly adminUrl: string;
  /** The CA to trust, PEM; with the next CA, once this handle has announced it. */
  readonly ca: string;
  /** The seed of the random decisions of scenarios, if it is known. */
  readonly seed: string | undefined;
  /** The sandbox's clock. The clock of every client is based on it. */
  readonly clock: ClockControl;

  /** An existing client: `demo`, `other`, or one that was made. */
  client(clientId: string): Promise<ClientHandle>;
  /**
   * Makes a client for a test: registered, with certificate and key.
   *
   * @example
   * ```ts
   * const client = await sandbox.createClient({ seed: "42" });
   * ```
   */
  createClient(options?: NewClientOptions): Promise<ClientHandle>;
  /**
   * An identity that exists from the start, by its name: a client's, or a misfit that must be refused. The handle
   * belongs to the client that owns the identity or that the identity pretends to be.
   *
   * @example
   * ```ts
   * const expired = await sandbox.identity("expired");
   * await expect(expired.token()).rejects.toThrow();
   * ```
   */
  identity(name: string): Promise<ClientHandle>;
  /** The registered clients. */
  clients(): Promise<ClientInfo[]>;

  /**
   * Activates a scenario for all clients that have none of their own: by name, or as a definition, which is uploaded.
   * `null`: no scenario.
   */
  useScenario(scenario: string | ScenarioDefinition | null): Promise<ActiveScenario>;
  /** Deactivates the scenario for all clients. */
  clearScenario(): Promise<ActiveScenario>;
  /** The scenario that is active for all clients. */
  scenario(): Promise<ActiveScenario>;
  /** The scenarios that can be chosen. */
  scenarios(): Promise<ScenarioSummary[]>;
  /**
   * Uploads a scenario, as YAML or as an object. It is kept in memory and takes precedence over a file of the same
   * name.
   *
   * @example
   * ```ts
   * await sandbox.defineScenario("slow-pages", {
   *   rules: [{ when: { operation: "list" }, then: { delay: { min: "1s", max: "3s" } } }],
   * });
   * ```
   */
  defineScenario(name: string, scenario: string | ScenarioDefinition): Promise<ScenarioSummary>;
  /** Deletes an uploaded scenario; a file of the same name is used again. */
  removeScenario(name: string): Promise<void>;

  /** The certificate that the server shows on new connections. */
  serverCertificate(): Promise<ServerCertificate>;
  /**
   * Renews it: new connections get a certificate with a new key. `next-ca` is the cut to the next CA.
   *
   * @example
   * ```ts
   * await sandbox.announceNextCa();
   * await sandbox.renewServerCertificate({ issuer: "next-ca" });
   * ```
   */
  renewServerCertificate(options?: { readonly issuer?: ServerIssuer | undefined }): Promise<ServerCertificate>;
  /** Announces the next CA: `ca.pem` has both roots from now on. The server goes on with its certificate. */
  announceNextCa(): Promise<NextCa>;

  /** The requests that reached the API, newest first. */
  requests(filters?: RequestFilters & { readonly limit?: number | undefined }): Promise<Exchange[]>;
  /** How many exchanges match. */
  countRequests(filters?: RequestFilters): Promise<number>;
  /** One exchange, with everything that is known about it. */
  request(id: string): Promise<ExchangeDetail>;
  /** Removes exchanges from the journal: those that match; without filters, all exchanges and handshakes. */
  clearRequests(filters?: RequestFilters): Promise<void>;
  /** Failed handshakes, and connections that were closed without a request, newest first. */
  handshakes(): Promise<Handshake[]>;

  /** The report on all clients; {@link ClientHandle.report} is the one on a single client. */
  report(options?: ReportOptions): Promise<ClientReport>;

  /** What the interface leaves open, and what the sandbox does there. */
  assumptions(): Promise<Assumption[]>;
  health(): Promise<Health>;
  /**
   * Resets scenarios, counters, clocks, expected errors, journal and report of all clients. Keeps clients, tokens, uploaded scenarios.
   */
  reset(): Promise<void>;

  /** Closes this handle, and stops the sandbox if the handle has started it. Calling it again does nothing. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A sandbox that was started in this process. */
export interface StartedSandbox extends SandboxHandle {
  readonly seed: string;
  /** The token that the admin API demands, for other programs; undefined when it demands none. */
  readonly adminToken: string | undefined;
}
