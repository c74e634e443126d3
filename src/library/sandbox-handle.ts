import type { ServerIssuer } from "../sandbox/connection/server-certificate.js";
import type { DefectUrls } from "../sandbox/connection/server-defect.js";
import type {
  ActiveScenario,
  Assumption,
  ClientInfo,
  CountedScenario,
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

/** A sandbox. Everything uses the admin API, so a test in another language can do the same. */
export interface SandboxHandle {
  /** Base URL of the API. */
  readonly url: string;
  /**
   * Base URLs of the same API with a defective server certificate, which a client must refuse: `expired`, `wrongHost`,
   * `untrusted`, and all others if `defectPorts` is `all`. Throws `NO_DEFECT_PORTS` without such ports.
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
  /** The CA to trust, PEM; with the next one, once this handle has announced it. */
  readonly ca: string;
  /** Of the random decisions of scenarios, if it is known. */
  readonly seed: string | undefined;
  /** The clock of every client is based on it. */
  readonly clock: ClockControl;

  /** An existing client, such as `demo`. */
  client(clientId: string): Promise<ClientHandle>;
  /**
   * Makes a client, with certificate and key.
   *
   * @example
   * ```ts
   * const client = await sandbox.createClient({ seed: "42" });
   * ```
   */
  createClient(options?: NewClientOptions): Promise<ClientHandle>;
  /**
   * A standing identity: a client's, or a misfit that must be refused. The handle is of the client that owns it, or
   * that it pretends to be.
   *
   * @example
   * ```ts
   * const expired = await sandbox.identity("expired");
   * await expect(expired.token()).rejects.toThrow();
   * ```
   */
  identity(name: string): Promise<ClientHandle>;
  clients(): Promise<ClientInfo[]>;

  /**
   * Activates a scenario for all clients that have none of their own, by name or as a definition, which is uploaded.
   * `null`: none.
   */
  useScenario(scenario: string | ScenarioDefinition | null): Promise<ActiveScenario>;
  /** Deactivates the scenario for all clients. */
  clearScenario(): Promise<ActiveScenario>;
  /** The one that is active for all clients, and how often its rules matched and acted. */
  scenario(): Promise<CountedScenario>;
  scenarios(): Promise<ScenarioSummary[]>;
  /**
   * Uploads a scenario, as YAML or as an object. It takes precedence over a file of the same name.
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

  /** What the server shows on new connections. */
  serverCertificate(): Promise<ServerCertificate>;
  /**
   * New connections get a certificate with a new key. `next-ca`: from the next CA.
   *
   * @example
   * ```ts
   * await sandbox.announceNextCa();
   * await sandbox.renewServerCertificate({ issuer: "next-ca" });
   * ```
   */
  renewServerCertificate(options?: { readonly issuer?: ServerIssuer | undefined }): Promise<ServerCertificate>;
  /** From now on, `ca.pem` has both roots. The server keeps its certificate. */
  announceNextCa(): Promise<NextCa>;

  /** What reached the API, newest first. */
  requests(filters?: RequestFilters & { readonly limit?: number | undefined }): Promise<Exchange[]>;
  countRequests(filters?: RequestFilters): Promise<number>;
  /** Everything about one exchange. */
  request(id: string): Promise<ExchangeDetail>;
  /** Removes the exchanges that match from the journal; without filters, all exchanges and handshakes. */
  clearRequests(filters?: RequestFilters): Promise<void>;
  /** Failed handshakes, and connections that were closed without a request, newest first. */
  handshakes(): Promise<Handshake[]>;

  /** On all clients. */
  report(options?: ReportOptions): Promise<ClientReport>;

  /** What the interface leaves open, and what the sandbox does there. */
  assumptions(): Promise<Assumption[]>;
  health(): Promise<Health>;
  /**
   * As `POST /reset`, for all clients.
   */
  reset(): Promise<void>;

  /** Closes this handle, and stops the sandbox if the handle has started it. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A sandbox that was started in this process. */
export interface StartedSandbox extends SandboxHandle {
  /** Of the random decisions of scenarios. */
  readonly seed: string;
  /** For other programs, if the admin API demands a token. */
  readonly adminToken: string | undefined;
}
